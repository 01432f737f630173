// SPDX-License-Identifier: MIT
#pragma once
// Embedding layers.
#include <koila/nn/module.hpp>
#include <koila/ops/sparse/embedding.hpp>

namespace koila::inline v0::nn {

/// Options of an embedding: `nn::embedding<50000, 64, nn::embedding_options{.padding_idx = 0}>`. A
/// dtype alone is accepted, too.
struct embedding_options {
  /// The row that starts as zeros and is not trained. A negative index counts from the end.
  index_t padding_idx = koila::detail::no_padding;
  dtype type = float32;
};

namespace detail {
constexpr auto embedding_options_of(embedding_options o) -> embedding_options { return o; }
constexpr auto embedding_options_of(dtype t) -> embedding_options { return {.type = t}; }
}  // namespace detail

/// int64 (...) -> (..., Dim): replaces each index by the row of the weight with this index. The
/// weight is initialised from the standard normal distribution. torch.nn.Embedding.
template <index_t Count, index_t Dim, auto O = embedding_options{}>
struct embedding : koila::detail::refusing_layer<struct koila::embedding,
                                                 parameter<detail::embedding_options_of(O).type, Count, Dim>> {
  static constexpr embedding_options options = detail::embedding_options_of(O);
  static constexpr bool padded = options.padding_idx != koila::detail::no_padding;
  static constexpr index_t padding = options.padding_idx + (options.padding_idx < 0 && padded ? Count : 0);
  static_assert(!padded || (padding >= 0 && padding < Count), "padding_idx is a row of the weight");
  const char* name;
  parameter<options.type, Count, Dim> weight{
      "weight", padded ? initial{initial::normal_padded, 1, static_cast<double>(padding)} : initial{initial::normal}};

  constexpr embedding() : embedding("") {}
  constexpr explicit embedding(const char* n) : name(n) {}
  auto members() const { return std::tie(weight); }
  auto members() { return std::tie(weight); }

  using embedding::refusing_layer::operator();
  template <class I>
    requires(!embedding::template refuses<I>)
  auto operator()(const I& index) const {
    if constexpr (padded)
      return koila::embedding(index, weight, koila::padding_idx = hana::integral_constant<index_t, padding>{});
    else return koila::embedding(index, weight);
  }
};

}  // namespace koila::inline v0::nn
