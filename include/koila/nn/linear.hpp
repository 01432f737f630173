// SPDX-License-Identifier: MIT
#pragma once
// Linear layers.
#include <koila/nn/module.hpp>
#include <koila/ops/linalg/linear.hpp>
#include <koila/ops/pointwise/numbers.hpp>

namespace koila::inline v0::nn {

/// Placeholder for a parameter that a layer does not have.
struct nothing {
  constexpr explicit nothing(const char* = "", const initial& = {}) {}
};

namespace detail {
/// Returns a uniform initialisation between -1/sqrt(n) and 1/sqrt(n), or zeros if n is 0. All
/// parameters of recurrent layers and all biases are initialised like this. For a bias, n is the
/// fan-in of the weight, so the bias can be initialised before the layer has run.
constexpr auto uniform_by_root(index_t n) -> initial {
  if (n <= 0) return {initial::constant, 0};
  const double bound = 1 / koila::detail::square_root(static_cast<double>(n));
  return {initial::uniform, 2 * bound, -bound};
}
}  // namespace detail

namespace detail {
template <class Weight, class Bias, bool Has>
using refusing_linear = std::conditional_t<Has, koila::detail::refusing_layer<struct koila::linear, Weight, Bias>,
                                           koila::detail::refusing_layer<struct koila::linear, Weight>>;
}  // namespace detail

struct linear_options {
  bool bias = true;
  dtype type = float32;
};

/// (..., In) -> (..., Out): x * weight^T + bias. torch.nn.Linear.
template <index_t In, index_t Out, linear_options O = linear_options{}>
struct linear : detail::refusing_linear<parameter<O.type, Out, In>, parameter<O.type, Out>, O.bias> {
  const char* name;
  parameter<O.type, Out, In> weight{"weight"};
  [[no_unique_address]] std::conditional_t<O.bias, parameter<O.type, Out>, nothing> bias{"bias",
                                                                                         detail::uniform_by_root(In)};

  constexpr linear() : linear("") {}
  constexpr explicit linear(const char* n) : name(n) {}
  constexpr linear(const char* n, const initial& of_bias) : name(n), bias("bias", of_bias) {}
  auto members() const { return std::tie(weight, bias); }
  auto members() { return std::tie(weight, bias); }

  using linear::refusing_layer::operator();
  template <class X>
    requires(!linear::template refuses<X>)
  auto operator()(const X& x) const {
    if constexpr (O.bias) return koila::linear(x, weight, bias);
    else return koila::linear(x, weight);
  }
};

}  // namespace koila::inline v0::nn
