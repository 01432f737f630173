#pragma once
// clamp: x, but between two bounds.
#include <koila/ops/ge.hpp>
#include <koila/ops/gt.hpp>
#include <koila/ops/le.hpp>
#include <koila/ops/lt.hpp>
#include <koila/ops/where.hpp>

namespace koila {

/// (...) x (...) x (...) -> (...), broadcast: x, but at least `lo` and at most `hi`, which are numbers or values; `hi` where `lo`
/// is larger. With one bound: clamp_min, clamp_max. Not of booleans.
inline constexpr struct clamp : ternary<clamp> {
  static constexpr std::string_view name = "clamp";
  static constexpr auto rule(const dims& x, const dims& lo, const dims& hi) -> verdict {
    const verdict v = ternary<clamp>::rule(x, lo, hi);
    return v.out.type == dtype::boolean ? verdict(why::no_rule_for_booleans) : v;
  }
  static constexpr auto cost(const dims& x, const dims& lo, const dims& hi, const dims& out) -> work {
    work w = ternary<clamp>::cost(x, lo, hi, out);
    if (lo.number && hi.number) w.workspace = detail::converted(x, out.type);  // no tensors to the kernel
    return w;
  }
  static void evaluate(out y, const at::Tensor& x, const at::Tensor& lo, const at::Tensor& hi);
  /// As LibTorch has it: where `lo` is not below `hi` it has none.
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& lo, const auto& hi) {
    const auto within = where(ge(x, lo), where(le(x, hi), dy, 0), 0);
    const auto below = where(lt(lo, hi), where(lt(x, lo), dy, 0), 0);
    const auto above = where(lt(hi, lo), dy, where(gt(x, hi), dy, 0));
    return gradients(sum_to(within, x), sum_to(below, lo), sum_to(above, hi));
  }
} clamp;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/clamp_ops.h>

namespace koila {

KOILA_INLINE void clamp::evaluate(out y, const at::Tensor& x, const at::Tensor& lo, const at::Tensor& hi) {
  const auto number = [](const at::Tensor& t) { return t.unsafeGetTensorImpl()->is_wrapped_number(); };
  if (number(lo) && number(hi)) at::_ops::clamp_out::call(x, lo.item(), hi.item(), y);
  else at::_ops::clamp_Tensor_out::call(x, lo, hi, y);
}

}  // namespace koila
#endif
