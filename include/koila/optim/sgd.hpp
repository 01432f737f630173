#pragma once
// Stochastic gradient descent, with LibTorch's formula (torch/csrc/api/src/optim/sgd.cpp).
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace koila {

/// p -= lr * d, where d is the gradient plus weight_decay * p, through momentum. An aggregate: `sgd{.lr = 0.1, .momentum = 0.9}`.
struct sgd {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;

  /// What one parameter's update keeps between steps.
  struct state {
    at::Tensor momentum_buffer;
    at::Tensor factor;  // () momentum as a tensor: LibTorch would make one for each update
    bool started = false;
    auto bytes() const -> std::int64_t {
      return momentum_buffer.defined() ? static_cast<std::int64_t>(momentum_buffer.nbytes() + factor.nbytes()) : 0;
    }
  };
  /// All memory that the updates of a parameter will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Updates a parameter in place; the gradient is used up. Allocates nothing.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/empty_ops.h>
#include <ATen/ops/zeros_like_ops.h>

namespace koila {

KOILA_INLINE auto sgd::state_for(const at::Tensor& parameter) const -> state {
  if (momentum == 0) return {};
  return {at::_ops::zeros_like::call(parameter, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt),
          at::_ops::empty_memory_format::call({}, parameter.scalar_type(), std::nullopt, parameter.device(), std::nullopt,
                                              std::nullopt)};
}

KOILA_INLINE void sgd::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  if (weight_decay != 0) gradient.add_(parameter, weight_decay);
  if (momentum == 0) {
    parameter.add_(gradient, -lr);
    return;
  }
  s.factor.fill_(momentum);
  s.momentum_buffer.mul_(s.factor).add_(gradient, s.started ? 1 - dampening : 1.0);
  s.started = true;
  if (nesterov) parameter.add_(gradient.add_(s.momentum_buffer, momentum), -lr);
  else parameter.add_(s.momentum_buffer, -lr);
}

}  // namespace koila
#endif
