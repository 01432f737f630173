// SPDX-License-Identifier: MIT
#include "reference.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

namespace koila::test {

namespace {

using operators = std::vector<c10::OperatorHandle>;

/// Returns LibTorch's operators of this name. Leaves out operators whose first result is not a
/// tensor, and operators that write to an argument.
auto operators_of(const std::string& name) -> const operators& {
  static const auto all = [] {
    std::map<std::string, operators> by_name;
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const c10::OperatorName& n : dispatcher.getAllOpNames()) {
      const auto op = dispatcher.findSchema(n);
      if (!op || n.name.substr(0, 6) != "aten::") continue;
      const auto& returned = op->schema().returns();
      bool plain = !returned.empty() && returned[0].type()->kind() == c10::TypeKind::TensorType;
      for (const c10::Argument& a : op->schema().arguments())
        plain = plain && (a.alias_info() == nullptr || !a.alias_info()->isWrite());
      if (plain) by_name[n.name.substr(6)].push_back(*op);
    }
    return by_name;
  }();
  static const operators none;
  const auto found = all.find(name);
  return found == all.end() ? none : found->second;
}

/// Converts an attribute to an argument of this type. Returns nothing if the attribute has a
/// different kind. `many`: the length of a list of fixed length.
auto as_argument(const attribute_value& a, c10::TypePtr type, std::int32_t many) -> std::optional<c10::IValue> {
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  switch (type->kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      if (a.what == attribute_value::whole) return c10::IValue(a.number);
      if (a.what == attribute_value::list && a.several.size() == 1) return c10::IValue(a.several[0]);
      if (a.what != attribute_value::named) return std::nullopt;
      if (a.chosen == choice::none) return c10::IValue(std::int64_t{0});
      if (a.chosen == choice::mean) return c10::IValue(std::int64_t{1});
      if (a.chosen == choice::sum) return c10::IValue(std::int64_t{2});
      return std::nullopt;
    case c10::TypeKind::FloatType:
      if (a.what == attribute_value::real) return c10::IValue(a.real_number);
      return std::nullopt;
    case c10::TypeKind::NumberType:
      if (a.what == attribute_value::real) return c10::IValue(a.real_number);
      if (a.what == attribute_value::whole) return c10::IValue(a.number);
      return std::nullopt;
    case c10::TypeKind::BoolType:
      if (a.what == attribute_value::truth) return c10::IValue(a.number != 0);
      return std::nullopt;
    case c10::TypeKind::StringType:
      if (a.what != attribute_value::named) return std::nullopt;
      if (a.chosen == choice::none) return c10::IValue("none");
      if (a.chosen == choice::tanh) return c10::IValue("tanh");
      if (a.chosen == choice::trunc) return c10::IValue("trunc");
      if (a.chosen == choice::floor) return c10::IValue("floor");
      return std::nullopt;
    case c10::TypeKind::ListType:
      if (a.what == attribute_value::list && a.several.size() == 1 && many > 1)
        return c10::IValue(std::vector<std::int64_t>(static_cast<std::size_t>(many), a.several[0]));
      if (a.what == attribute_value::list) return c10::IValue(a.several);
      if (a.what == attribute_value::whole) return c10::IValue(std::vector<std::int64_t>{a.number});
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// Returns the arguments of an operator for a call. Returns nothing if the operator takes different
/// arguments.
auto arguments_for(const c10::FunctionSchema& schema, const call& c, const std::vector<at::Tensor>& xs,
                   std::vector<attribute_value> given) -> std::optional<std::vector<c10::IValue>> {
  std::vector<c10::IValue> out;
  std::size_t next = 0;
  const auto matches = [](c10::TypePtr t, c10::TypeKind k) {
    if (const auto optional = t->cast<c10::OptionalType>()) t = optional->getElementType();
    return t->kind() == k;
  };
  for (const c10::Argument& a : schema.arguments()) {
    const auto named =
        std::find_if(given.begin(), given.end(), [&](const attribute_value& v) { return v.name == a.name(); });
    if (matches(a.type(), c10::TypeKind::TensorType) && next < xs.size()) {
      out.emplace_back(xs[next++]);
    } else if (a.type()->kind() == c10::TypeKind::ListType &&
               a.type()->castRaw<c10::ListType>()->getElementType()->kind() == c10::TypeKind::TensorType) {
      out.emplace_back(c10::List<at::Tensor>(at::ArrayRef<at::Tensor>(xs).slice(next)));
      next = xs.size();
    } else if (named != given.end() && named->usual && (a.default_value() || named->several.empty())) {
      if (a.default_value()) out.push_back(*a.default_value());
      else if (a.type()->kind() == c10::TypeKind::OptionalType) out.emplace_back();
      else if (const auto v = as_argument(*named, a.type(), 0); v && named->what != attribute_value::list)
        out.push_back(*v);
      else return std::nullopt;
      given.erase(named);
    } else if (named != given.end()) {
      const auto v = as_argument(*named, a.type(), a.N() ? *a.N() : 0);
      if (!v) return std::nullopt;
      out.push_back(*v);
      given.erase(named);
    } else if (matches(a.type(), c10::TypeKind::NumberType) && next < xs.size() && c.operands[next].number) {
      out.emplace_back(xs[next++].item());
    } else if (a.default_value()) {
      out.push_back(*a.default_value());
    } else if (a.type()->kind() == c10::TypeKind::OptionalType) {
      out.emplace_back();
    } else if (a.name() == "cudnn_enabled") {
      out.emplace_back(false);
    } else {
      return std::nullopt;
    }
  }
  for (const attribute_value& v : given)
    if (!v.usual) return std::nullopt;
  return next == xs.size() ? std::optional(out) : std::nullopt;
}

/// Returns true if koila says that an integer is not a valid index or label, and that is correct.
auto is_true_of_index(const std::string& what, const call& c, const std::vector<at::Tensor>& xs) -> bool {
  long long value = 0, extent = 0;
  const char* const text = what.c_str();
  const bool may_be_negative =  // this message is about an index that may count from the end
      std::sscanf(text, "index %lld is out of range for a dim of extent %lld", &value, &extent) == 2;
  if (!may_be_negative && std::sscanf(text, "index %lld is not in [0, %lld)", &value, &extent) != 2 &&
      std::sscanf(text, "label %lld is not in [0, %lld)", &value, &extent) != 2)
    return false;
  if (value >= 0 && value < extent) return false;
  for (std::size_t k = 0; k < xs.size(); ++k)
    if (c.operands[k].type == int64 && xs[k].eq(static_cast<std::int64_t>(value)).any().item<bool>()) return true;
  return false;
}

}  // namespace

auto called_in_libtorch(const call& c, const std::vector<at::Tensor>& xs) -> compared {
  compared out;
  const auto tries = [&](const auto& f) {
    try {
      f();
    } catch (const c10::Error& e) {  // what() would look up the symbols of the call stack, which is slow
      out.refused = std::string(e.what_without_backtrace()).substr(0, 160);
    } catch (const std::exception& e) { out.refused = std::string(e.what()).substr(0, 160); }
  };
  if (const counterpart* const f = counterpart_of(*c.op)) {
    out.found = true;
    tries([&] {
      if (const at::Tensor y = (*f)(c, xs); y.defined()) out.gave.push_back(y);
      else out.found = false;
    });
    return out;
  }
  operators named = operators_of(c.op->name);
  for (const c10::OperatorHandle& op : operators_of(c.op->name + "_nd")) named.push_back(op);
  for (const c10::OperatorHandle& op : named) {
    auto stack = arguments_for(op.schema(), c, xs, c.op->attribute_values(c.attributes.get()));
    if (!stack) continue;
    out.found = true;
    tries([&] {
      op.callBoxed(*stack);
      out.gave.push_back(stack->at(0).toTensor());
    });
  }
  return out;
}

auto coverage::calls() const -> std::size_t {
  std::size_t n = 0;
  for (const auto& [type, times] : times_) n += times;
  return n;
}

auto coverage::never() const -> std::vector<std::string> {
  std::set<std::string> types;
  for (const callable_op& op : callable_ops())
    if (op.is_public() && !times_.contains(op.type)) types.insert(op.type);
  return {types.begin(), types.end()};
}

auto coverage::to_string(bool each) const -> std::string {
  std::map<std::string, std::size_t> of_public, of_internal;
  for (const callable_op& op : callable_ops()) {
    const auto found = times_.find(op.type);
    (op.is_public() ? of_public : of_internal)[op.type] = found == times_.end() ? 0 : found->second;
  }
  const auto some = [](const auto& ops) {
    return std::count_if(ops.begin(), ops.end(), [](const auto& op) { return op.second > 0; });
  };
  std::ostringstream os;
  os << some(of_public) << " of " << of_public.size() << " ops that users call were compared with LibTorch, and "
     << some(of_internal) << " of " << of_internal.size() << " others\n";
  for (const auto* const ops : {&of_public, &of_internal}) {
    if (!each) break;
    for (const auto& [type, times] : *ops) {
      os << "  " << type << " " << times;
      if (const auto reason = without_counterpart().find(type); reason != without_counterpart().end())
        os << " (" << reason->second << ")";
    }
    os << "\n";
  }
  return os.str();
}

auto message_of(const std::exception& e) -> std::string {
  const auto* const of_libtorch = dynamic_cast<const c10::Error*>(&e);
  return of_libtorch != nullptr ? of_libtorch->what_without_backtrace() : e.what();
}

auto refuses_values(const std::exception& e, const call& c, const std::vector<at::Tensor>& xs, const compared& theirs)
    -> bool {
  if (!theirs.gave.empty()) return false;
  const auto any = [&](const auto& matches) { return std::any_of(c.operands.begin(), c.operands.end(), matches); };
  if (theirs.found && any([](const dims& x) { return x.number; })) return true;
  const std::string what = message_of(e);
  const auto contains = [&](const auto&... known) { return ((what.find(known) != what.npos) || ...); };
  if (contains("ZeroDivisionError", "negative integer powers", "p_in", "should be between 0 and 1",
               "ctc: an input length", "ctc: a target length"))
    return true;
  if (dynamic_cast<const c10::IndexError*>(&e) == nullptr && !contains("out of range", "out of bounds")) return false;
  if (is_true_of_index(what, c, xs)) return true;
  // Only integer tensors contain indices and labels. Hostile indices and labels are never valid.
  return any([](const dims& x) { return x.type == int64 && !x.number; }) && (c.hostile_values || theirs.found);
}

}  // namespace koila::test
