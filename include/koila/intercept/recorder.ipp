// SPDX-License-Identifier: MIT
// Records the operators that LibTorch calls on intercepted tensors.
#include <koila/intercept/region.hpp>
#include <koila/intercept/running_statistics.ipp>
#include <koila/intercept/spellings.hpp>
#include <koila/intercept/translation.hpp>
#include <koila/run/tensor.hpp>
#include <koila/torch/recorder.hpp>

#include <cstdio>
#include <set>
#include <unordered_set>

namespace koila::inline v0::detail {

/// Returns the operator's name without its namespace, such as "relu_".
inline auto short_name(const operator_call& c) -> std::string_view {
  const std::string_view all = c.name();
  return all.starts_with("aten::") ? all.substr(6) : all;
}

/// The translations of an operator, in the order in which they are tried.
struct translations {
  std::vector<translate_function> ops;
  spelling_function spelling = nullptr;  ///< tried before the ops
};
inline auto translations_for(std::string_view aten) -> const translations* {
  static const auto& all = *[] {
    auto* const table = new std::unordered_map<std::string_view, translations>;
    for (const op_translation& t : op_translations())
      for (std::size_t from = 0; from < t.aten.size();) {
        const std::size_t end = std::min(t.aten.find(' ', from), t.aten.size());
        (*table)[t.aten.substr(from, end - from)].ops.push_back(t.translate);
        from = end + 1;
      }
    for (const spelling& s : spellings()) (*table)[s.aten].spelling = s.record;
    return table;
  }();
  const auto found = all.find(aten);
  return found == all.end() ? nullptr : &found->second;
}

/// True for operators that read sizes and dtypes of their operands, but no elements.
inline auto reads_only_metadata(std::string_view aten) -> bool {
  static const std::unordered_set<std::string_view> all{
      "is_same_size",  "size",      "stride",       "dim",        "is_floating_point",
      "is_complex",    "is_signed", "result_type",  "sym_size",   "sym_numel",
      "numel",         "can_cast",  "is_inference", "sym_stride", "_has_compatible_shallow_copy_type",
      "new_empty",     "new_zeros", "new_ones",     "new_full",   "sym_storage_offset",
      "storage_offset"};
  return all.contains(aten);
}

/// True for operators in place, without the underscore, that change no element.
inline auto changes_only_metadata(std::string_view aten) -> bool {
  static const std::unordered_set<std::string_view> all{"detach", "requires_grad", "squeeze", "unsqueeze", "transpose",
                                                        "t",      "swapdims",      "swapaxes"};
  return all.contains(aten);
}

[[noreturn]] inline void refuse_views() {
  throw usage_error(
      "koila: intercept: an operator in place would change another tensor that the program holds, a view of "
      "the same memory: clone() one of them");
}

/// Throws usage_error if an operator writes to a tensor of which the program holds a view, and the
/// view would not change with it.
inline void require_no_views(const operator_call& c, std::string_view aten) {
  if (changes_only_metadata(aten.substr(0, aten.size() - (aten.ends_with('_') ? 1 : 0)))) return;
  for (std::size_t k = 0; k < c.count(); ++k) {
    if (!c.writes(k) || !c.argument(k).isTensor()) continue;
    const at::Tensor t = c.argument(k).toTensor();
    const lazy_tensor* const l = as_lazy_tensor(t);
    if (l != nullptr && l->source() && std::static_pointer_cast<region>(l->source())->has_separate_view(t))
      refuse_views();
  }
}

/// Calls an operator on the whole batch, because koila cannot record it. Says so once for each
/// operator.
inline void compute_now(operator_call& c, region& r, bool is_expected) {
  if (!is_expected && r.settings().strict)
    throw usage_error("koila: intercept: " + c.name() +
                      " is not known to koila, and intercept was called with strict = true");
  if (!is_expected) {
    static std::mutex telling;
    static std::set<std::string> told;
    const std::lock_guard lock(telling);
    if (told.insert(c.name()).second)
      std::fprintf(stderr, "koila: intercept: %s is computed for the whole batch at once\n", c.name().c_str());
  }
  c.each_tensor([](const at::Tensor& t) {
    if (const lazy_tensor* const l = as_lazy_tensor(t)) l->require_value();
    else if (is_intercepted(t)) update_now(t);
  });
  // The operator saves its operands for the gradient. Operators on intercepted tensors would be
  // recorded then, too.
  c.replace_operands(
      [](const at::Tensor& t) { return as_lazy_tensor(t) != nullptr ? ordinary_alias_with_history(t) : t; });
  const bool may_wrap = !c.returns_view() && !c.writes_any();
  c.compute();
  if (!may_wrap) return;
  // The result may be large, so operators on it are recorded again.
  c.each_result([&](at::Tensor& t) {
    if (is_intercepted(t) || t.dim() == 0 || (t.is_leaf() && t.requires_grad()) || !is_plain(t)) return;
    int batch_dim = -1;
    for (std::int64_t d = t.dim(); d-- > 0;)
      if (t.size(d) == r.batch()) batch_dim = static_cast<int>(d);
    if (batch_dim >= 0) t = lazy_tensor::over(r.shared_from_this(), t, batch_dim);
  });
}

/// Finds the region that records a call. Values of other regions are computed. Returns null if no
/// operand was made by `intercept` or by an operator on such a tensor.
inline auto region_for(const operator_call& c) -> std::shared_ptr<region> {
  std::shared_ptr<region> lazy, resident;
  // The gradient of a computed value passes through autograd if a hook waits for it. So operators
  // on this value belong to another region than the value.
  c.each_tensor([](const at::Tensor& t) {
    const lazy_tensor* const l = as_lazy_tensor(t);
    if (l == nullptr || !l->source() || l->is_lazy() || l->value() < 0 || !t.requires_grad() || !has_hooks(t)) return;
    std::static_pointer_cast<region>(l->source())->close();
  });
  c.each_tensor([&](const at::Tensor& t) {
    const lazy_tensor* const l = as_lazy_tensor(t);
    if (l == nullptr || !l->source()) return;
    auto r = std::static_pointer_cast<region>(l->source());
    if (!l->is_lazy()) {
      if (!resident) resident = std::move(r);
      return;
    }
    const bool joins = !r->is_closed() && (!lazy || lazy == r) && r->has_own_history(t, l->value());
    if (joins) lazy = std::move(r);
    else l->require_value();
  });
  if (lazy && !lazy->is_closed()) return lazy;
  if (lazy || resident) return (lazy ? lazy : resident)->open();
  return nullptr;
}

/// Replaces a range of a value by new elements. Returns the new value, or -1.
inline auto replace_part(region& r, int whole, int part, int view) -> int {
  const recorded_value& v = r.recorded(view);
  if (v.op == nullptr || v.op->slice_of == nullptr || v.operands[0] != whole) return -1;
  const dims all = r.dims_of_value(whole);
  const dim_part where = v.op->slice_of(all, v.attributes.get());
  if (where.length < 0 || r.dims_of_value(part).type != all.type) return -1;
  const auto narrowed = [&](index_t start, index_t length) {
    attributes_t<struct narrow> a;
    a.dim = where.dim;
    a.start = start;
    a.length = length;
    return record_op<struct narrow>(r, a, whole);
  };
  if (where.drops) {
    attributes_t<struct unsqueeze> a;
    detail::assign_at(0, attr<index_t>(where.dim), a.dim);
    part = record_op<struct unsqueeze>(r, a, part);
  }
  std::vector<int> parts;
  const index_t n = all.e[where.dim].n, end = where.start + where.length;
  if (where.start > 0) parts.push_back(narrowed(0, where.start));
  parts.push_back(part);
  if (end < n) parts.push_back(narrowed(end, n - end));
  attributes_t<struct cat> a;
  a.dim = where.dim;
  return parts.size() == 1 ? parts[0] : record_joined<struct cat>(r, std::move(parts), a);
}

/// The values before and after an operator in place.
using changed_values = std::vector<std::pair<int, int>>;

/// Records the view `v` of a value that has changed. Returns the new value, or -1.
inline auto view_again(region& r, int v, const changed_values& changed) -> int {
  for (const auto& [before, after] : changed)
    if (before == v) return after;
  const recorded_value x = r.recorded(v);  // a copy, because values move when others are recorded
  if (x.view_of < 0 || x.op == nullptr || x.operand_count != 1) return -1;
  const int of_value = view_again(r, x.operands[0], changed);
  return of_value < 0 ? -1 : r.call(*x.op, &of_value, 1, x.attributes);
}

/// Lets a lazy tensor, and all tensors that show the same memory, stand for new values after an
/// operator in place. Returns false if that is not possible. Throws usage_error if the operator
/// would change another tensor in a way that koila does not record.
inline auto write_through(region& r, const at::Tensor& self, int value) -> bool {
  const int old = as_lazy_tensor(self)->value();
  if (!same_extents(r.dims_of_value(old), r.dims_of_value(value)) ||
      r.dims_of_value(old).type != r.dims_of_value(value).type)
    return false;
  changed_values changed{{old, value}};
  int memory = value;  // the new value of all that has changed
  for (int view = old; r.view_of(view) >= 0; view = r.view_of(view)) {
    const int whole = replace_part(r, r.view_of(view), memory, view);
    if (whole < 0) break;
    memory = whole;
    changed.emplace_back(r.view_of(view), whole);
  }
  for (const int held : r.held_aliases(old)) {
    const bool is_known = std::any_of(changed.begin(), changed.end(), [&](const auto& c) { return c.first == held; });
    if (is_known) continue;
    const int again = view_again(r, held, changed);
    if (again < 0) refuse_views();
    changed.emplace_back(held, again);
  }
  for (const auto& [before, after] : changed) {
    if (after != memory) r.set_view(after, memory);
    for (const at::Tensor& t : r.lazy_tensors(before)) r.assign(t, after);
  }
  return true;
}

/// Records an operator, and replaces its arguments by the results. Returns false if that is not
/// possible.
inline auto record_call(operator_call& c, region& r, std::string_view aten) -> bool {
  const translations* const known = translations_for(aten);
  if (known == nullptr) return false;
  const region::mark before = r.here();
  call_results results;
  const auto try_to_record = [&](const auto& record_it) {
    r.rewind(before);
    try {
      return record_it();
    } catch (const usage_error&) {  // an argument has a value that the op's attribute cannot have
      return false;
    }
  };
  bool done = known->spelling != nullptr && try_to_record([&] { return known->spelling(c, r, results); });
  for (std::size_t k = 0; k < known->ops.size() && !done && !r.is_closed(); ++k)
    done = try_to_record([&] {
      const int v = known->ops[k](c, r);
      results = {{{v}}, false};
      return v >= 0;
    });
  if (!done || r.is_closed() || (!results.is_operand && results.values.size() != c.result_count())) {
    r.rewind(before);
    return false;
  }
  if (results.is_operand) {
    c.finish({operator_value(c.argument(0).toTensor())});
    return true;
  }
  if (c.writes_any()) {
    const at::Tensor self = c.argument(0).toTensor();
    if (changes_only_metadata(aten)) {
      if (!same_extents(r.dims_of_value(as_lazy_tensor(self)->value()), r.dims_of_value(results.values[0][0])))
        return false;
      r.assign(self, results.values[0][0]);
    } else if (!write_through(r, self, results.values[0][0])) {
      return false;
    }
    c.finish({operator_value(self)});
    return true;
  }
  const lazy_tensor* const first =
      c.count() > 0 && c.argument(0).isTensor() ? as_lazy_tensor(c.argument(0).toTensor()) : nullptr;
  const int base = c.returns_view() && first != nullptr ? r.value_of(c.argument(0).toTensor()) : -1;
  std::vector<operator_value> out;
  for (std::size_t k = 0; k < c.result_count(); ++k) {
    std::vector<at::Tensor> tensors;
    for (const int v : results.values[k]) {
      if (base >= 0 && v != base) r.set_view(v, base);
      tensors.push_back(r.tensor_for(v));
    }
    if (c.returns_list(k)) out.emplace_back(std::move(tensors));
    else out.emplace_back(std::move(tensors[0]));
  }
  c.finish(std::move(out));
  return true;
}

/// Returns true for a normalisation that changes its running statistics and does not read them.
inline auto trains(const operator_call& c) -> bool {
  for (std::size_t k = 0; k < c.count(); ++k)
    if (c.argument_name(k) == "training" || c.argument_name(k) == "use_input_stats")
      return c.argument(k).isBool() && c.argument(k).toBool();
  return false;
}

/// Decides what happens to an operator on intercepted tensors.
inline void record(operator_call& c) {
  if (c.autocast()) return;
  const std::shared_ptr<region> r = region_for(c);
  if (!r) {
    c.each_tensor([](const at::Tensor& t) {
      if (!is_intercepted(t)) return;
      update_now(t);
      if (as_lazy_tensor(t) == nullptr)
        set_intercepted(t, false);  // a view that LibTorch made of an intercepted tensor
    });
    return c.compute();
  }
  std::string_view aten = short_name(c);
  if (reads_only_metadata(aten)) return c.compute();
  // Tensor::backward makes the gradient of a loss in this way.
  const bool is_like = aten.ends_with("_like");
  if (aten == "ones_like" && c.argument(0).isTensor() && c.argument(0).toTensor().dim() == 0) return c.compute();
  {
    const std::lock_guard lock(r->mutex());
    const struct recorded_call {
      region& its;
      explicit recorded_call(region& r) : its(r) { its.begin_call(); }
      ~recorded_call() { its.end_call(); }
    } until_the_end(*r);
    if (!c.returns_tensors() || c.has_sizes_of_values()) {
      if (answer_now(c, aten)) return;
      return compute_now(c, *r, true);
    }
    if (c.writes_any()) {
      int writes = 0;
      for (std::size_t k = 0; k < c.count(); ++k) writes += c.writes(k) ? 1 : 0;
      const lazy_tensor* const self =
          c.writes(0) && c.argument(0).isTensor() ? as_lazy_tensor(c.argument(0).toTensor()) : nullptr;
      if (self == nullptr || !self->is_lazy() || writes != 1) {
        require_no_views(c, aten);
        if (self != nullptr) r->compute_all();  // values that read the tensor as it is now
        return compute_now(c, *r, true);
      }
      if (aten.ends_with('_')) aten.remove_suffix(1);
    }
    if (!trains(c))
      c.each_tensor([](const at::Tensor& t) {
        if (is_intercepted(t) && as_lazy_tensor(t) == nullptr) update_now(t);
      });
    if (record_call(c, *r, aten)) return;
  }
  if (r->is_closed()) return record(c);  // the next region records the call
  if (is_like) return c.compute();  // reads only sizes and dtype
  if (!c.writes_any() && !stays_whole(aten) && c.decompose()) return;
  compute_now(c, *r, false);
}

}  // namespace koila::inline v0::detail
