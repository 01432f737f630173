// SPDX-License-Identifier: MIT
// Definitions of report.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/text.hpp>
#include <koila/tools/report.hpp>

namespace koila::inline v0 {

auto to_string(memory_use u) -> std::string_view {
  switch (u) {
    case memory_use::input: return "inputs";
    case memory_use::parameter: return "parameters";
    case memory_use::optimizer: return "optimiser state";
    case memory_use::output: return "outputs";
    case memory_use::gradient: return "gradients";
    case memory_use::held: return "held values";
    case memory_use::whole: return "whole values";
    case memory_use::activation: return "activations";
    case memory_use::cotangent: return "activation gradients";
    case memory_use::workspace: return "workspace";
    case memory_use::gap: return "between buffers";
  }
  return "";
}

memory_report::memory_report(const memory_plan& p) : plan_(&p) {
  for (const index_t c : p.chunks) times.push_back(c > 0 ? (p.batch + c - 1) / c : 1);
  loops_of.resize(p.graph.nodes.size());
  for (int l = 0; l < p.order.loops; ++l)
    for (const int i : p.order.loop_of[static_cast<std::size_t>(l)].body)
      loops_of[static_cast<std::size_t>(i)].push_back(l);
  name_gradients();
  find_steps();
  find_buffers();
  find_peak();
  find_barriers();
  find_other_chunks();
}

/// Names the gradients of the trained parameters. The gradients are the outputs after the value,
/// in the order of the parameters in the graph. If gradients and parameters cannot be matched, for
/// example because a parameter is frozen, each gradient is named "a parameter".
void memory_report::name_gradients() {
  const memory_plan& p = *plan_;
  gradient_of.resize(p.graph.nodes.size());
  std::vector<const detail::graph_node*> parameters;
  for (std::size_t i = 0; i < p.graph.nodes.size(); ++i)
    if (const detail::graph_node& x = p.graph.nodes[i];
        x.kind == detail::node_kind::leaf && x.leaf->kind == detail::leaf_state::parameter && p.order.nodes[i].is_live)
      parameters.push_back(&x);
  const std::size_t gradients = p.outputs.size() - std::min(p.outputs.size(), p.graph.updates.size() + 1);
  bool plain = parameters.size() == gradients;
  for (std::size_t k = 0; plain && k < gradients; ++k) {
    const author::dims &d = p.graph.node(p.outputs[k + 1]).dims, &of = parameters[k]->dims;
    plain = d.rank == of.rank;
    for (int i = 0; plain && i < d.rank; ++i) plain = d.e[i].n == of.e[i].n;
  }
  for (std::size_t k = 0; k < gradients; ++k) {
    const auto add_name = [&](int node, std::string_view suffix) {
      std::string& name = gradient_of[static_cast<std::size_t>(p.order.nodes[static_cast<std::size_t>(node)].owner)];
      if (!name.empty()) name += ", ";
      name += plain ? parameters[k]->name() : std::string_view("a parameter");
      name += suffix;
    };
    add_name(p.outputs[k + 1], "");
    // A 16-bit gradient is the rounded value of a sum in float32.
    const detail::graph_node& gradient = p.graph.node(p.outputs[k + 1]);
    if (gradient.operand_count != 1) continue;
    const detail::graph_node& sum = p.graph.node(gradient.operands[0]);
    if (sum.batch_relation.kind == author::batch_relation::partial && sum.dims.type != gradient.dims.type &&
        sum.dims.type == detail::accumulator_of(gradient.dims.type))
      add_name(gradient.operands[0], " in float32");
  }
}

auto memory_report::use_of(int node, detail::role r) const -> memory_use {
  const memory_plan& p = *plan_;
  const detail::graph_node& x = p.graph.node(node);
  const std::size_t last = p.outputs.size() - p.graph.updates.size();
  const auto is_owner_of = [&](std::size_t k) {
    return p.order.nodes[static_cast<std::size_t>(p.outputs[k])].owner == node;
  };
  if (!gradient_of[static_cast<std::size_t>(node)].empty()) return memory_use::gradient;
  for (std::size_t k = 0; k < p.outputs.size(); ++k)
    if (is_owner_of(k) && (k == 0 || k >= last)) return memory_use::output;
  if (r == detail::role::held || x.kind == detail::node_kind::gather_rows) return memory_use::held;
  if (!x.batch_relation.sampled()) return memory_use::whole;
  int value = p.outputs.empty() ? -1 : p.outputs[0];
  while (value >= 0 && p.graph.node(value).op != nullptr && p.graph.node(value).op->copies)
    value = p.graph.node(value).operands[0];
  return last > 1 && node > value ? memory_use::cotangent : memory_use::activation;
}

void memory_report::find_steps() {
  const memory_plan& p = *plan_;
  const detail::schedule_work work(p.graph, p.order, p.buffers, p.batch);
  seconds = work.seconds(p.chunks, p.machine);
  const auto add = [&](int node, int loop_or_section, bool in_loop) {
    step s;
    s.node = node, s.loop_or_section = loop_or_section, s.in_loop = in_loop;
    if (node >= 0) {
      const detail::kernel_workspace own = detail::kernel_workspace_of(
          p.graph, node, in_loop ? p.chunks[static_cast<std::size_t>(loop_or_section)] : p.batch);
      s.bytes[memory_use::workspace] =
          own.other > 0 ? own.other + p.buffers.kernels.scratch : own.scratch;  // koila's scratch stays allocated
    }
    steps.push_back(s);
  };
  const auto add_all = [&](const std::vector<int>& nodes, const detail::fusion_groups& runs, int loop_or_section,
                           bool in_loop, const auto& has_buffer) {
    const int begin = static_cast<int>(steps.size());
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      add(nodes[k], loop_or_section, in_loop);
      steps.back().kernel_begin = begin + runs.first[k];
      steps.back().kernel_end = begin + runs.last[k];
      steps.back().in_cache = runs.is_fused(k) && !p.graph.node(nodes[k]).is_view() && !has_buffer(k);
    }
  };
  for (int l = 0; l <= p.order.loops; ++l) {
    const auto at = static_cast<std::size_t>(l);
    const auto& section = p.order.section[at];
    add_all(section, p.buffers.section_runs[at], l, false,
            [&](std::size_t k) { return p.buffers.whole[static_cast<std::size_t>(section[k])] >= 0; });
    // Assign the time of a kernel to the step of its first node.
    const auto note = [&](std::size_t begin) {
      return [this, begin](std::size_t position, double of_kernel) { steps[begin + position].seconds = of_kernel; };
    };
    work.each_of_section(at, p.machine, note(steps.size() - section.size()));
    if (l == p.order.loops) break;
    add(-1, l, true);
    const auto& buffers = p.buffers.loop[at];
    add_all(p.order.loop_of[at].body, p.buffers.loop_runs[at], l, true, [&](std::size_t k) {
      const int node = p.order.loop_of[at].body[k];
      return buffers[k].own >= 0 || buffers[k].rows >= 0 || p.buffers.whole[static_cast<std::size_t>(node)] >= 0;
    });
    work.each_of_chunk(at, p.chunks[at], p.machine, note(steps.size() - p.order.loop_of[at].body.size()));
    add(-1, l, true);
  }
  add(-1, p.order.loops, false);  // the commit
}

void memory_report::find_buffers() {
  const memory_plan& p = *plan_;
  const int commit = static_cast<int>(steps.size()) - 1;
  index_t leaving = 0;
  for (std::size_t i = 0; i < p.buffers.ranges.size(); ++i) {
    const detail::live_range& r = p.buffers.ranges[i];
    const detail::purpose& what = p.buffers.what[i];
    buffer b{what.node, use_of(what.node, what.role), what.role, r.begin, r.end, r.bytes};
    if (what.role == detail::role::value &&
        p.external[static_cast<std::size_t>(what.node)] != 0) {  // a separate tensor
      b.bytes = p.graph.node(what.node).dims.bytes();
      leaving += b.bytes;
    }
    for (const auto& next : p.buffers.later) {
      if (next.range != static_cast<int>(i)) continue;
      b.end = next.from - 1;
      buffers.push_back(b);
      b.node = next.node, b.use = use_of(next.node, what.role), b.begin = next.from, b.end = r.end;
    }
    buffers.push_back(b);
  }
  for (std::size_t k = 0; k < p.outputs.size(); ++k) {
    if (p.copied[k] == 0) continue;
    const int owner = p.order.nodes[static_cast<std::size_t>(p.outputs[k])].owner;
    buffers.push_back({p.outputs[k], use_of(owner, detail::role::value), detail::role::value, 0, commit,
                       p.graph.node(p.outputs[k]).dims.bytes()});
    leaving += buffers.back().bytes;
  }
  // Allocators round sizes up. Count the added bytes as bytes of the value.
  if (leaving != p.output_bytes && !p.outputs.empty())
    buffers.push_back({p.outputs[0], memory_use::output, detail::role::value, 0, commit, p.output_bytes - leaving});
  for (const buffer& b : buffers)
    for (int t = b.begin; t <= b.end; ++t) steps[static_cast<std::size_t>(t)].bytes[b.use] += b.bytes;
}

void memory_report::find_peak() {
  const memory_plan& p = *plan_;
  const std::vector<index_t> arena = detail::alive_at(p.buffers.ranges);
  for (std::size_t t = 0; t < steps.size() && t < arena.size(); ++t) {
    const bool computes = steps[t].node >= 0 && steps[peak_step].node < 0;
    if (arena[t] > arena[peak_step] || (arena[t] == arena[peak_step] && computes)) peak_step = t;
    if (steps[t].bytes[memory_use::workspace] > steps[workspace_step].bytes[memory_use::workspace]) workspace_step = t;
  }
  peak = steps[peak_step].bytes;
  peak[memory_use::workspace] = p.buffers.workspace();
  peak[memory_use::gap] = p.arena_bytes - (arena.empty() ? 0 : arena[peak_step]);
  for (std::size_t i = 0; i < p.graph.nodes.size(); ++i) {
    const detail::graph_node& x = p.graph.nodes[i];
    if (x.kind != detail::node_kind::leaf || !p.order.nodes[i].is_live) continue;
    const bool kept = x.leaf->kind == detail::leaf_state::parameter || x.leaf->kind == detail::leaf_state::buffer;
    peak[kept ? memory_use::parameter : memory_use::input] += x.dims.bytes();
  }
  peak[memory_use::optimizer] = p.optimizer_bytes;
}

auto memory_report::readers_of(int node) const -> std::vector<int> {
  std::vector<int> out;
  const detail::builder& b = plan_->graph;
  for (std::size_t i = static_cast<std::size_t>(node) + 1; i < b.nodes.size(); ++i) {
    if (!plan_->order.nodes[i].is_live) continue;
    const detail::graph_node& x = b.nodes[i];
    for (int k = 0; k < x.operand_count; ++k)
      if (x.reads(k) && x.operands[static_cast<std::size_t>(k)] == node) {
        out.push_back(static_cast<int>(i));
        break;
      }
  }
  return out;
}

void memory_report::find_barriers() {
  const detail::schedule& s = plan_->order;
  std::vector<int> section_of(plan_->graph.nodes.size(), -1);
  for (std::size_t l = 0; l < s.section.size(); ++l)
    for (const int i : s.section[l]) section_of[static_cast<std::size_t>(i)] = static_cast<int>(l);
  const auto loop_from = [&](int i, int l) {  // the first loop from l on that computes node i, or -1
    for (const int at : loops_of[static_cast<std::size_t>(i)])
      if (at >= l) return at;
    return -1;
  };
  const auto push_new = [](std::vector<int>& to, int i) {
    if (std::find(to.begin(), to.end(), i) == to.end()) to.push_back(i);
  };
  barriers.resize(static_cast<std::size_t>(s.loops));
  for (int l = 1; l < s.loops; ++l) {
    for (const int i : s.loop_of[static_cast<std::size_t>(l) - 1].body) {
      if (plan_->graph.node(i).batch_relation.kind != author::batch_relation::partial) continue;
      cause c{i, {}};
      std::vector<int> reads = readers_of(i);
      for (std::size_t k = 0; k < reads.size(); ++k) {
        const int r = reads[k], section = section_of[static_cast<std::size_t>(r)];
        // Skip views through which a gather was moved, such as a transpose, and the additions of
        // a shared accumulator. The nodes that need the partial value are the readers of the
        // skipped nodes.
        const detail::graph_node& reader = plan_->graph.node(r);
        if ((reader.kind == detail::node_kind::alias && reader.op->pushes_gather) ||
            s.nodes[static_cast<std::size_t>(r)].accumulator >= 0) {
          for (const int further : readers_of(r)) push_new(reads, further);
        } else if ((section >= l && section < s.loops) || loop_from(r, l) >= 0) {
          push_new(c.readers, r);
        }
      }
      if (c.readers.empty()) continue;
      // The nodes to visit: from the readers through whole values and views to a node in a loop.
      std::vector<int> way = c.readers;
      for (std::size_t k = 0; k < way.size() && c.user < 0; ++k) {
        const int at = loop_from(way[k], l);
        if (at >= 0 && !plan_->graph.node(way[k]).is_view()) c.user = way[k], c.loop = at;
        else
          for (const int further : readers_of(way[k])) push_new(way, further);
      }
      barriers[static_cast<std::size_t>(l)].push_back(std::move(c));
    }
  }
}

/// Evaluates the plan with the next smaller and with the next larger power of two as the chunk
/// size of each loop, at most the whole batch. The held values stay the same.
void memory_report::find_other_chunks() {
  const memory_plan& p = *plan_;
  now = {p.chunks, p.peak_bytes(), seconds};
  if (p.order.loops == 0 || p.batch < 1) return;
  const auto with = [&](auto other_size) -> other_chunk {
    std::vector<index_t> chunks;
    for (const index_t c : p.chunks) chunks.push_back(other_size(c));
    if (chunks == p.chunks) return {};
    detail::lifetimes l(p.graph, p.order, p.external, p.batch, chunks);
    const double time = detail::schedule_work(p.graph, p.order, l, p.batch).seconds(chunks, p.machine);
    return {std::move(chunks), detail::assign_offsets(l.ranges) + p.output_bytes + l.workspace(), time};
  };
  smaller = with([](index_t c) {
    index_t below = 1;
    while (2 * below < c) below *= 2;
    return below;
  });
  larger = with([&](index_t c) {
    index_t above = 1;
    while (above <= c) above *= 2;
    return std::min(above, p.batch);
  });
}

auto memory_report::describe(int node) const -> std::string { return detail::call_of(plan_->graph, node); }

auto memory_report::label(const buffer& b) const -> std::string {
  const detail::graph_node& x = plan_->graph.node(b.node);
  std::string s =
      x.kind == detail::node_kind::gather_rows ? "all rows of " + describe(x.operands[0]) : describe(b.node);
  if (const std::string& of = gradient_of[static_cast<std::size_t>(b.node)]; !of.empty())
    s = "gradient of " + of + ": " + s;
  if (b.role == detail::role::held) s += ", all samples";
  if (b.role == detail::role::part) s += ", a chunk's part";
  if (b.role == detail::role::accumulator) s += ", the total so far";
  if (b.role == detail::role::compensation) s += ", what rounding took from it";
  return s;
}

auto memory_report::where(std::size_t t) const -> std::string {
  const step& s = steps[t];
  std::string out = "step " + std::to_string(t);
  out += s.in_loop                                 ? " in loop " + std::to_string(s.loop_or_section)
         : s.loop_or_section == plan_->order.loops ? std::string(" after the loops")
                                                   : " before loop " + std::to_string(s.loop_or_section);
  out += ": ";
  if (s.node >= 0) return out + describe(s.node);
  const bool begins =
      s.in_loop && (t == 0 || !steps[t - 1].in_loop || steps[t - 1].loop_or_section != s.loop_or_section);
  return out + (!s.in_loop ? "the commit" : begins ? "it begins" : "it ends");
}

/// Returns the first three names with their counts, such as "mul, 2 x mm".
auto memory_report::names_of(const std::vector<int>& nodes) const -> std::string {
  std::vector<std::pair<std::string, int>> names;
  for (const int i : nodes) {
    const std::string name(plan_->graph.node(i).name());
    const auto known = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == name; });
    if (known == names.end()) names.emplace_back(name, 1);
    else ++known->second;
  }
  std::string s;
  for (std::size_t k = 0; k < names.size() && k < 3; ++k) {
    if (k > 0) s += ", ";
    if (names[k].second > 1) s += std::to_string(names[k].second) + " x ";
    s += names[k].first;
  }
  if (names.size() > 3) s += " and " + std::to_string(names.size() - 3) + " more";
  return s;
}

auto memory_report::reason(const cause& c) const -> std::string {
  const detail::builder& b = plan_->graph;
  const detail::graph_node& x = b.node(c.partial);
  const bool one = c.readers.size() == 1;
  std::string s;
  if (x.kind != detail::node_kind::gather_rows) {
    s = describe(c.partial) + " of the whole batch, " + std::string(detail::to_string(x.batch_relation.combine)) + ": ";
    if (std::find(c.readers.begin(), c.readers.end(), c.user) != c.readers.end()) s += describe(c.user) + " reads it";
    else s += names_of(c.readers) + (one ? " reads it" : " read it");
    if (c.user >= 0 && std::find(c.readers.begin(), c.readers.end(), c.user) == c.readers.end())
      s += " for " + describe(c.user);
    return c.loop < 0 ? s : s + " in loop " + std::to_string(c.loop);
  }
  const detail::graph_node& z = b.node(x.operands[0]);
  s = "all rows of " + std::string(z.name()) + " " + detail::to_string(z.dims) + ", gathered: " + names_of(c.readers);
  bool says_nothing = true;
  for (const int r : c.readers) {
    const detail::graph_node& reader = b.node(r);
    says_nothing = says_nothing && reader.op != nullptr && reader.op->flow == nullptr && !reader.op->copies;
  }
  if (says_nothing) s += one ? " says nothing of the batch and" : " say nothing of the batch and";
  s += one ? " asks for the whole of it" : " ask for the whole of it";
  // Count the values that are whole because they are computed from the gathered value.
  std::vector<char> follows(b.nodes.size(), 0);
  int count = 0, largest = -1;
  for (std::size_t i = static_cast<std::size_t>(c.partial); i < b.nodes.size(); ++i) {
    const detail::graph_node& y = b.nodes[i];
    if (static_cast<int>(i) == c.partial) follows[i] = 1;
    if (!plan_->order.nodes[i].is_live || follows[i] != 0 || y.batch_relation.kind != author::batch_relation::whole)
      continue;
    for (int k = 0; k < y.operand_count; ++k)
      if (y.reads(k) && follows[static_cast<std::size_t>(y.operands[static_cast<std::size_t>(k)])] != 0) follows[i] = 1;
    if (follows[i] == 0 || y.is_view()) continue;
    ++count;
    if (largest < 0 || y.dims.bytes() > b.node(largest).dims.bytes()) largest = static_cast<int>(i);
  }
  if (count > 0) {
    s += "; " + std::to_string(count) + (count == 1 ? " value" : " values") + " computed from it " +
         (count == 1 ? "is" : "are") + " whole too, not cut into chunks: the largest " +
         std::string(b.node(largest).name()) + " " + detail::to_string(b.node(largest).dims) + ", " +
         detail::human_bytes(b.node(largest).dims.bytes());
  }
  return s;
}

auto memory_report::alive(std::size_t t) const -> std::vector<share> {
  std::vector<share> out;
  const int at = static_cast<int>(t);
  for (const buffer& b : buffers) {
    if (b.begin > at || at > b.end || b.bytes == 0) continue;
    const bool of_chunk = steps[t].in_loop && (b.use == memory_use::activation || b.use == memory_use::cotangent);
    const detail::graph_node& x = plan_->graph.node(b.node);
    share s{
        label(b),
        of_chunk ? detail::dims_in_chunk(x, plan_->chunks[static_cast<std::size_t>(steps[t].loop_or_section)]) : x.dims,
        b.use, 1, b.bytes};
    const auto same = [&](const share& o) { return o.use == s.use && o.dims == s.dims && o.label == s.label; };
    if (const auto known = std::find_if(out.begin(), out.end(), same); known == out.end()) out.push_back(std::move(s));
    else ++known->count, known->bytes += b.bytes;
  }
  std::stable_sort(out.begin(), out.end(), [](const share& x, const share& y) { return x.bytes > y.bytes; });
  return out;
}

}  // namespace koila::inline v0
