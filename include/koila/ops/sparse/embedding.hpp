// SPDX-License-Identifier: MIT
#pragma once
// embedding: looks up rows of a matrix by index.
#include <koila/ops/internal/embedding_backward.hpp>

namespace koila::inline v0 {

/// int64 (...) x (n, d) -> (..., d): the rows of the weight that the indices select. The row
/// padding_idx gets no gradient. Throws c10::IndexError if an index is out of range.
inline constexpr struct embedding : author::op<embedding, 2> {
  static constexpr std::string_view name = "embedding";
  using attributes = detail::embedding_attributes;
  static constexpr auto rule(const dims& index, const dims& w, const attributes& a) -> verdict {
    return rules::embedding(index, w, a);
  }
  static constexpr auto flow(const value& index, const value& w, const dims& out, const attributes&) -> relations {
    if (w.batch_relation.sampled() && !index.batch_relation.sampled() &&
        w.batch_relation.axis == 1) {  // the samples lie along the features
      relations f;
      f.out = samples_along(out.rank - 1, w.batch_relation.outer, w.batch_relation.inner);
      f.operand[0].kind = need::whole;
      return f;
    }
    relations f;
    f.out = index.batch_relation.sampled() ? index.batch_relation : batch_relation{};
    f.operand[1].kind = need::whole;
    return f;
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost(const dims& index, const dims&, const dims& out) -> op_cost {
    return {0, static_cast<double>(index.bytes() + 2 * out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor& index, const at::Tensor& w, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& index, const auto& w, const attributes& a) {
    return gradients(no_gradient, internal::embedding_backward(dy, index, w, koila::padding_idx = a.padding_idx));
  }
} embedding;

}  // namespace koila::inline v0
