// SPDX-License-Identifier: MIT
#pragma once
// The entry of a node in a schedule.
#include <koila/graph/info_of.hpp>

#include <vector>

namespace koila::inline v0::detail {

struct scheduled_node {
  bool is_live = false;  ///< an output depends on the node
  int loop = -1;  ///< the loop that finishes the node if it is a partial value; else -1
  int level = 0;  ///< the earliest loop or section that can compute the node
  int accumulator = -1;  ///< first partial value in the node's shared accumulator, or -1; see shared_accumulators
  int parts = 1;  ///< number of partial values that are added up in the node's buffer
  int owner = -1;  ///< the node that owns this node's storage: another node for a view or a shared accumulator
};
using scheduled_nodes = std::vector<scheduled_node>;

}  // namespace koila::inline v0::detail
