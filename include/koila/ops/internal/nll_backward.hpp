// SPDX-License-Identifier: MIT
#pragma once
// nll_backward: the backward pass of nll.
#include <koila/ops/loss/labels.hpp>

namespace koila::inline v0::internal {

struct nll;

/// (samples, ...) x (samples, classes, ...) x int64 (samples, ...) -> (samples, classes, ...): -dy
/// at each sample's class, else 0. Only the dims of x are read.
inline constexpr struct nll_backward : op<nll_backward> {
  static constexpr std::string_view name = "nll_backward";
  using attributes = detail::label_attributes;
  static constexpr unsigned shape_only = 0b010;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& label, const attributes&) -> verdict {
    const verdict of_each = rules::labelled(x, label, x.type);
    if (!of_each.accepted()) return of_each;
    if (rules::same_shape(dy, of_each.out) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    if (dy.type != dtype::unknown && x.type != dtype::unknown && dy.type != x.type) return reason::dtypes_differ;
    return x;
  }
  static constexpr auto flow(const value& dy, const value& x, const value& label, const dims& out, const attributes&)
      -> relations {
    relations f;
    const batch_relation& r = label.batch_relation.sampled() ? label.batch_relation : dy.batch_relation;
    if (r.sampled()) {
      f.out = flows::with_classes(r);
      f.operand[0] = f.operand[2] = {need::rows, r};
    }
    (void)x, (void)out;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims&, const dims& label, const dims& out) -> op_cost {
    return {static_cast<double>(dy.count()), static_cast<double>(dy.bytes() + label.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& label,
                       const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto&, const auto&, const auto& label,
                                 const attributes& a) {
    return gradients(detail::call<struct nll>(d, label, koila::ignore_index = a.ignore_index), no_gradient,
                     no_gradient);
  }
} nll_backward;

}  // namespace koila::inline v0::internal

#include <koila/ops/internal/nll.hpp>
