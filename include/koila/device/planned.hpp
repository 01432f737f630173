// SPDX-License-Identifier: MIT
#pragma once
// The memory that a plan takes from a device's allocator, which rounds sizes.
#include <koila/device/allocator.hpp>
#include <koila/plan/plan.hpp>

namespace koila::inline v0::device {

/// Returns the sizes, in bytes, of the tensors that a program with this plan allocates and keeps,
/// in the order of allocation: the arena, and then the outputs.
constexpr auto tensors_of(const memory_plan& p) -> std::vector<index_t> {
  std::vector<index_t> out{p.arena_bytes};
  for (std::size_t i = 0; i < p.external.size(); ++i)
    if (p.external[i] != 0) out.push_back(p.graph.nodes[i].dims.bytes());
  for (std::size_t k = 0; k < p.copied.size(); ++k)
    if (p.copied[k] != 0) out.push_back(p.graph.node(p.outputs[k]).dims.bytes());
  return out;
}

/// Returns the maximum bytes that a plan takes from an empty allocator: its tensors and its
/// workspace, each rounded up to whole blocks.
constexpr auto taken_by(const memory_plan& p, const caching_rules& rules) -> taken {
  std::vector<index_t> all = tensors_of(p);
  all.push_back(p.buffers.workspace());
  return taken_by(all, rules);
}

}  // namespace koila::inline v0::device
