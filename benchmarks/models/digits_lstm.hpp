// SPDX-License-Identifier: MIT
#pragma once
// examples/lstm.cpp, smaller: an LSTM that reads digits row by row. Recurrent layers exist only in
// float32.
#include <koila/nn/nn.hpp>

#include "models/maker.hpp"

namespace models {

struct digits_reader {
  nn::lstm<10, 16> cells{"cells"};
  nn::linear<16, 10> head{"head"};

  auto operator()(const auto& pixels) const {
    const auto rows = reshape(pixels, koila::batch, 8_c, 10_c);
    const auto [all, h, c] = cells(transpose(rows, 0_c, 1_c));  // (8, batch, 16), (1, batch, 16), (1, batch, 16)
    return head(select(h, 0_c, 0_c));                           // (batch, 10)
  }
};

inline auto digits_lstm() -> model {
  maker m(dtype::float32);
  const digits_reader net;
  const input<koila::batch, 80> x{"x"};
  const input<int64, koila::batch> label{"label"};
  m.own(net);
  m.own(x, {80});
  m.own_classes(label, 10);
  const auto y = let(net(x));
  return m.finish("digits_lstm", y, cross_entropy(y, label));
}

}  // namespace models
