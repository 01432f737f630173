// SPDX-License-Identifier: MIT
#pragma once
// Ratings as products of factors, with biases and weight decay in the loss (Koren et al. 2009).
#include "models/maker.hpp"

namespace models {

inline auto matrix_factorisation(dtype t) -> model {
  maker m(t);
  const dynamic user = m.classes("user", 0, 99), item = m.classes("item", 0, 59), rating = m.normal("rating", {});
  const dynamic p = m.embedding(user, 100, 12), q = m.embedding(item, 60, 12);  // (batch, 12)
  const dynamic biases = squeeze(m.embedding(user, 100, 1) + m.embedding(item, 60, 1), -1);
  const dynamic y = sum(p * q, -1) + biases;
  const dynamic decay = mean(sum(p * p + q * q, -1)) * 0.02;
  return m.finish("matrix_factorisation", y, mse_loss(y, rating) + decay);
}

}  // namespace models
