// SPDX-License-Identifier: MIT
#pragma once
// embedding_bag: the mean, sum or maximum of the rows of each bag of indices.
#include <koila/ops/indexing/gather.hpp>
#include <koila/ops/indexing/unsqueeze.hpp>
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/ne.hpp>
#include <koila/ops/reduction/argmax.hpp>
#include <koila/ops/reduction/max.hpp>
#include <koila/ops/reduction/mean.hpp>
#include <koila/ops/reduction/sum.hpp>
#include <koila/ops/sparse/embedding.hpp>

namespace koila::inline v0 {

/// int64 (bags, k) x (n, d) -> (bags, d): the mean of the rows that each bag's indices select.
/// mode = kSum returns the sum of these rows, and mode = kMax returns the maximum of each feature.
/// With kSum, an optional third operand (bags, k) holds the weights of the rows. Indices equal to
/// padding_idx do not count. If no index of a bag counts, the bag's result is zeros.
inline constexpr struct embedding_bag : author::op<embedding_bag, 3> {
  static constexpr std::string_view name = "embedding_bag";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<choice> mode = choice::mean;
    attr<index_t> padding_idx = detail::no_padding;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, mode); }
    constexpr void write(auto& w) const { rows().write(w); }
    constexpr auto rows() const -> detail::embedding_attributes {
      detail::embedding_attributes a;
      a.padding_idx = padding_idx;
      return a;
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& index, const dims& w, const attributes& a) -> verdict {
    if (a.mode.known && a.mode.value != choice::sum && a.mode.value != choice::mean && a.mode.value != choice::max)
      return reason::not_an_expected_choice;
    if (index.ranked() && index.rank != 2) return reason::no_rule_for_these_ranks;
    const verdict v = rules::embedding(index, w, a.rows());
    return v.accepted() && v.out.ranked() ? verdict(rules::drop(v.out, 1, false)) : v;
  }
  static constexpr auto rule(const dims& index, const dims& w, const dims& weights, const attributes& a) -> verdict {
    if (a.mode.known && a.mode.value != choice::sum) return reason::not_an_expected_choice;
    if (weights.type != dtype::unknown && w.type != dtype::unknown && weights.type != w.type)
      return reason::dtypes_differ;
    if (rules::same_shape(index, weights) == detail::tristate::no) return reason::shapes_differ;
    return rule(index, w, a);
  }
  static constexpr auto expand(const auto& index, const auto& w, const attributes& a) {
    const index_t n = dims_of(w)[0].n, k = dims_of(index)[1].n, left_out = a.rows().padding(n);
    const auto rows = rows_of(index, w, a);
    if (a.mode.value == choice::sum || k == 0) return sum(rows, koila::dim = 1);
    if (left_out < 0 && a.mode.value == choice::mean) return mean(rows, koila::dim = 1);
    if (a.mode.value == choice::max)
      return internal::max_values(left_out < 0 ? rows : rows_without_padding(index, left_out, w, a), koila::dim = 1);
    const auto count = sum(ne(index, left_out), koila::dim = 1, keepdim = true);  // (bags, 1)
    return ops::div(sum(rows, koila::dim = 1),
                    detail::call_with<struct internal::to_dtype>({dims_of(w).type}, where(eq(count, 0), 1, count)));
  }
  static constexpr auto expand(const auto& index, const auto& w, const auto& weights, const attributes& a) {
    return sum(mul(rows_of(index, w, a), unsqueeze(weights, -1)), koila::dim = 1);
  }

 private:
  /// (bags, k, d): the rows of each bag, with zeros where the index is padding_idx.
  static constexpr auto rows_of(const auto& index, const auto& w, const attributes& a) {
    return embedding(index, w, koila::padding_idx = a.padding_idx, detail::zero_padding = a.rows().given());
  }
  /// (bags, k, d): the rows of each bag. Each padding index is replaced by the bag's first index
  /// that is not padding. The replacement changes neither the maximum over the other indices nor
  /// the row that the maximum comes from. If all indices of a bag are padding, the bag's rows are
  /// zeros.
  static constexpr auto rows_without_padding(const auto& index, index_t left_out, const auto& w, const attributes& a) {
    const auto counts = ne(index, left_out);  // (bags, k)
    const auto first =
        argmax(detail::call_with<struct internal::to_dtype>({dtype::int32}, counts), koila::dim = 1, keepdim = true);
    return rows_of(where(counts, index, koila::gather(index, first, koila::dim = 1)), w, a);
  }
} embedding_bag;

}  // namespace koila::inline v0
