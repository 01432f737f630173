// SPDX-License-Identifier: MIT
#pragma once
// Shared accumulators. Partial values that are summed, such as the gradients of a weight that is
// used several times, are added up in one buffer.
#include <koila/plan/scheduled_node.hpp>

#include <vector>

namespace koila::inline v0::detail {

/// Returns true if the node's kernel can add the contribution of a chunk to a buffer that another
/// node has written.
constexpr auto adds_to_partials(const graph_node& x) -> bool {
  return x.kind == node_kind::compute && x.batch_relation.kind == batch_relation::partial &&
         x.batch_relation.combine == monoid::sum && x.op->operators.accumulate != nullptr && x.op->sums == nullptr &&
         accumulator_of(x.dims.type) == x.dims.type;
}

/// Sets the accumulator of each node that shares an accumulator. Partial values share an
/// accumulator if one loop computes them and only their sum reads them. The nodes that add the
/// partial values share the accumulator, too, and their kernels are not called. Must be called
/// after the partial values have been assigned to loops.
constexpr void shared_accumulators(const builder& b, scheduled_nodes& nodes, const std::vector<int>& outputs) {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const int n = static_cast<int>(b.nodes.size());
  const auto filled = [&](int v) { return detail::filled(b.nodes.size(), v); };
  std::vector<int> readers = filled(0), loop = filled(-1), addition = filled(-1);
  for (const int o : outputs) ++readers[idx(o)];
  for (int i = 0; i < n; ++i) {
    const graph_node& x = b.node(i);
    if (!nodes[idx(i)].is_live) continue;
    for (int k = 0; k < x.operand_count; ++k)
      if (x.reads(k)) ++readers[idx(x.operands[idx(k)])];
  }
  bool found = false;
  for (int i = 0; i < n; ++i) {
    const graph_node& x = b.node(i);
    if (!nodes[idx(i)].is_live) continue;
    if (detail::adds_to_partials(x)) loop[idx(i)] = nodes[idx(i)].loop;
    if (x.kind != node_kind::compute || !x.op->is_sum || x.batch_relation.kind != batch_relation::whole) continue;
    const int a = x.operands[0], c = x.operands[1];
    const auto joins = [&](int j) {
      return loop[idx(j)] >= 0 && readers[idx(j)] == 1 && b.node(j).dims.type == x.dims.type &&
             rules::same_shape(b.node(j).dims, x.dims) == tristate::yes;
    };
    if (a == c || !joins(a) || !joins(c) || loop[idx(a)] != loop[idx(c)]) continue;
    loop[idx(i)] = loop[idx(a)];
    found = true;
  }
  if (!found) return;
  for (int i = n - 1; i >= 0; --i) {  // from the last addition of each sum to all of its operands
    const graph_node& x = b.node(i);
    if (loop[idx(i)] < 0 || !x.op->is_sum) continue;
    if (addition[idx(i)] < 0) addition[idx(i)] = i;
    addition[idx(x.operands[0])] = addition[idx(x.operands[1])] = addition[idx(i)];
  }
  std::vector<int> first = filled(-1);  // last addition -> first partial value of the sum
  for (int i = 0; i < n; ++i) {
    if (addition[idx(i)] < 0) continue;
    int& of = first[idx(addition[idx(i)])];
    if (of < 0) of = i;
    nodes[idx(i)].accumulator = of;
  }
}

}  // namespace koila::inline v0::detail
