// SPDX-License-Identifier: MIT
#pragma once
// A random graph drawn from a seed: values per sample, values of the whole batch, and reductions
// over it, in any order.
#include "models/maker.hpp"

namespace models {

auto random_graph(std::uint64_t seed, dtype t) -> model;

}  // namespace models
