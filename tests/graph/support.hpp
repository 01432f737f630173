#pragma once
// Questions about graphs that constant expressions can ask.
#include "pch.hpp"

namespace test {

using namespace koila;

/// An expression lowered, with gradients or without, for a batch of so many samples.
constexpr auto lowered(const auto& e, index_t samples = 8, bool gradients = false) -> lowered_expression {
  bindings bound;
  bound.axes.push_back({axis_name<struct koila::batch>, samples});
  return lower_expression(e, std::move(bound), gradients);
}

/// What computing some nodes needs, in loops as the schedule has them.
constexpr auto needed(const builder& b, std::vector<int> outputs) -> schedule {
  return {b, std::move(outputs), holding::nothing};
}
constexpr auto needed(const lowered_expression& l) -> schedule {
  std::vector<int> outputs{l.value};
  for (const int g : l.gradients)
    if (g >= 0) outputs.push_back(g);
  return needed(l.graph, std::move(outputs));
}

/// How many nodes of a name are needed; without a name, how many at all.
constexpr auto count(const lowered_expression& l, std::string_view name = "") -> int {
  const schedule s = needed(l);
  int n = 0;
  for (std::size_t i = 0; i < l.graph.nodes.size(); ++i)
    n += s.live[i] != 0 && (name.empty() || l.graph.nodes[i].name() == name) ? 1 : 0;
  return n;
}
constexpr auto count(const Expression auto& e, std::string_view name) -> int { return count(lowered(e), name); }
constexpr auto nodes(const Expression auto& e) -> int { return count(lowered(e)); }
constexpr auto relation_of(const auto& e) -> relation {
  const lowered_expression l = lowered(e);
  return l.graph.at(l.value).r;
}
constexpr auto dims_at_8(const auto& e) -> dims {
  const lowered_expression l = lowered(e);
  return l.graph.at(l.value).d;
}
constexpr auto loops(const auto& e, bool gradients = false) -> int {
  lowered_expression l = lowered(e, 8, gradients);
  l.value = l.graph.whole(l.value);
  for (int& g : l.gradients)
    if (g >= 0) g = l.graph.whole(g);
  return needed(l).loops;
}

}  // namespace test
