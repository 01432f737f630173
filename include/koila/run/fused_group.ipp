// SPDX-License-Identifier: MIT
// Definitions of program.hpp: fusion groups. One kernel computes all element-wise values and sums
// of a group.
#include <koila/run/program.hpp>

namespace koila::inline v0::detail {

/// Counts the places in the plan that compute each value. A value that is computed in several
/// places must have the same bits in all of them. Otherwise, a comparison of a value with its own
/// maximum, for example, might find no equal element.
void program::count_computed() {
  times_computed_.assign(plan_.graph.nodes.size(), 0);
  const auto count = [this](const std::vector<int>& nodes) {
    for (const int i : nodes) ++times_computed_[static_cast<std::size_t>(i)];
  };
  for (const auto& nodes : plan_.order.section) count(nodes);
  for (const auto& loop : plan_.order.loop_of) count(loop.body);
}

/// Adds a value to the kernel of its fusion group. `y` is null if the value has no buffer.
void program::add_elements(open_run& run, int node, at::Tensor* y, const dims& d) {
  const graph_node& x = plan_.graph.node(node);
  if (run.group == nullptr) run.group = &kernels_.emplace_back(detail::fused_group{fused_kernel(d)});
  int in[most_operands] = {};
  const index_t row = row_of(plan_.graph, x);
  for (int k = 0; k < x.operand_count; ++k) {
    const bool one_row =
        row > 0 && !detail::same_extents(plan_.graph.node(x.operands[static_cast<std::size_t>(k)]).dims, x.dims);
    in[k] = one_row ? run.group->kernel.read_row(*operand_of(x, k)) : number_in(run, x, k);
  }
  const all_elements f = x.op->elements();
  run.numbers.emplace_back(
      node, run.group->kernel.compute(x.dims.type == dtype::float64 ? f.float64 : f.float32,
                                      x.op->plain_attributes(x.attributes.get()), in, x.operand_count, y, x.op,
                                      times_computed_[static_cast<std::size_t>(node)] < 2, row));
}

/// Returns the number of operand k of `x` in the group's kernel.
auto program::number_in(open_run& run, const graph_node& x, int k) -> int {
  const int j = x.operands[static_cast<std::size_t>(k)];
  const auto here = std::find_if(run.numbers.rbegin(), run.numbers.rend(), [&](const auto& n) { return n.first == j; });
  return here != run.numbers.rend() ? here->second : run.group->kernel.read(*operand_of(x, k));
}

/// Adds a sum of a value that the fusion group computes or reads. `d` has the dims of that value.
/// `alone` is the step that would compute the sum outside the group. A different kernel may compute
/// a per-sample sum again in another loop, and must get the same bits.
void program::add_sum(open_run& run, int node, const detail::run_step& alone, const dims& d) {
  const graph_node& x = plan_.graph.node(node);
  if (run.group == nullptr) run.group = &kernels_.emplace_back(detail::fused_group{fused_kernel(d)});
  run.group->kernel.sum(number_in(run, x, 0), summed_dims(plan_.graph, x), x.batch_relation.sampled());
  run.group->sums.push_back(alone);
}

void program::close(open_run& run, std::vector<detail::run_step>& steps) {
  run.group->kernel.prepare(plan_.graph.fused);
  detail::run_step s;
  s.elements = run.group;
  steps.push_back(s);
  run = {};
}

/// Runs the kernel of a fusion group. Accumulates the sums over the chunks, as the `accumulate`
/// functions of their ops would.
void program::perform(const detail::fused_group& run, const chunk_position& position) const {
  fused_kernel::destination to[most_in_run];
  for (std::size_t k = 0; k < run.sums.size(); ++k) {
    const detail::run_step& s = run.sums[k];
    if (s.compensation != nullptr) to[k] = {s.part, position.chunk_number() % parts_per_sum != 0};
    else to[k] = {s.y, s.partial && position.start != 0};
  }
  run.kernel.run(to);
  for (const detail::run_step& s : run.sums)
    if (s.compensation != nullptr) add_part(s, position, parts_per_sum);
}

}  // namespace koila::inline v0::detail
