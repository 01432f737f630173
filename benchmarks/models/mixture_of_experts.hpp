// SPDX-License-Identifier: MIT
#pragma once
// Experts weighted by a gate, and a loss that balances the experts over the batch (Shazeer et al.
// 2017).
#include "models/maker.hpp"

namespace models {

inline auto mixture_of_experts(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {20}), target = m.normal("target", {5});
  const dynamic gate = softmax(m.linear(x, 20, 4), -1);  // (batch, 4)
  std::vector<dynamic> experts;
  for (int i = 0; i < 4; ++i) experts.push_back(m.linear(relu(m.linear(x, 20, 24)), 24, 5));
  const dynamic each = stack(experts, dim = 1);  // (batch, 4, 5)
  const dynamic y = squeeze(matmul(unsqueeze(gate, 1), each), 1);
  const dynamic load = mean(gate, 0);  // (4), over the whole batch
  return m.finish("mixture_of_experts", y, mse_loss(y, target) + sum(load * load));
}

}  // namespace models
