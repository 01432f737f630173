// SPDX-License-Identifier: MIT
#pragma once
// Queries about graphs, for use in constant expressions.
#include "pch.hpp"

namespace test {

using namespace koila;
using namespace koila::detail;

/// Lowers an expression, with or without its gradients, for a batch of `samples` samples.
constexpr auto lowered(const auto& e, index_t samples = 8, bool gradients = false) -> lowered_expression {
  bindings bound;
  bound.axes.push_back({axis_name<struct koila::batch>, samples});
  return lower_expression(e, std::move(bound), gradients);
}

/// Returns the schedule of all nodes that the outputs need.
constexpr auto needed(const builder& b, std::vector<int> outputs) -> schedule { return {b, std::move(outputs)}; }
constexpr auto needed(const lowered_expression& l) -> schedule {
  std::vector<int> outputs{l.value};
  for (const int g : l.gradients)
    if (g >= 0) outputs.push_back(g);
  return needed(l.graph, std::move(outputs));
}

/// Returns the schedule of all needed nodes if every value that can be kept between loops is kept.
constexpr auto holding_everything(const builder& b, std::vector<int> outputs) -> schedule {
  const schedule nothing = needed(b, std::move(outputs));
  return {nothing, b, nothing.everything()};
}

/// Returns true if every operand is available when a node reads it. An operand is available if it
/// is an input, was computed earlier in the same loop, was kept from an earlier loop, or was
/// finished before the loop.
constexpr auto in_order(const builder& b, const schedule& s) -> bool {
  std::vector<char> done;  // whole values and finished partial sums
  for (const graph_node& n : b.nodes) done.push_back(n.kind == node_kind::leaf || n.kind == node_kind::number ? 1 : 0);
  std::vector<char> once = done;
  const auto reads_what_is_there = [&](int i, const std::vector<char>& there) {
    for (int j = 0; j < b.node(i).operand_count; ++j)
      if (b.node(i).reads(j) && there[static_cast<std::size_t>(b.node(i).operands[static_cast<std::size_t>(j)])] == 0)
        return false;
    return true;
  };
  for (int k = 0; k <= s.loops; ++k) {
    for (const int i : s.section[static_cast<std::size_t>(k)]) {
      if (!reads_what_is_there(i, done)) return false;
      done[static_cast<std::size_t>(i)] = 1;
    }
    if (k == s.loops) break;
    const auto& loop = s.loop_of[static_cast<std::size_t>(k)];
    std::vector<char> here = done;
    for (const auto& [node, from] : loop.source) {
      if (from != node && done[static_cast<std::size_t>(from)] == 0) return false;
      here[static_cast<std::size_t>(node)] = 1;
    }
    for (const int i : loop.body) {
      if (!reads_what_is_there(i, here)) return false;
      if (b.node(i).batch_relation.sampled()) {
        here[static_cast<std::size_t>(i)] = 1;
        continue;
      }
      if (once[static_cast<std::size_t>(i)]++ != 0 || s.nodes[static_cast<std::size_t>(i)].loop != k)
        return false;  // each partial sum is finished once
    }
    for (const int i : loop.body)
      if (!b.node(i).batch_relation.sampled()) done[static_cast<std::size_t>(i)] = 1;
    // Additions that share an accumulator have no kernel call. They are done when their operands
    // are done.
    for (std::size_t i = 0; i < b.nodes.size(); ++i)
      if (s.nodes[i].accumulator >= 0 && s.nodes[i].is_live && reads_what_is_there(static_cast<int>(i), done))
        done[i] = 1;
  }
  for (const int o : s.outputs)
    if (done[static_cast<std::size_t>(o)] == 0) return false;
  return true;
}

/// Counts the needed nodes of this name, or all needed nodes if there is no name.
constexpr auto count(const lowered_expression& l, std::string_view name = "") -> int {
  const schedule s = needed(l);
  int n = 0;
  for (std::size_t i = 0; i < l.graph.nodes.size(); ++i)
    n += s.nodes[i].is_live && (name.empty() || l.graph.nodes[i].name() == name) ? 1 : 0;
  return n;
}
constexpr auto count(const Expression auto& e, std::string_view name) -> int { return count(lowered(e), name); }
constexpr auto nodes(const Expression auto& e) -> int { return count(lowered(e)); }
constexpr auto relation_of(const auto& e) -> batch_relation {
  const lowered_expression l = lowered(e);
  return l.graph.node(l.value).batch_relation;
}
constexpr auto dims_at_8(const auto& e) -> dims {
  const lowered_expression l = lowered(e);
  return l.graph.node(l.value).dims;
}
constexpr auto loops(const auto& e, bool gradients = false) -> int {
  lowered_expression l = lowered(e, 8, gradients);
  l.value = l.graph.whole(l.value);
  for (int& g : l.gradients)
    if (g >= 0) g = l.graph.whole(g);
  return needed(l).loops;
}

}  // namespace test
