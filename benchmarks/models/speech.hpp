// SPDX-License-Identifier: MIT
#pragma once
// Convolutions, a GRU and connectionist temporal classification (Graves et al. 2006).
#include "models/maker.hpp"

namespace models {

inline auto speech(dtype t) -> model {
  maker m(t);
  const dynamic sound = m.normal("sound", {5, 16}), words = m.classes("words", 1, 5, {3}),
                lengths = m.classes("lengths", 1, 3);
  const dynamic h = relu(m.conv1d(sound, 5, 10, 3, {.stride = 2, .padding = 1}));  // (batch, 10, 8)
  const dynamic states = m.gru(permute(h, 2, 0, 1), 10, 12);                       // (8, batch, 12)
  const dynamic y = log_softmax(m.linear(states, 12, 6), -1);                      // (8, batch, 6)
  const dynamic all = full_like(lengths, 8);
  return m.finish("speech", y, ctc_loss(y, words, all, lengths));
}

}  // namespace models
