#pragma once
// Linear layers.
#include <koila/nn/module.hpp>
#include <koila/ops/linear.hpp>

namespace koila::nn {

/// For a layer without a bias.
struct nothing {
  constexpr explicit nothing(const char* = "") {}
};

struct linear_options {
  bool bias = true;
  dtype type = float32;
};

/// (..., In) -> (..., Out): x weight^T + bias. torch.nn.Linear.
template <index_t In, index_t Out, linear_options O = linear_options{}>
struct linear {
  const char* name;
  parameter<O.type, Out, In> weight{"weight"};
  [[no_unique_address]] std::conditional_t<O.bias, parameter<O.type, Out>, nothing> bias{"bias"};

  constexpr linear() : linear("") {}
  constexpr explicit linear(const char* n) : name(n) {}
  auto members() const { return std::tie(weight, bias); }
  auto members() { return std::tie(weight, bias); }

  auto operator()(const auto& x) const {
    if constexpr (O.bias) return koila::linear(x, weight, bias);
    else return koila::linear(x, weight);
  }
};

}  // namespace koila::nn
