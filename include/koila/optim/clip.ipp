// SPDX-License-Identifier: MIT
// Definitions of clip.hpp.
#include <koila/kernels/updates.hpp>
#include <koila/optim/clip.hpp>
#include <koila/optim/update.ipp>

#include <cmath>

namespace koila::inline v0::detail {

auto clip_norm(std::span<const at::Tensor> gradients, double max_norm) -> double {
  double squares = 0;
  for (const at::Tensor& g : gradients) squares += kernels::sum_of_squares.for_device(g.device())(g);
  const double norm = std::sqrt(squares), scale = max_norm / (norm + 1e-6);  // 1e-6 as in LibTorch
  if (scale >= 1) return norm;  // a NaN norm makes all gradients NaN, as in LibTorch
  for (const at::Tensor& g : gradients) kernels::scale.for_device(g.device())(g, scale);
  return norm;
}

void clip_value(std::span<const at::Tensor> gradients, double limit) {
  for (const at::Tensor& g : gradients) kernels::clamp.for_device(g.device())(g, limit);
}

}  // namespace koila::inline v0::detail
