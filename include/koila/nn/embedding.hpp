#pragma once
// Embedding layers.
#include <koila/nn/module.hpp>
#include <koila/ops/embedding.hpp>

namespace koila::nn {

/// int64 (...) -> (..., Dim): rows of the weight, which begins normal. torch.nn.Embedding.
template <index_t Count, index_t Dim, dtype T = float32>
struct embedding {
  const char* name;
  parameter<T, Count, Dim> weight{"weight", {initial::normal}};

  constexpr embedding() : embedding("") {}
  constexpr explicit embedding(const char* n) : name(n) {}
  auto members() const { return std::tie(weight); }
  auto members() { return std::tie(weight); }

  auto operator()(const auto& index) const { return koila::embedding(index, weight); }
};

}  // namespace koila::nn
