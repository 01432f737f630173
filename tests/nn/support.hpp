#pragma once
// What tests of layers share, beside torch::nn's.
#include "float32_bound.hpp"
#include "run/support.hpp"

#include <torch/nn/module.h>

namespace test {

/// Equal to float32's rounding of the largest value, or of 1 where all are smaller.
inline auto close(const at::Tensor& a, const at::Tensor& b) -> bool {
  return a.sizes() == b.sizes() &&
         (a - b).abs().max().item<double>() <= float32_bound(100) * std::max(1.0, b.abs().max().item<double>());
}

/// Moves what layers begin with (weights of ones, biases of zeros, running statistics of 0 and 1),
/// so that none stands for another.
inline void move_all(torch::nn::Module& net) {
  const at::NoGradGuard no_grad;
  for (at::Tensor& p : net.parameters())
    if (p.dim() == 1 || (p == p.max()).all().item<bool>()) p.add_(at::randn_like(p), 0.3);
  for (auto& b : net.named_buffers())
    if (b.key().ends_with("running_mean")) b.value().normal_(0, 0.3);
    else if (b.key().ends_with("running_var")) b.value().uniform_(0.5, 2);
}

}  // namespace test
