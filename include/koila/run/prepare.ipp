// SPDX-License-Identifier: MIT
// Definitions of program.hpp: the tensors and steps that a run needs. They serve all chunks, and
// all tensors that `program::fits` accepts.
#include <koila/kernels/cpu/scratch.ipp>
#include <koila/run/agreement.ipp>
#include <koila/run/program.hpp>
#include <koila/run/storage.ipp>
#include <koila/run/tensor.ipp>
#include <koila/torch/dispatch.hpp>

namespace koila::inline v0::detail {

/// Throws usage_error if a tensor's dims or dtype differ from those of a node in a chunk of
/// `samples` samples.
inline void require_dims(std::string_view op, const at::Tensor& t, const graph_node& x, index_t samples) {
  const auto extent = [&](int i) { return extent_in_chunk(x, i, samples); };
  if (!has_dims(t, x.dims.rank, x.dims.type, extent)) refuse_dims(op, t, dims_in_chunk(x, samples));
}

program::program(memory_plan p, const bound_tensors& bound) : plan_(std::move(p)) {
  const detail::below_autograd below;
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  const int n = static_cast<int>(plan_.graph.nodes.size());
  whole_.resize(idx(n), nullptr);
  count_computed();
  prepare_leaves(bound);
  for (int i = 0; i < n; ++i)
    if (plan_.order.nodes[idx(i)].is_live && plan_.graph.node(i).op != nullptr)
      detail::require_kernel(*plan_.graph.node(i).op, device_);
  number_calls();
  nothing_ = detail::empty({0}, at::kByte, device_);
  shown_ = detail::promised(plan_.arena_bytes, device_);

  // All buffers are prepared first, because a view may be needed before the step that computes its
  // buffer.
  for (int i = 0; i < n; ++i) {
    const graph_node& x = plan_.graph.node(i);
    if (plan_.external[idx(i)] != 0) {
      whole_[idx(i)] = own(detail::shown(detail::promised(x.dims.bytes(), device_), x.dims, 0, nothing_.key_set()));
      externals_.push_back({i, {}, 0, {}});
      follow(whole_[idx(i)], i);
    } else if (const int j = plan_.order.nodes[idx(i)].accumulator; j >= 0 && j != i) {
      whole_[idx(i)] = whole_[idx(j)];
    } else if (const int r = plan_.buffers.whole[idx(i)]; r >= 0) {
      whole_[idx(i)] = in_arena(r, x.dims);
      if (x.kind != node_kind::number) continue;
      numbers_.emplace_back(whole_[idx(i)], x.number);
      detail::set_wrapped_number(*whole_[idx(i)], x.dims.number);
    }
  }
  for (int i = 0; i < n; ++i)
    if (plan_.order.nodes[idx(i)].is_live) prepare_whole(i);

  local_.resize(idx(n), nullptr);
  held_.resize(plan_.buffers.ranges.size(), nullptr);
  for (std::size_t l = 0; l < plan_.order.section.size(); ++l) {
    const auto& nodes = plan_.order.section[l];
    section_.emplace_back();
    open_run run;
    for (std::size_t p = 0; p < nodes.size(); ++p) {
      const graph_node& x = plan_.graph.node(nodes[p]);
      if (x.is_view() || x.kind == node_kind::number) continue;
      const fusion_groups& runs = plan_.buffers.section_runs[l];
      at::Tensor* const y = whole_[idx(nodes[p])];
      if (runs.computes(plan_.graph, x, p)) add_elements(run, nodes[p], y, x.dims);
      else if (runs.is_fused(p)) add_sum(run, nodes[p], step_for(nodes[p], y), plan_.graph.node(x.operands[0]).dims);
      else add_step(section_.back(), nodes, p, y);
      if (run.group != nullptr && runs.last[p] == static_cast<int>(p)) close(run, section_.back());
    }
  }
  for (int l = 0; l < plan_.order.loops; ++l) {
    const index_t c = plan_.chunks[idx(l)];
    loop_.emplace_back();
    loop_.back().push_back(prepare_chunk(l, c));
    if (c > 0 && plan_.batch % c != 0) loop_.back().push_back(prepare_chunk(l, plan_.batch % c));
  }
  for (auto& e : externals_) {
    e.own = e.views.empty() ? 0 : whole_[idx(e.node)]->storage().use_count();
    e.promised = whole_[idx(e.node)]->storage();
  }
  outputs_.reserve(plan_.outputs.size());
  needed_scratch_ = scratch_to_keep();
  unbind(true);
}

/// Numbers the random ops in the order of the graph, which is the same in all plans. So an
/// expression that is built again draws the same random numbers.
void program::number_calls() {
  std::vector<std::uint64_t> calls;  // number - 1 -> call
  for (graph_node& x : plan_.graph.nodes) {
    if (x.op == nullptr || x.op->call == nullptr) continue;
    const std::uint64_t call = x.op->call(x.attributes.get());
    const auto known = std::find(calls.begin(), calls.end(), call);
    const auto number = static_cast<std::uint64_t>(known - calls.begin()) + 1;
    if (known == calls.end()) calls.push_back(call);
    x.attributes = x.op->as_call(x.attributes.get(), number);
  }
}

auto program::own(at::Tensor t) -> at::Tensor* {
  tensors_.push_back(std::move(t));
  return &tensors_.back();
}

/// Returns a tensor over a range of the arena, from byte `from` of the range on.
auto program::in_arena(int range, const dims& d, index_t from) -> at::Tensor* {
  const live_range& r = plan_.buffers.ranges[static_cast<std::size_t>(range)];
  const index_t offset = r.offset + from;
  if (from + d.bytes() > r.bytes || r.offset + r.bytes > plan_.arena_bytes)
    detail::disagree("a plan", "a value is larger than the memory that is planned for it");
  return own(detail::shown(shown_, d, offset / bytes_of(d.type), nothing_.key_set()));
}

/// Returns the tensor with all samples of the value that is stored in a live range.
auto program::whole_of(int range) -> at::Tensor* {
  const purpose& what = plan_.buffers.what[static_cast<std::size_t>(range)];
  if (what.role != role::held) return whole_[static_cast<std::size_t>(what.node)];
  at::Tensor*& t = held_[static_cast<std::size_t>(range)];
  if (t == nullptr) t = in_arena(range, plan_.graph.node(what.node).dims);
  return t;
}

void program::prepare_leaves(const bound_tensors& bound) {
  for (std::size_t i = 0; i < plan_.graph.nodes.size(); ++i) {
    const graph_node& x = plan_.graph.nodes[i];
    if (x.kind != node_kind::leaf) continue;
    const at::Tensor& t = tensor_for(*x.leaf, bound);
    device_ = t.device();
    // This includes leaves whose values are not read, because `fits` compares their dims, too.
    leaves_.push_back({x.leaf.get(), t.alias(), t.requires_grad(), {}});
    if (!plan_.order.nodes[i].is_live) continue;
    whole_[i] = own(t.alias());
    if (t.is_contiguous()) detail::set_contiguous(*whole_[i], t.sizes());  // dims of extent 1 may have any stride
    follow(whole_[i], static_cast<int>(i));
  }
}

/// Records that a tensor shares the storage of a leaf or of an output. A later run may replace this
/// storage.
void program::follow(at::Tensor* t, int owner) {
  const graph_node& o = plan_.graph.node(owner);
  if (o.kind == node_kind::leaf) {
    for (auto& leaf : leaves_)
      if (leaf.leaf == o.leaf.get())
        leaf.views.push_back({detail::impl_of(*t), t->storage_offset() - leaf.like.storage_offset()});
  } else if (plan_.external[static_cast<std::size_t>(owner)] != 0) {
    for (auto& e : externals_)
      if (e.node == owner) e.views.push_back(detail::impl_of(*t));
  }
}

/// Makes the view of a node if the view does not depend on the chunk. Such a view is a view of a
/// whole value, or of an input with all samples.
void program::prepare_whole(int node) {
  const graph_node& x = plan_.graph.node(node);
  if (!x.is_view() || x.batch_relation.sampled()) return;
  const at::Tensor& from = *whole_[static_cast<std::size_t>(x.operands[0])];
  at::Tensor t;
  if (x.kind == node_kind::alias) x.op->view(t, from, x.dims, x.attributes.get());
  else t = from.alias();
  detail::require_view(x.op != nullptr ? x.op->name : "a leaf", t, from, x.dims);
  whole_[static_cast<std::size_t>(node)] = own(std::move(t));
  follow(&tensors_.back(), plan_.order.nodes[static_cast<std::size_t>(node)].owner);
}

auto program::step_for(int node, at::Tensor* y, index_t samples) -> detail::run_step {
  const graph_node& x = plan_.graph.node(node);
  const std::string_view name = x.op != nullptr ? x.op->name : "a copy";
  detail::run_step s;
  if (y != nullptr) detail::require_dims(name, *y, x, samples);
  s.op = x.op != nullptr && x.op->copies ? nullptr : x.op;
  s.y = y;
  s.attributes = x.attributes.get();
  s.partial = x.batch_relation.kind == batch_relation::partial && x.kind != node_kind::gather_rows;
  s.batch_relation = x.batch_relation;
  if (s.op != nullptr) {
    s.kernel = detail::kernel_for(*s.op, device_);
    draws_ = draws_ || s.op->operators.draw != nullptr;
    s.not_retryable = s.op->draws_elsewhere;
    draws_elsewhere_ = draws_elsewhere_ || s.not_retryable;
  }
  for (int k = 0; k < x.operand_count; ++k) {
    static const at::Tensor unread;
    const at::Tensor* const t = x.reads(k) ? operand_of(x, k) : nullptr;
    const graph_node& operand = plan_.graph.node(x.operands[static_cast<std::size_t>(k)]);
    // The dims of computed values and of views were checked when they were made.
    const bool checked = operand.kind == node_kind::compute || operand.kind == node_kind::alias;
    if (t != nullptr && !checked) detail::require_dims(name, *t, operand, samples);
    s.operands[static_cast<std::size_t>(k)] = t != nullptr ? t : &unread;
  }
  return s;
}

/// Adds the step of the node at position p. If one kernel computes this node and the node before
/// it, both nodes become one step.
void program::add_step(std::vector<detail::run_step>& steps, const std::vector<int>& nodes, std::size_t p,
                       at::Tensor* y, index_t samples) {
  detail::run_step s = step_for(nodes[p], y, samples);
  if (p > 0 && pulls_back(plan_.graph, nodes[p], nodes[p - 1]) && steps.back().fused_forward_output == nullptr) {
    s.op = steps.back().op;
    s.kernel = steps.back().kernel;
    s.fused_forward_output = steps.back().y;
    steps.pop_back();
  }
  steps.push_back(s);
}

/// Returns the tensor of operand k, in the section or the loop that is being prepared.
auto program::operand_of(const graph_node& x, int k) const -> at::Tensor* {
  const auto j = static_cast<std::size_t>(x.operands[static_cast<std::size_t>(k)]);
  return plan_.graph.nodes[j].batch_relation.sampled() ? local_[j] : whole_[j];
}

}  // namespace koila::inline v0::detail
