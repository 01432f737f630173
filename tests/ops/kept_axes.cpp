// SPDX-License-Identifier: MIT
// Checks all ops. If a dim of the result follows a named dim of the input, both dims must have the
// same axis, in the op's rule and in the graph. The gradients must accept this axis.
#include <algorithm>
#include <iostream>
#include <optional>

#include "check.hpp"
#include "every_op.hpp"
#include "long.hpp"

namespace koila::test {

namespace {

constexpr std::string_view named_steps = "steps";

/// One dim of one operand.
struct dim_of_operand {
  std::size_t operand;
  int dim;
};

auto places_of(const std::vector<dims>& operands) -> std::vector<dim_of_operand> {
  std::vector<dim_of_operand> all;
  for (std::size_t k = 0; k < operands.size(); ++k)
    for (int d = 0; d < operands[k].rank; ++d) all.push_back({k, d});
  return all;
}

/// Returns the dims of the result that follow a dim of an operand, as a bit set. A dim of the
/// result follows a dim of the operand if both have the same extent, and if the dim of the result
/// grows by one when the dim of the operand grows by one. Dims of other operands that must have the
/// same extent grow at the same time. Returns 0 if the rule accepts no such change.
auto follows(const op_info& op, const object* a, const std::vector<dims>& operands, dim_of_operand p) -> unsigned {
  const verdict before = op.rule(operands.data(), a);
  const auto with = [&](std::vector<dim_of_operand> longer) -> std::optional<unsigned> {  // nothing if the rule refuses
    std::vector<dims> other = operands;
    for (const dim_of_operand& q : longer) ++other[q.operand].e[q.dim].n;
    const verdict v = op.rule(other.data(), a);
    if (!v.accepted() || v.out.rank != before.out.rank) return {};
    unsigned set = 0;
    for (int d = 0; d < v.out.rank; ++d)
      if (v.out.e[d].n == before.out.e[d].n + 1 && before.out.e[d].n == operands[p.operand].e[p.dim].n)
        set |= 1U << static_cast<unsigned>(d);
    return set;
  };
  if (const auto set = with({p})) return *set;
  const auto all = places_of(operands);
  for (const dim_of_operand& q : all) {
    if (q.operand == p.operand) continue;
    if (const auto set = with({p, q})) return *set;
  }
  for (const dim_of_operand& q : all)
    for (const dim_of_operand& r : all) {
      if (q.operand == p.operand || r.operand <= q.operand || r.operand == p.operand) continue;
      if (const auto set = with({p, q, r})) return *set;
    }
  return 0;
}

/// Returns true if only gradients use the op. The result of such an op has the dims of another
/// operand.
auto is_pull_back(const std::string& op) -> bool {
  return op.ends_with("_backward") || op.ends_with("_like") || op.starts_with("conv_") || op == "sum_to";
}

/// Returns true if the result has the axes of this operand: the input, not a parameter or a bias.
/// chunk and pixel_shuffle split or merge dims, so their results have new axes.
auto gives_axes(const std::string& op, const dim_of_operand& p) -> bool {
  const std::size_t first = op == "addmm" || op == "baddbmm" || op == "embedding" ? 1 : 0;
  return p.operand == first && op != "chunk" && !op.starts_with("pixel_");
}

/// Returns true if windows slide over dims of the op. In that case, a position in the result does
/// not correspond to the same position in the operand, even if both dims have the same extent.
auto has_windows(const std::string& op) -> bool {
  constexpr const char* prefixes[] = {"conv",     "avg_pool", "max_pool", "window_sum",  "pad",
                                      "adaptive", "fold",     "unfold",   "interpolate", "upsample"};
  return std::any_of(std::begin(prefixes), std::end(prefixes), [&](const char* p) { return op.starts_with(p); });
}

auto text_of(const described& op, const std::vector<dims>& operands) -> std::string {
  koila::detail::writer w;
  w.put(op.name);
  for (const dims& d : operands) w.put(' '), w.put(d);
  return std::string(w.view());
}

/// A graph that consists of one call and its leaves.
struct lowered_call {
  builder graph{bindings{}};
  std::vector<int> operands;
  int y = -1;

  lowered_call(const op_info& op, const handle<const object>& a, const std::vector<dims>& sizes) {
    for (const dims& d : sizes) operands.push_back(graph.leaf(*make_handle<leaf_state>("x", d, leaf_state::input)));
    y = graph.add(op, operands.data(), static_cast<int>(operands.size()), a);
  }
  auto dims_of(int node) const -> const dims& { return graph.node(node).dims; }
};

/// Returns true if f() does not throw.
auto passes(const std::function<void()>& f) -> bool {
  try {
    f();
  } catch (const std::exception&) { return false; }
  return true;
}

/// Adds the gradients of sum(y^2), which read y as well as the cotangent.
void add_gradients_of_squares(lowered_call& c) {
  const int both[] = {c.y, c.y};
  const int square = c.graph.add(op_table<struct mul>::info[2], both, 2, {});
  const int loss =
      c.graph.add(op_table<struct sum>::info[1], &square, 1, koila::detail::box_attributes<struct sum>({}));
  std::vector<int> wrt;
  for (const int x : c.operands)
    if (is_floating(c.dims_of(x).type)) wrt.push_back(x);
  const std::vector<int> g = add_gradients(c.graph, loss, wrt);
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (g[k] < 0) continue;
    const int operand[] = {g[k], wrt[k]};  // a training step adds the gradient to the parameter
    c.graph.add(op_table<struct add>::info[2], operand, 2, {});
  }
}

}  // namespace

TEST_CASE(
    "trials A2: an op keeps the axis of an operand wherever it keeps the operand's extent, also where it is made of other ops") {
  std::size_t calls = 0, followed = 0;
  std::vector<std::string> lost, lost_in_graph, refused_there, refused_gradients;
  for (const described& op : all_ops())
    for (std::size_t n = 1; n <= most_operands; ++n) {
      if (!op.accepts(n) || is_pull_back(op.name)) continue;
      const op_info& info = op.forms[n];
      for (const auto& a : op.variants)
        for (const auto& features : accepted_operands(info, n, a.get(), of_sweep<std::size_t>(n > 4 ? 1 : 3, 60))) {
          const bool unnamed = passes([&] { lowered_call(info, a, features); });
          if (!unnamed) continue;
          const bool differentiable = passes([&] {
            lowered_call c(info, a, features);
            add_gradients_of_squares(c);
          });
          for (const dim_of_operand& p : places_of(features)) {
            std::vector<dims> named = features;
            named[p.operand].e[p.dim].axis = named_steps;
            named[p.operand].e[p.dim].open = false;
            const verdict v = info.rule(named.data(), a.get());
            if (!v.accepted()) continue;
            ++calls;
            const std::string text = text_of(op, named);
            const unsigned kept = !gives_axes(op.name, p) || (has_windows(op.name) && p.dim > 0)
                                      ? 0
                                      : follows(info, a.get(), features, p);
            for (int d = 0; d < v.out.rank; ++d)
              if ((kept >> static_cast<unsigned>(d) & 1U) != 0) {
                ++followed;
                if (v.out.e[d].axis != named_steps) lost.push_back(text + " at " + std::to_string(d));
              }
            try {
              const lowered_call c(info, a, named);
              const dims& there = c.dims_of(c.y);
              for (int d = 0; d < v.out.rank; ++d)
                if ((v.out.e[d].named() && there.e[d].axis != v.out.e[d].axis) || there.e[d].n != v.out.e[d].n)
                  lost_in_graph.push_back(text + " at " + std::to_string(d));
            } catch (const std::exception& e) { refused_there.push_back(text + ": " + e.what()); }
            if (!differentiable) continue;
            try {
              lowered_call c(info, a, named);
              add_gradients_of_squares(c);
            } catch (const std::exception& e) { refused_gradients.push_back(text + ": " + e.what()); }
          }
        }
    }
  const auto none = [](const char* what, const std::vector<std::string>& list) {
    std::string all, last;
    for (const std::string& text : list)  // shows only the first text of each op
      if (const std::string op = text.substr(0, text.find(' ')); op != last) all += text + "\n", last = op;
    INFO(what << "\n" << all);
    CHECK(list.size() == 0);
  };
  none("rules that lose the axis", lost);
  none("graphs that have not the axes that the rule says", lost_in_graph);
  none("refused in the graph", refused_there);
  none("refused in the gradient", refused_gradients);
  CHECK(followed > 500);
  std::cout << calls << " calls with a named axis, " << followed << " dims keep it\n";
}

}  // namespace koila::test
