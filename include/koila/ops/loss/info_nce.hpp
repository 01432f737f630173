// SPDX-License-Identifier: MIT
#pragma once
// info_nce: a contrastive loss in which each query should find its own key among all keys of the
// batch.
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/internal/sample_index.hpp>
#include <koila/ops/linalg/matmul.hpp>
#include <koila/ops/loss/cross_entropy.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

/// (samples, n) x (samples, n) -> (), or (samples) with kNone: for each query, the cross entropy of
/// the logits (query . key) / temperature over the keys of all samples. The correct class is the
/// query's own key. The op needs the keys of the whole batch, but each chunk computes only the
/// logits of its own queries. So the logits of all pairs are never in memory at once, and neither
/// are the encoders' activations of all samples. The op does not normalise queries and keys;
/// normalise them first.
inline constexpr struct info_nce : author::op<info_nce, 2> {
  static constexpr std::string_view name = "info_nce";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<double> temperature = 1;
    attr<choice> reduction = choice::mean;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, temperature); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& query, const dims& key, const attributes& a) -> verdict {
    if ((query.ranked() && query.rank != 2) || (key.ranked() && key.rank != 2)) return reason::no_rule_for_these_ranks;
    if (query.type != dtype::unknown && key.type != dtype::unknown && query.type != key.type)
      return reason::dtypes_differ;
    const verdict both = rules::equal_dims(query, key);
    return rules::reduced(both.accepted() && both.out.ranked() ? rules::drop(both.out, 1, false) : both, a.reduction);
  }
  static constexpr auto expand(const auto& query, const auto& key, const attributes& a) {
    const auto logits = mul(matmul(query, transpose(key, 0_c, 1_c)), 1 / a.temperature.value);  // (samples, samples)
    return cross_entropy(logits, internal::sample_index(query), koila::reduction = a.reduction);
  }
} info_nce;

}  // namespace koila::inline v0
