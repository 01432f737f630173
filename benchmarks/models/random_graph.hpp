// SPDX-License-Identifier: MIT
#pragma once
// A random graph drawn from a seed. It mixes per-sample values, values of the whole batch, and
// reductions over the batch.
#include "models/maker.hpp"

namespace models {

auto random_graph(std::uint64_t seed, dtype t) -> model;

}  // namespace models
