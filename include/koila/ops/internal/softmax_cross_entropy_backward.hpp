// SPDX-License-Identifier: MIT
#pragma once
// softmax_cross_entropy_backward: the backward pass of softmax_cross_entropy.
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/internal/mask_labels.hpp>
#include <koila/ops/internal/nll.hpp>
#include <koila/ops/internal/softmax_backward.hpp>
#include <koila/ops/loss/labels.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/reduction/softmax.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0::internal {

/// (samples) x (samples, classes) x int64 (samples) -> (samples, classes): dy * (softmax(x) -
/// one_hot(label)), or 0 where the label is ignore_index.
inline constexpr struct softmax_cross_entropy_backward : op<softmax_cross_entropy_backward, 3> {
  static constexpr std::string_view name = "softmax_cross_entropy_backward";
  using attributes = detail::label_attributes;
  static constexpr auto rule(const dims& dy, const dims& x, const dims& label, const attributes&) -> verdict {
    const verdict of_each = rules::labelled_rows(x, label);
    if (!of_each.accepted()) return of_each;
    if (rules::same_shape(dy, of_each.out) == detail::tristate::no) return reason::labels_are_not_one_per_sample;
    if (dy.type != dtype::unknown && x.type != dtype::unknown && dy.type != x.type) return reason::dtypes_differ;
    return x;
  }
  static constexpr auto flow(const value& dy, const value& x, const value& label, const dims& out, const attributes&)
      -> relations {
    if (x.batch_relation.sampled() && x.batch_relation.axis == rules::class_dim(x.dims)) {
      const value in[] = {dy, x, label};
      return flows::gather(in, 3, out);
    }
    relations f;
    const batch_relation& r = label.batch_relation.sampled() ? label.batch_relation : dy.batch_relation;
    if (!r.sampled() && !x.batch_relation.sampled()) return f;
    f.out = x.batch_relation.sampled() ? x.batch_relation : flows::with_classes(r);
    f.operand[1] = {need::rows, f.out};
    f.operand[0] = f.operand[2] = {need::rows, samples_along(0, f.out.outer, f.out.inner)};
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& dy, const dims& x, const dims& label, const dims& out) -> op_cost {
    return {5.0 * static_cast<double>(x.count()),
            static_cast<double>(dy.bytes() + x.bytes() + label.bytes() + out.bytes()), 0};
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x, const at::Tensor& label,
                       const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& x, const auto& label,
                                 const attributes& a) {
    const auto counted = [&](const auto& v) { return mask_labels(v, label, koila::ignore_index = a.ignore_index); };
    const auto probabilities = softmax(x, koila::dim = -1);
    return gradients(
        add(counted(sum(mul(d, probabilities), koila::dim = -1)), nll(d, label, koila::ignore_index = a.ignore_index)),
        mul(unsqueeze(counted(dy), -1), softmax_backward(d, probabilities, koila::dim = -1)), no_gradient);
  }
} softmax_cross_entropy_backward;

}  // namespace koila::inline v0::internal
