// SPDX-License-Identifier: MIT
#pragma once
// The entry of a node in a schedule.
#include <koila/graph/builder.hpp>

#include <vector>

namespace koila::detail {

struct scheduled_node {
  bool is_live = false;  ///< an output needs it
  int loop = -1;  ///< of a partial: the loop that finishes it
  int level = 0;  ///< the earliest loop or section that can compute it
  int accumulator = -1;  ///< the first partial of the accumulator that it shares, or -1; see shared_accumulators
  int parts = 1;  ///< number of partials added up in its buffer; more than 1 if they share it
  int owner = -1;  ///< owner of its storage: of a view, or of a shared accumulator
};
using scheduled_nodes = std::vector<scheduled_node>;

}  // namespace koila::detail
