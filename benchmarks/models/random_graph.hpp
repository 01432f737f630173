#pragma once
// A graph drawn at random from a seed: values of a sample, of the whole batch, and reductions over
// it, in any order.
#include "models/maker.hpp"

namespace models {

auto random_graph(std::uint64_t seed, dtype t) -> model;

}  // namespace models
