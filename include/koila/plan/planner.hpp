// SPDX-License-Identifier: MIT
#pragma once
// The planner, which makes the candidate plans of a graph and chooses the fastest within a budget.
#include <koila/graph/gradient.hpp>
#include <koila/graph/lowered_expression.hpp>
#include <koila/plan/classes.hpp>
#include <koila/plan/plan.hpp>

namespace koila::inline v0 {

namespace detail {

/// The nodes to compute (the value and the gradients), and whether each of them is returned as a
/// separate tensor.
struct request {
  std::vector<int> outputs;
  std::vector<char> external;  ///< output -> 1 if it is returned as a separate tensor
};

/// Returns a node with the value of output `o`. The node's storage belongs to the run and has
/// each element once. So the node is a copy if `o` is a leaf, a number, a view of a leaf or a
/// number, or a view that repeats elements.
constexpr auto owned_output(builder& b, int o) -> int {
  o = b.whole(o);
  int root = o;
  bool repeats = false;
  for (; b.node(root).is_view(); root = b.node(root).operands[0])
    repeats = repeats || b.node(root).dims.count() != b.node(b.node(root).operands[0]).dims.count();
  if (b.node(root).kind != node_kind::leaf && b.node(root).kind != node_kind::number && !repeats) return o;
  if (b.node(o).kind == node_kind::number) o = b.number(b.node(o).number, b.node(o).dims.with(b.node(o).dims.type));
  return b.copy(o);
}

/// Applies owned_output to each output. Outputs that are not returned as separate tensors are
/// consumed one by one, so they must not share storage. For example, the gradients of both
/// operands of a sum are one node at first, so one gradient is copied.
constexpr void own_outputs(builder& b, std::vector<int>& outputs, const std::vector<char>& external) {
  std::vector<int> roots;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    outputs[k] = owned_output(b, outputs[k]);
    const auto root = [&] {
      int i = outputs[k];
      while (b.node(i).is_view()) i = b.node(i).operands[0];
      return i;
    };
    while (external[k] == 0 && std::find(roots.begin(), roots.end(), root()) != roots.end())
      outputs[k] = b.copy(outputs[k]);
    roots.push_back(root());
  }
}

/// Throws memory_error. The arguments describe the candidate that needs the least memory and still
/// does not fit. The message states the step that needs the most memory, its bytes, and the
/// largest buffers at that step.
[[noreturn]] void refuse_memory(const builder& b, const schedule& s, const std::vector<char>& external, index_t batch,
                                const std::vector<index_t>& chunk, index_t output_bytes, index_t allowed);

/// Returns sets of values to hold, which means to keep in memory across barriers instead of
/// computing them again. The sets lie between holding everything and holding nothing.
///
/// One sequence of sets starts with everything held. This sequence drops values that are held at
/// the memory peak, in order of increasing work per byte to compute the values again. Another
/// sequence starts with nothing held and adds the values that save the most work per byte.
auto rematerialization_candidates(const builder& b, const schedule& nothing, const schedule& everything,
                                  const std::vector<char>& external, index_t batch, const cost_model& model)
    -> std::vector<saved_set>;

/// Returns schedules with decreasing memory. The schedules drop values inside a chunk and compute
/// the values again right before the next read. Each dropped value is alive at the memory peak.
/// The value that takes the least work per byte to compute again is dropped first. `visits` limits
/// the search to about this many visits of nodes.
auto recompute_candidates(const builder& b, schedule s, const std::vector<char>& external, index_t batch, index_t chunk,
                          const cost_model& model, index_t visits) -> std::vector<schedule>;

/// Returns one line for each option that has no effect on a schedule, with the reason.
auto without_effect(const builder& b, const schedule& s, const options& asked) -> std::string;

/// Throws argument_error if `chunk` is negative or `memory` is less than -1.
constexpr void require_options(const options& o) {
  if (o.chunk < 0)
    throw argument_error("koila: .chunk is " + std::to_string(o.chunk) + " samples: at least 1, or 0 to choose");
  if (o.memory < -1)
    throw argument_error("koila: .memory is " + std::to_string(o.memory) +
                         " bytes: at least 0, or -1 for what is free");
}

/// Returns the chunk sizes to consider, in samples, with the whole batch first. If `.chunk` is
/// set, returns only that size. `nodes` has, for each node, the number of parts that a chunk adds
/// to the node's sum. Throws argument_error for invalid options.
constexpr auto chunk_sizes(index_t batch, const options& o, const scheduled_nodes& nodes) -> std::vector<index_t> {
  require_options(o);
  std::vector<index_t> out{o.chunk > 0 ? std::min(o.chunk, batch) : batch};
  if (o.chunk > 0 || batch < 2) return out;
  const auto add = [&](index_t chunks) {
    const index_t c = (batch + chunks - 1) / chunks;
    if (std::find(out.begin(), out.end(), c) == out.end()) out.push_back(c);
  };
  if (o.policy == chunk_policy::powers_of_two)
    for (index_t c = 1; c < batch; c *= 2) out.push_back(c);
  // Add the sizes with which a sum has at most `few_parts` parts. A sum of more parts needs more
  // memory, so these sizes may be the only ones that fit.
  std::vector<int> known;
  for (const scheduled_node& x : nodes)
    if (const int p = x.parts; p <= few_parts / 2 && std::find(known.begin(), known.end(), p) == known.end()) {
      known.push_back(p);
      add(few_parts / p);
    }
  if (o.policy == chunk_policy::powers_of_two) return out;
  for (index_t chunks = 2; chunks < batch; chunks *= 2) add(chunks), add(chunks + chunks / 2);
  add(batch);
  return out;
}

/// The candidate plans of a graph. Candidates differ in the values that are held, in the values
/// that are computed again, and in the chunk sizes. The candidates do not depend on the budget.
/// So the plan for a larger budget is never slower by more than machine::tie_tolerance, and a new
/// budget requires only a search.
class planner {
 public:
  constexpr planner(builder b, request want, const options& o);

  /// Returns the text of memory_plan::without_effect, which is the same for all candidates.
  auto without_effect() const -> std::string { return detail::without_effect(graph_, schedules_.front(), asked_); }

  /// Returns the fastest plan that fits `budget` bytes; a negative budget means no limit. If
  /// several chunk sizes are slower than the fastest by at most machine::tie_tolerance, returns
  /// the plan that needs the least memory. Throws memory_error if no plan fits.
  constexpr auto choose(index_t budget) & -> memory_plan { return plan_of(index_of(budget), builder(graph_), budget); }
  constexpr auto choose(index_t budget) && -> memory_plan {
    const std::size_t k = index_of(budget);
    return plan_of(k, std::move(graph_), budget);
  }

 private:
  struct candidate {
    std::size_t schedule_index;
    index_t chunk;  // samples; the candidate needs no more memory than if all loops had this chunk size
    std::vector<index_t> chunks;  // samples per chunk of each loop
    double seconds;
    kernel_workspace kernels;  // the largest workspace of all kernels
    index_t alive;  // bytes needed if there were no gaps between buffers
    index_t peak;  // same as `alive` until the buffers are placed; then bytes needed, gaps included
    std::vector<index_t> offsets{};
    bool placed = false;
    bool best_of_all = false;  // kept even if another candidate is smaller and faster

    constexpr auto may_fit(index_t budget) const -> bool { return budget < 0 || peak <= budget; }

    /// Returns true if all loops have the same chunk size.
    constexpr auto has_one_size() const -> bool {
      return std::all_of(chunks.begin(), chunks.end(), [&](index_t c) { return c == chunk; });
    }
    /// Orders candidates by time, then by the bytes alive. Does not use `peak`, because `peak`
    /// depends on which candidates were placed for earlier budgets.
    constexpr auto before(const candidate& o) const -> bool {
      return seconds != o.seconds ? seconds < o.seconds : alive < o.alive;
    }
  };
  builder graph_;
  std::vector<int> outputs_;
  std::vector<char> external_, copied_;
  index_t batch_ = 0, output_bytes_ = 0;
  options asked_;
  machine machine_;
  std::vector<index_t> sizes_;  // the chunk sizes that are considered
  cost_model model_;
  std::vector<kernel_workspace> workspace_;  // [node * sizes + size]; the same for every set of held values
  std::vector<schedule> schedules_;  // nothing held, everything held, and candidates between the two
  std::vector<candidate> candidates_;
  bool candidates_added_ = false;

  static constexpr auto idx(auto i) -> std::size_t { return static_cast<std::size_t>(i); }
  /// Returns the buffers of a candidate. `graph` must be this planner's graph, which may have been
  /// moved out of the planner.
  constexpr auto buffers_of(const candidate& c, const builder& graph) const -> lifetimes {
    lifetimes l(graph, schedules_[c.schedule_index], external_, batch_, c.chunks, false);
    l.kernels = c.kernels;
    return l;
  }
  constexpr auto chunks_of_loops(const std::vector<std::size_t>& indices) const -> std::vector<index_t> {
    std::vector<index_t> out;
    out.reserve(indices.size());
    for (const std::size_t k : indices) out.push_back(sizes_[k]);
    return out;
  }
  constexpr void ask_each_node();
  /// Returns the time, the workspace and the bytes alive of each loop for each chunk size.
  constexpr auto figures_of(const schedule& s) const -> detail::schedule_figures;
  constexpr void consider(schedule order);
  constexpr auto best_of_all() -> std::size_t;
  constexpr auto fastest(index_t budget) const -> std::size_t;
  constexpr auto index_of(index_t budget) -> std::size_t;
  constexpr auto smallest_of_ties(std::size_t first) -> std::size_t;
  constexpr void place_in_block(candidate& c);
  constexpr auto plan_of(std::size_t k, builder graph, index_t budget) -> memory_plan;
  void add_candidates();
  void keep_the_best();
};

constexpr planner::planner(builder b, request want, const options& o)
    : graph_(std::move(b)), outputs_(std::move(want.outputs)), asked_(o), machine_(o.machine ? *o.machine : machine()) {
  if (!machine_.is_usable())
    throw argument_error(
        "koila: .machine is out of range: threads must be at least 1, min_speedup in (-1, 1), tie_tolerance in [0, 1), "
        "rows_of_half_speed and seconds_per_team at least 0, and every other figure above 0");
  for (const buffer_update& u : graph_.updates) outputs_.push_back(u.node), want.external.push_back(0);
  detail::own_outputs(graph_, outputs_, want.external);
  batch_ = std::max<index_t>(graph_.bound.batch(), 0);
  schedule first(graph_, outputs_);
  sizes_ = detail::chunk_sizes(batch_, o, first.nodes);
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) external_.push_back(0);
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const int owner = first.nodes[idx(outputs_[k])].owner;
    char again = 0;
    if (want.external[k] != 0) {
      again = external_[idx(owner)];
      external_[idx(owner)] = 1;
      output_bytes_ += again != 0 ? graph_.node(outputs_[k]).dims.bytes() : graph_.node(owner).dims.bytes();
    }
    copied_.push_back(again);
  }
  ask_each_node();
  const bool barriers = first.loops > 1;
  consider(std::move(first));
  if (!barriers) return;
  consider(schedule(schedules_[0], graph_, schedules_[0].everything()));
}

/// Computes the workspace of every node for each chunk size, and the time of every node if it runs
/// alone.
constexpr void planner::ask_each_node() {
  model_ = cost_model(graph_, machine_);
  workspace_.reserve(graph_.nodes.size() * sizes_.size());
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const bool whole = graph_.nodes[i].batch_relation.kind == batch_relation::whole;
    for (const index_t c : sizes_)
      workspace_.push_back(kernel_workspace_of(graph_, static_cast<int>(i), whole ? batch_ : std::min(c, batch_)));
  }
}

constexpr auto planner::figures_of(const schedule& s) const -> detail::schedule_figures {
  detail::schedule_figures f(s.loops, s.loops == 0 ? 1 : sizes_.size());
  lifetimes whole(graph_, s, external_, batch_, chunks_of_loops(f.uniform(0)), false);
  const schedule_work work(graph_, s, whole, batch_);
  f.outside.seconds = work.seconds_of_sections(machine_);
  for (const auto& nodes : s.section)
    for (const int i : nodes) f.outside.kernels.include(workspace_[idx(i) * sizes_.size()]);
  for (std::size_t l = 0; l < s.loop_of.size(); ++l) {
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      detail::loop_figures& x = f.figures(l, k);
      // Splitting must save more time than the model's error.
      x.seconds = work.seconds_of_loop(l, sizes_[k], machine_) / (sizes_[k] < batch_ ? 1 - machine_.min_speedup : 1);
      for (const int i : s.loop_of[l].body) x.kernels.include(workspace_[idx(i) * sizes_.size() + k]);
    }
  }
  f.note_alive(s, whole, 0);
  if (f.sizes() < 2) return f;
  lifetimes smallest(graph_, s, external_, batch_, chunks_of_loops(f.uniform(1)), false);
  for (std::size_t k = 1; k < f.sizes(); ++k) {
    smallest.resize(sizes_[k]);
    f.note_alive(s, smallest, k);
  }
  return f;
}

/// Adds one candidate of a schedule for each chunk size. May add a second candidate for each
/// size. In the second candidate, each class of loops (see chunk_classes) has the fastest chunk
/// size with which the class needs no more memory than in the first candidate.
constexpr void planner::consider(schedule order) {
  schedules_.push_back(std::move(order));
  const schedule& s = schedules_.back();
  const detail::schedule_figures f = figures_of(s);
  const std::vector<std::size_t> first = detail::chunk_classes(graph_, s);
  const detail::schedule_figures classes = detail::figures_of_classes(f, first);
  for (std::size_t k = 0; k < f.sizes(); ++k) {
    const auto append = [&](const std::vector<std::size_t>& indices, const detail::loop_figures& figures) {
      const index_t bytes = figures.alive + figures.kernels.bytes() + output_bytes_;
      candidates_.push_back({schedules_.size() - 1,
                             sizes_[k],
                             chunks_of_loops(indices),
                             figures.seconds,
                             figures.kernels,
                             bytes,
                             bytes,
                             {},
                             false});
    };
    const std::vector<std::size_t> same = f.uniform(k);
    const detail::loop_figures figures = f.with(same);
    append(same, figures);
    if (const auto own = detail::fastest_sizes(classes, first, k, figures); own != same) append(own, f.with(own));
  }
}

/// Returns the index of the candidate that is chosen if memory is not short. This candidate is
/// determined before add_candidates() adds more candidates, and does not change afterwards.
constexpr auto planner::best_of_all() -> std::size_t {
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    if (candidates_[k].best_of_all) return k;
  const std::size_t first = fastest(-1);
  place_in_block(candidates_[first]);
  const std::size_t best = smallest_of_ties(first);
  candidates_[best].best_of_all = true;
  return best;
}

/// Returns the index of the fastest candidate that may fit, or the number of candidates if no
/// candidate may fit.
constexpr auto planner::fastest(index_t budget) const -> std::size_t {
  std::size_t best = candidates_.size();
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    if (candidates_[k].may_fit(budget) && (best == candidates_.size() || candidates_[k].before(candidates_[best])))
      best = k;
  return best;
}

/// Returns the index of the best candidate that fits.
///
/// Returns best_of_all() if that candidate fits, even if another candidate is faster. So the plan
/// does not depend on how much memory is free, as long as the memory is enough. Otherwise
/// add_candidates() adds more candidates, which takes time. A candidate must be placed before it
/// is known to fit, because with gaps between buffers it may need more than its bytes alive.
constexpr auto planner::index_of(index_t budget) -> std::size_t {
  if (const std::size_t best = best_of_all(); candidates_[best].may_fit(budget)) return best;
  if (!std::is_constant_evaluated() && !candidates_added_) {
    candidates_added_ = true;
    add_candidates();
  }
  for (std::size_t k = fastest(budget); k < candidates_.size(); k = fastest(budget)) {
    place_in_block(candidates_[k]);
    if (candidates_[k].may_fit(budget)) return smallest_of_ties(k);
  }
  // The error message must state a number of bytes that is enough. So also place all candidates
  // that may be smaller than the smallest candidate placed so far.
  const candidate* least = nullptr;
  const auto smaller = [&](const candidate& c) {
    return least == nullptr || (c.peak != least->peak ? c.peak < least->peak : c.chunk < least->chunk);
  };
  for (candidate& c : candidates_)
    if (c.placed && smaller(c)) least = &c;
  for (candidate& c : candidates_) {
    if (!smaller(c)) continue;
    place_in_block(c);
    if (smaller(c)) least = &c;
  }
  detail::refuse_memory(graph_, schedules_[least->schedule_index], external_, batch_, least->chunks, output_bytes_,
                        budget);
}

/// Returns the index of the candidate that needs the least memory. Considers only candidates that
/// have the schedule of candidate `first` and are slower than `first` by at most
/// machine::tie_tolerance.
constexpr auto planner::smallest_of_ties(std::size_t first) -> std::size_t {
  const double most = candidates_[first].seconds * (1 + machine_.tie_tolerance);
  for (;;) {
    std::size_t least = first;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      const candidate &c = candidates_[k], &of = candidates_[least];
      if (c.schedule_index == of.schedule_index && c.seconds <= most &&
          (c.peak != of.peak ? c.peak < of.peak : c.before(of)))
        least = k;
    }
    if (candidates_[least].placed) return least;
    place_in_block(candidates_[least]);  // with gaps between buffers, it may need more than its bytes alive
  }
}

/// Places a candidate's buffers and computes the bytes that the candidate needs.
constexpr void planner::place_in_block(candidate& c) {
  if (c.placed) return;
  lifetimes buffers = buffers_of(c, graph_);
  c.peak = assign_offsets(buffers.ranges) + output_bytes_ + buffers.workspace();
  c.placed = true;
  c.offsets.reserve(buffers.ranges.size());
  for (const live_range& r : buffers.ranges) c.offsets.push_back(r.offset);
}

constexpr auto planner::plan_of(std::size_t k, builder graph, index_t budget) -> memory_plan {
  const candidate& c = candidates_[k];
  schedule order = schedules_[c.schedule_index];
  lifetimes buffers = buffers_of(c, graph);
  for (std::size_t i = 0; i < buffers.ranges.size(); ++i) buffers.ranges[i].offset = c.offsets[i];
  const index_t arena = c.peak - output_bytes_ - buffers.workspace();
  index_t resident = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].kind == node_kind::leaf && order.nodes[i].is_live) resident += graph.nodes[i].dims.bytes();
  return {std::move(graph), outputs_, external_, copied_,       std::move(order), std::move(buffers),
          c.chunks,         batch_,   arena,     output_bytes_, resident,         0,
          c.seconds,        machine_, budget,    asked_};
}

/// Plans a graph for one budget in bytes; a negative budget means no limit. Throws memory_error if
/// no plan fits.
constexpr auto make_plan(builder b, request want, const options& o, index_t budget) -> memory_plan {
  return planner(std::move(b), std::move(want), o).choose(budget);
}

/// Binds an axis to an extent. Throws shape_error if the axis is already bound.
constexpr void bind_axis(bindings& to, std::string_view axis, index_t extent) {
  if (to.find(axis) >= 0) refuse(axis, reason::axis_bound_twice, nullptr, 0);
  to.axes.push_back({axis, extent});
}
/// Throws shape_error if no value has this axis.
constexpr void require_axis(const builder& b, std::string_view axis) {
  for (const graph_node& x : b.nodes)
    if (x.dims.find(axis) >= 0) return;
  refuse(axis, reason::not_in_the_expression, nullptr, 0);
}

}  // namespace detail

/// Returns the peak bytes of a step that computes the whole batch at once. The function can be
/// used in a constant expression: `static_assert(peak_bytes([] { ...; return loss; }, batch = 64)
/// <= 24_MiB)`.
///
/// The step includes gradients if the value is a floating-point scalar that depends on
/// parameters. Axes other than `batch` are bound in the same way. Each axis may be bound once,
/// and every dim must be known.
template <class Make, class... Tags>
constexpr auto peak_bytes(Make make, axis_binding<Tags>... axes) -> index_t {
  detail::bindings bound;
  (detail::bind_axis(bound, axis_binding<Tags>::name, axes.extent), ...);
  auto l = detail::lower_expression(make(), std::move(bound), std::nullopt);
  (detail::require_axis(l.graph, axis_binding<Tags>::name), ...);
  detail::request want;
  for (const int g : l.gradients)
    if (g >= 0) want.outputs.push_back(g), want.external.push_back(1);
  want.outputs.push_back(l.value), want.external.push_back(1);
  const options whole{.chunk = std::numeric_limits<index_t>::max()};
  return detail::make_plan(std::move(l.graph), std::move(want), whole, -1).peak_bytes();
}

}  // namespace koila::inline v0
