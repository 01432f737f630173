// SPDX-License-Identifier: MIT
#pragma once
// Helpers shared by the tests of layers. Includes torch::nn's layers.
#include "float32_bound.hpp"
#include "run/support.hpp"

#include <torch/nn/module.h>

namespace test {

/// Returns true if a and b agree up to float32 rounding, relative to the largest magnitude of b (at
/// least 1).
inline auto close(const at::Tensor& a, const at::Tensor& b) -> bool {
  return a.sizes() == b.sizes() &&
         (a - b).abs().max().item<double>() <= float32_bound(100) * std::max(1.0, b.abs().max().item<double>());
}

/// Changes the initial values of layers (weights of one, biases of zero, running statistics of 0
/// and 1), so that a test notices exchanged tensors.
inline void move_all(torch::nn::Module& net) {
  const at::NoGradGuard no_grad;
  for (at::Tensor& p : net.parameters())
    if (p.dim() == 1 || (p == p.max()).all().item<bool>()) p.add_(at::randn_like(p), 0.3);
  for (auto& b : net.named_buffers())
    if (b.key().ends_with("running_mean")) b.value().normal_(0, 0.3);
    else if (b.key().ends_with("running_var")) b.value().uniform_(0.5, 2);
}

}  // namespace test
