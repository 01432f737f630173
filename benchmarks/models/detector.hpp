// SPDX-License-Identifier: MIT
#pragma once
// One network that predicts boxes and classes (Redmon et al. 2016). The loss of the box coordinates
// counts only positions that have a box.
#include "models/maker.hpp"

namespace models {

inline auto detector(dtype t) -> model {
  maker m(t);
  const dynamic x = m.normal("x", {3, 12, 12}), box = m.uniform("box", {4, 3, 3}),
                there = m.classes("there", 0, 1, {3, 3}), kind = m.classes("kind", 0, 3, {3, 3}, -100);
  const dynamic h =
      relu(m.conv2d(relu(m.conv2d(x, 3, 8, 3, {.stride = 2, .padding = 1})), 8, 12, 3, {.stride = 2, .padding = 1}));
  const dynamic y = m.conv2d(h, 12, 9, 1);  // (batch, 9, 3, 3)
  const dynamic score = select(y, 1, 0), mask = unsqueeze(ne(there, 0), 1);
  const dynamic difference = where(mask, square(sigmoid(narrow(y, 1, 1, 4)) - box), 0);
  const dynamic boxes = sum(difference) / (sum(there) + 1);  // over the boxes of the whole batch
  const dynamic object = binary_cross_entropy_with_logits(score, where(ne(there, 0), 1.0, 0.0) * ones_like(score));
  return m.finish("detector", y, boxes + object + cross_entropy(narrow(y, 1, 5, 4), kind));
}

}  // namespace models
