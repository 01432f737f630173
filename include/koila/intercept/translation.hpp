// SPDX-License-Identifier: MIT
#pragma once
// The translation of LibTorch's operators to koila's ops. By default, an op with the name N
// translates the operator aten::N: its tensors become the operands in order, and its other
// arguments become the attributes, by their names or in order. An op may state other names.
#include <koila/graph/info_of.hpp>
#include <koila/intercept/region.hpp>
#include <koila/ops.hpp>
#include <koila/torch/recorder.hpp>

#include <string_view>

namespace koila::inline v0::detail {

/// Records a call of an operator as a call of one op, and returns the value; -1 if that is not
/// possible. Then the region may have some values more.
using translate_function = auto (*)(const operator_call& c, region& r) -> int;
struct op_translation {
  std::string_view aten;  ///< the names of the operators, separated by spaces
  translate_function translate = nullptr;
};

/// The ops of koila that translate operators. This list is made by CMake.
auto op_translations() -> std::vector<op_translation>;

/// The value of an operator's argument that becomes an attribute.
struct attribute_value {
  enum value_kind : signed char { none, integer, real, boolean, word, list } kind = none;
  index_t n = 0;
  double x = 0;
  choice c = choice::none;
  attr_list l;
};
auto attribute_value_of(const operator_value& v) -> std::optional<attribute_value>;
/// Returns true for arguments that do not change the value, such as those that choose a kernel.
auto has_no_effect(std::string_view argument) -> bool;

/// Assigns a value to a member of an attribute struct. Throws usage_error if it does not fit.
template <class Member>
void assign_value(Member& member, const attribute_value& v) {
  switch (v.kind) {
    case attribute_value::integer: return detail::assign_member(member, attr<index_t>(v.n));
    case attribute_value::real: return detail::assign_member(member, attr<double>(v.x));
    case attribute_value::boolean: return detail::assign_member(member, attr<bool>(v.n != 0));
    case attribute_value::word:
      if constexpr (std::is_same_v<Member, attr<choice>>) member = v.c;
      else if constexpr (requires { member.assign(choice_constant<choice::same>()); })
        v.c == choice::same ? member.assign(choice_constant<choice::same>())
                            : member.assign(choice_constant<choice::valid>());
      else detail::value_of_another_kind();
      return;
    case attribute_value::list:
      // A list of one number would mean this number for all dims.
      if constexpr (std::is_assignable_v<Member&, attr_list>) member = v.l;
      else if constexpr (requires { member.assign(v.l); }) member.assign(v.l);
      else detail::value_of_another_kind();
      return;
    case attribute_value::none: return;
  }
}

/// Assigns to the member with a name of an attribute struct. Returns false if there is none.
template <class A>
auto assign_named(A& a, std::string_view argument, const attribute_value& v) -> bool {
  bool found = false;
  const auto one = [&]<class Tag>(const Tag&, std::string_view name_of_tag) {
    if constexpr (requires { Tag::member(a); })
      if (!found && argument == name_of_tag) {
        detail::assign_value(Tag::member(a), v);
        found = true;
      }
  };
  one(koila::align_corners, "align_corners");
  one(koila::alpha, "alpha");
  one(koila::approximate, "approximate");
  one(koila::beta, "beta");
  one(koila::ceil_mode, "ceil_mode");
  one(koila::correction, "correction");
  one(koila::count_include_pad, "count_include_pad");
  one(koila::delta, "delta");
  one(koila::descending, "descending");
  one(koila::dilation, "dilation");
  one(koila::dim, "dim");
  one(koila::dim0, "dim0");
  one(koila::dim1, "dim1");
  one(koila::divisor_override, "divisor_override");
  one(koila::dropout_p, "dropout_p");
  one(koila::end_dim, "end_dim");
  one(koila::eps, "eps");
  one(koila::fill_value, "fill_value");
  one(koila::groups, "groups");
  one(koila::ignore_index, "ignore_index");
  one(koila::is_causal, "is_causal");
  one(koila::keepdim, "keepdim");
  one(koila::kernel_size, "kernel_size");
  one(koila::label_smoothing, "label_smoothing");
  one(koila::largest, "largest");
  one(koila::log_target, "log_target");
  one(koila::margin, "margin");
  one(koila::momentum, "momentum");
  one(koila::normalized_shape, "normalized_shape");
  one(koila::num_classes, "num_classes");
  one(koila::num_groups, "num_groups");
  one(koila::offset, "offset");
  one(koila::output_padding, "output_padding");
  one(koila::output_size, "output_size");
  one(ops::p, "p");
  one(koila::padding, "padding");
  one(koila::reduction, "reduction");
  one(koila::rounding_mode, "rounding_mode");
  one(koila::scale, "scale");
  one(koila::shifts, "shifts");
  one(koila::sorted, "sorted");
  one(koila::start_dim, "start_dim");
  one(koila::stride, "stride");
  one(koila::swap, "swap");
  one(koila::training, "training");
  one(koila::use_input_stats, "use_input_stats");
  one(koila::zero_infinity, "zero_infinity");
  return found;
}

/// Assigns to the member at a position of an attribute struct. Returns false if there is none.
template <class A>
auto assign_positional(A& a, std::size_t position, const attribute_value& v) -> bool {
  if constexpr (requires { A::positional; }) {
    if (position >= A::positional) return false;
    const auto set = [&](std::size_t i, const auto& value) {
      if constexpr (requires { a.set(i, value); }) a.set(i, value);
      else detail::value_of_another_kind();
    };
    switch (v.kind) {
      case attribute_value::integer: set(position, attr<index_t>(v.n)); break;
      case attribute_value::real: set(position, attr<double>(v.x)); break;
      case attribute_value::boolean: set(position, attr<bool>(v.n != 0)); break;
      case attribute_value::list:
        if (A::positional != dims::capacity) set(position, v.l);
        else
          for (int i = 0; i < v.l.n; ++i)
            set(static_cast<std::size_t>(i), v.l.e[i]);  // the op takes the list spread out
        break;
      default: detail::value_of_another_kind();
    }
    return true;
  } else {
    return false;
  }
}

/// Assigns one argument of an operator to the attributes. Returns false if the op lacks the
/// attribute, and the argument has another value than its default.
template <class A>
auto assign_argument(A& a, const operator_call& c, std::size_t k, std::size_t position) -> bool {
  const std::string_view argument = c.argument_name(k);
  const std::optional<attribute_value> v = attribute_value_of(c.argument(k));
  if (v && v->kind == attribute_value::none) return true;
  if (v && assign_named(a, argument, *v)) return true;
  if (v && assign_positional(a, position, *v)) return true;
  return c.is_default(k) || has_no_effect(argument);
}

/// Records an op with attributes that were made already.
template <class Op>
auto record_op(region& r, const int* operands, int n, attributes_t<Op> a) -> int {
  for (int k = 0; k < n; ++k)
    if (operands[k] < 0) return -1;
  if constexpr (requires { a.call.id = std::uint64_t{}; }) a.call.id = r.next_random();
  bool updates = false;
  if constexpr (requires { a.training.value; } && requires { &op_table<Op>::info; })
    updates = op_table<Op>::info[static_cast<std::size_t>(n)].updates != nullptr && a.training.value;
  return r.call(op_table<Op>::info[static_cast<std::size_t>(n)], operands, n, detail::box_attributes<Op>(a), updates);
}
template <class Op, class... Id>
auto record_op(region& r, const attributes_t<Op>& a, Id... operands) -> int {
  const int in[] = {operands...};
  return detail::record_op<Op>(r, in, static_cast<int>(sizeof...(Id)), a);
}

/// Records a C++ number.
auto record_number(region& r, const operator_value& v) -> int;

/// Records an op that joins any number of operands, in groups, because an op has few operands.
template <class Op>
auto record_joined(region& r, std::vector<int> all, const attributes_t<Op>& a) -> int {
  if (all.empty()) return -1;
  do {
    std::vector<int> groups;
    for (std::size_t i = 0; i < all.size(); i += most_operands)
      groups.push_back(
          detail::record_op<Op>(r, &all[i], static_cast<int>(std::min<std::size_t>(most_operands, all.size() - i)), a));
    all = std::move(groups);
  } while (all.size() > 1);
  return all[0];
}

/// Records an operator as the op of its name. Tensors become the operands in order, and the other
/// arguments become the attributes. Returns the value of the result, or -1 if that is not possible.
template <class Op>
auto translate_by_order(const operator_call& c, region& r) -> int {
  constexpr auto most = static_cast<int>(arity<Op>());
  std::array<int, most_operands> in{};
  int n = 0;
  std::size_t position = 0;
  attributes_t<Op> a{};
  std::vector<int> joined;
  constexpr int absent = -2;
  for (std::size_t k = 0; k < c.count(); ++k) {
    const operator_value& v = c.argument(k);
    if (c.takes_tensor_list(k)) {
      if constexpr (requires { &Op::concat_dim; } && requires(const dims* d) { Op::rule_of(d, 1, a); }) {
        if (!v.isTensorList()) return -1;
        for (const at::Tensor& t : v.toTensorVector()) joined.push_back(r.value_of(t));
        continue;
      } else {
        return -1;
      }
    }
    constexpr bool takes_numbers = !requires { Op::numbers_are_attributes; };
    if (c.takes_scalar(k) && !v.isNone())
      if (const auto x = attribute_value_of(v); x && assign_named(a, c.argument_name(k), *x)) {
        ++position;
        continue;
      }
    const bool is_number = takes_numbers && c.takes_scalar(k) && n < most && !v.isNone();
    if (c.takes_tensors(k) || is_number) {
      if (n == most) {
        if (v.isNone() || (v.isTensor() && !v.toTensor().defined())) continue;
        return -1;
      }
      int id = absent;
      if (is_number) id = record_number(r, v);
      else if (v.isTensor() && v.toTensor().defined()) id = r.value_of(v.toTensor());
      if (id == -1) return -1;
      in[static_cast<std::size_t>(n++)] = id;
      continue;
    }
    if (!assign_argument(a, c, k, position++)) return -1;
  }
  if constexpr (requires { &Op::concat_dim; } && requires(const dims* d) { Op::rule_of(d, 1, a); })
    if (!joined.empty()) return detail::record_joined<Op>(r, std::move(joined), a);
  while (n > 0 && in[static_cast<std::size_t>(n - 1)] == absent) --n;
  for (int k = 0; k < n; ++k) {
    int& id = in[static_cast<std::size_t>(k)];
    if (id != absent) continue;
    if constexpr (requires { Op::aten_absent; }) {
      if (k >= static_cast<int>(std::size(Op::aten_absent))) return -1;
      id = r.number(Op::aten_absent[k], number_shape<double>::value);
    } else {
      return -1;
    }
  }
  return detail::record_op<Op>(r, in.data(), n, a);
}

template <class Op>
auto translation_of() -> op_translation {
  if constexpr (requires { std::string_view(Op::aten); }) return {Op::aten, &detail::translate_by_order<Op>};
  else if constexpr (!requires { Op::name; } || detail::type_name<Op>().find("internal::") != std::string_view::npos)
    return {};
  else return {Op::name, &detail::translate_by_order<Op>};
}

}  // namespace koila::inline v0::detail
