// SPDX-License-Identifier: MIT
#pragma once
// A transformer encoder of koila's layers, which correspond to LibTorch's, with dropout. These
// layers exist only in float32.
#include <koila/nn/nn.hpp>

#include "models/maker.hpp"

namespace models {

struct encoder_network {
  nn::linear<6, 16> in{"in"};
  nn::transformer_encoder<nn::transformer_encoder_layer<16, 4, 32>, 2> encoder{"encoder"};
  nn::linear<16, 3> head{"head"};

  auto operator()(const auto& x) const { return head(mean(encoder(erased<koila::batch, 9, 16>(in(x))), 1_c)); }
};

inline auto encoder_layers() -> model {
  maker m(dtype::float32);
  const encoder_network net;
  const input<koila::batch, 9, 6> x{"x"};
  const input<koila::batch, 3> target{"target"};
  m.own(net);
  m.own(x, {9, 6});
  m.own(target, {3});
  const auto y = let(net(x));
  model out = m.finish("encoder_layers", y, mse_loss(y, target));
  out.random = true;
  return out;
}

}  // namespace models
