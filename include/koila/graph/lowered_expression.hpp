// SPDX-License-Identifier: MIT
#pragma once
// The graph of an expression and of its gradients.
#include <koila/graph/gradient.hpp>
#include <koila/graph/lower.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace koila::inline v0::detail {

/// The graph of an expression: its value and, if asked for, the gradients of its parameters.
struct lowered_expression {
  builder graph;
  int value = -1;
  std::vector<int> parameters, gradients;  ///< nodes; a gradient is -1 if the value does not depend on the parameter
  std::vector<int> more;  ///< the nodes of further values
};

/// Throws shape_error if a bound input does not occur in the expression as the user wrote it.
constexpr void require_bound_inputs(const builder& b) {
  for (const auto& bound : b.bound.leaves)
    if (b.lowered(bound.leaf) < 0) refuse(bound.leaf->name, reason::not_in_the_expression, &bound.dims, 1);
}

/// Returns true if one of the nodes is marked.
constexpr auto reaches_any(const std::vector<char>& marked, const std::vector<int>& nodes) -> bool {
  for (const int n : nodes)
    if (n < static_cast<int>(marked.size()) && marked[static_cast<std::size_t>(n)] != 0) return true;
  return false;
}

/// Lowers an expression by calling `into`, and adds the gradients of the parameters for which
/// `trained` returns true. If `with_gradients` is not given, gradients are added if the value is a
/// loss: a floating-point scalar from which a gradient flows to such a parameter.
template <class Lower, class Trained>
constexpr auto lower_with(const Lower& into, bindings bound, std::optional<bool> with_gradients, const Trained& trained)
    -> lowered_expression {
  lowered_expression out{builder(std::move(bound)), -1, {}, {}, {}};
  out.value = into(out.graph);
  require_bound_inputs(out.graph);
  if (!with_gradients.value_or(refusal_of_loss(out.graph.node(out.value).dims) == reason::accepted)) return out;
  for (std::size_t i = 0; i < out.graph.nodes.size(); ++i)
    if (const graph_node& x = out.graph.nodes[i];
        x.kind == node_kind::leaf && x.leaf->kind == leaf_state::parameter && trained(*x.leaf))
      out.parameters.push_back(static_cast<int>(i));
  if (!with_gradients && !reaches_any(below(out.graph, out.value), out.parameters)) {
    out.parameters.clear();
    return out;
  }
  out.gradients = add_gradients(out.graph, out.value, out.parameters);
  return out;
}

/// Lowers an expression, and adds its gradients if `with_gradients` is true. If `with_gradients`
/// is not given, gradients are added if the value is a loss, see lower_with.
template <Expression E>
constexpr auto lower_expression(const E& e, bindings bound, std::optional<bool> with_gradients) -> lowered_expression {
  const auto every_parameter = [](const leaf_state&) { return true; };
  return detail::lower_with([&](builder& b) { return lower_root(b, e); }, std::move(bound), with_gradients,
                            every_parameter);
}

}  // namespace koila::inline v0::detail
