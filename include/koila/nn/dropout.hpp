// SPDX-License-Identifier: MIT
#pragma once
// Dropout as a layer, which has its own training mode.
#include <koila/nn/module.hpp>
#include <koila/ops/random/dropout.hpp>

namespace koila::inline v0::nn {

/// (...) -> (...): in training, replaces each element by 0 with probability p, and divides the
/// other elements by 1 - p. In inference, returns x. torch.nn.Dropout.
struct dropout {
  double p = 0.5;
  bool training = true;
  auto operator()(const auto& x) const { return koila::dropout(x, p, koila::training = training); }
};

}  // namespace koila::inline v0::nn
