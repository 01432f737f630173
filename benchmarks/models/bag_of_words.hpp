// SPDX-License-Identifier: MIT
#pragma once
// A text classifier on the mean of its word embeddings (Joulin et al. 2017).
#include "models/maker.hpp"

namespace models {

inline auto bag_of_words(dtype t) -> model {
  maker m(t);
  const dynamic text = m.classes("text", 0, 49, {9}), label = m.classes("label", 0, 3);
  const dynamic words = m.parameter("weight", {50, 16}, {initial::normal, 0.5});
  const dynamic y = m.linear(embedding_bag(text, words), 16, 4);
  return m.finish("bag_of_words", y, cross_entropy(y, label));
}

}  // namespace models
