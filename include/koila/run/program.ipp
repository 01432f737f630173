// SPDX-License-Identifier: MIT
// Definitions of program.hpp.
#include <koila/kernels/capabilities.hpp>
#include <koila/kernels/combine.hpp>
#include <koila/kernels/copy.hpp>
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

/// Returns the bytes of scratch memory that koila's own kernels need. Other kernels allocate their
/// scratch memory.
auto program::scratch_to_keep() const -> index_t {
  return kernels::capabilities_of(device_).lends_scratch ? plan_.buffers.kernels.scratch : 0;
}

void program::acquire(at::Tensor block) {
  const detail::below_autograd below;
  if (!block.defined()) block = detail::fresh({plan_.arena_bytes}, at::kByte, device_);
  if (needed_scratch_ > 0 && !scratch_.defined()) scratch_ = detail::fresh({needed_scratch_}, at::kByte, device_);
  arena_ = std::move(block);
  detail::set_memory(shown_, arena_.mutable_data_ptr(), device_);
  for (const auto& [t, number] : numbers_) detail::fill_with(*t, number);
}

void program::release() {
  outputs_.clear();
  detail::set_memory(shown_, nullptr, device_);
  arena_ = scratch_ = at::Tensor();
  for (const auto& e : externals_)
    for (detail::tensor_impl* impl : e.views) detail::point_to(impl, e.promised);
  unbind(true);
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

auto program::tensor_for(const leaf_state& leaf, const bound_tensors& bound) const -> const at::Tensor& {
  for (const auto& b : bound)
    if (b.leaf.get() == &leaf) return b.tensor;
  return tensor_of(leaf);
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

/// Records that a tensor shares the storage of a leaf or of an output, which a later run may
/// replace.
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

/// Makes the views that do not depend on the chunk: views of whole values, and of inputs with all
/// samples.
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

auto program::prepare_chunk(int loop, index_t samples) -> detail::chunk_steps {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  detail::chunk_steps out;
  out.samples = samples;
  std::vector<int> prepared;  // nodes whose `local_` is set
  std::vector<std::int64_t> step(plan_.graph.nodes.size(), 0);  // node -> elements per sample, if its tensor moves
  const auto set = [&](int i, at::Tensor* t) {
    local_[idx(i)] = t;
    prepared.push_back(i);
  };
  std::vector<detail::byte_range> room(plan_.graph.nodes.size());  // node -> memory of all samples, if its tensor moves
  /// Records that a tensor moves with the chunk. Throws if the tensor would leave `within`, the
  /// memory of all samples.
  const auto moves = [&](const at::Tensor& t, std::int64_t by, const detail::byte_range& within) {
    const detail::byte_range first(t),
        last = first.moved((plan_.batch - samples) * by * static_cast<std::int64_t>(t.itemsize()));
    if (!first.within(within) || !last.within(within))
      detail::disagree("a chunk", "its rows are not all in the batch's memory");
    out.moving.push_back({detail::impl_of(t), t.storage_offset(), by});
  };
  const auto move = [&](int i, int owner) {
    follow(local_[idx(i)], owner);
    if (step[idx(i)] != 0) moves(*local_[idx(i)], step[idx(i)], room[idx(i)]);
  };
  // node -> the node whose storage its tensor shares. For rows of a whole buffer, this is the owner
  // of the buffer.
  std::vector<int> shows;
  for (const scheduled_node& x : plan_.order.nodes) shows.push_back(x.owner);
  /// Sets the tensor of node i to the rows of a whole buffer that belong to the chunk at sample 0.
  const auto rows_of = [&](int i, const at::Tensor& all, int owner) {
    const batch_relation& r = plan_.graph.node(i).batch_relation;
    set(i, own(all.narrow(r.axis, 0, r.outer * samples * r.inner)));
    step[idx(i)] = all.stride(r.axis) * r.inner;
    room[idx(i)] = detail::byte_range(all);
    move(i, shows[idx(i)] = owner);
  };
  const auto& body = plan_.order.loop_of[idx(loop)];
  const fusion_groups& runs = plan_.buffers.loop_runs[idx(loop)];
  // Prepares a per-sample operand. The operand has the rows of a leaf, rows that an earlier loop
  // saved, or the rows of a gathered value. Values that this loop computes are ready already.
  const auto ready = [&](int j) {
    const graph_node& x = plan_.graph.node(j);
    if (!x.batch_relation.sampled() || local_[idx(j)] != nullptr) return;
    if (x.kind == node_kind::leaf) rows_of(j, *whole_[idx(j)], j);
    else if (const int from = body.reads_from(j); from == j)
      rows_of(j, *whole_of(plan_.buffers.held[idx(loop)][place_in(body.held_in, j)]), j);
    else if (from >= 0) rows_of(j, *whole_[idx(from)], from);
  };
  /// Returns a view of all samples' rows that moves with the chunk. A gather writes this view,
  /// and take_rows reads it.
  const auto moving_rows = [&](const at::Tensor& all, const batch_relation& r, int owner) {
    const at::Tensor split = detail::split_rows(all, r, plan_.batch);
    at::Tensor* t = own(split.narrow(r.axis + 1, 0, samples));
    follow(t, owner);
    moves(*t, split.stride(r.axis + 1), detail::byte_range(all));
    return t;
  };

  /// The dims of the operand of a sum.
  const auto summed = [&](const graph_node& x) { return dims_in_chunk(plan_.graph.node(x.operands[0]), samples); };
  open_run run;
  std::vector<int> rows(plan_.graph.nodes.size(), -1);  // node -> live range, for all samples, of its result
  std::vector<int> made(plan_.graph.nodes.size(), 0);  // node -> partial values added to its buffer so far
  for (std::size_t p = 0; p < body.body.size(); ++p) {
    const int i = body.body[p];
    const auto& buffers = plan_.buffers.loop[idx(loop)][p];
    const graph_node& x = plan_.graph.node(i);
    for (int k = 0; k < x.operand_count; ++k)
      if (x.reads(k)) ready(x.operands[idx(k)]);
    const dims d = dims_in_chunk(x, samples);
    const int first = x.operand_count > 0 ? x.operands[0] : -1;
    if (x.kind == node_kind::alias && x.batch_relation.sampled()) {
      const bool sampled = plan_.graph.node(first).batch_relation.sampled();
      if (sampled && local_[idx(first)] == nullptr) {  // the value stays inside a kernel, so nobody reads the view
        set(i, nullptr);
        continue;
      }
      at::Tensor t;
      const at::Tensor& from = sampled ? *local_[idx(first)] : *whole_[idx(first)];
      x.op->view(t, from, d, x.attributes.get());
      detail::require_view(x.op->name, t, from, d);
      set(i, own(std::move(t)));
      step[idx(i)] = sampled ? step[idx(first)] : 0;
      room[idx(i)] = room[idx(first)];
      move(i, shows[idx(i)] = shows[idx(first)]);
    } else if (x.kind == node_kind::slice_rows) {
      rows_of(i, *whole_[idx(first)], plan_.order.nodes[idx(i)].owner);
    } else if (x.kind == node_kind::take_rows) {
      set(i, in_arena(buffers.own, d));
      detail::run_step s;
      s.y = own(detail::split_rows(*local_[idx(i)], x.batch_relation, samples));
      s.operands[0] = moving_rows(*whole_[idx(first)], x.batch_relation, plan_.order.nodes[idx(first)].owner);
      out.steps.push_back(s);
    } else if (x.kind == node_kind::gather_rows) {
      if (rows[idx(first)] == plan_.buffers.whole[idx(i)]) continue;  // computed in place
      detail::run_step s;
      const batch_relation& r = plan_.graph.node(first).batch_relation;
      s.y = moving_rows(*whole_[idx(i)], r, i);
      s.operands[0] = own(detail::split_rows(*local_[idx(first)], r, samples));
      at::Tensor& rows_read = tensors_.back();  // may belong to a leaf, whose tensor the next run may replace
      follow(&rows_read, shows[idx(first)]);
      if (step[idx(first)] != 0) moves(rows_read, step[idx(first)], room[idx(first)]);
      out.steps.push_back(s);
    } else if (x.batch_relation.sampled()) {
      if (rows[idx(i)] = buffers.rows; buffers.rows >= 0) {
        rows_of(i, *whole_of(buffers.rows), plan_.buffers.what[idx(buffers.rows)].node);
      } else {
        set(i, buffers.own >= 0 ? in_arena(buffers.own, d, buffers.offset * samples) : nullptr);
      }
      if (runs.computes(plan_.graph, x, p)) add_elements(run, i, local_[idx(i)], d);
      else if (runs.is_fused(p) || is_sum_of_elements(plan_.graph, x))
        add_sum(run, i, step_for(i, local_[idx(i)], samples), summed(x));
      else add_step(out.steps, body.body, p, local_[idx(i)], samples);
    } else {  // a partial value: a value that is combined over all chunks
      detail::run_step s = step_for(i, whole_[idx(i)], samples);
      const index_t parts = plan_.order.nodes[idx(i)].parts;
      s.after_others = made[idx(plan_.order.nodes[idx(i)].owner)]++ > 0;
      s.is_last = made[idx(plan_.order.nodes[idx(i)].owner)] == parts;
      s.parts_per_sum = s.kernel.accumulate != nullptr ? std::max<index_t>(1, parts_per_sum / parts) : 1;
      const bool very_many = has_many_parts(plan_.batch, plan_.chunks[idx(loop)], parts);
      if (buffers.compensation >= 0 && very_many) s.compensation = in_arena(buffers.compensation, x.dims);
      if (buffers.part >= 0 && (s.compensation != nullptr || buffers.accumulator >= 0 ||
                                (s.kernel.accumulate == nullptr && !runs.is_fused(p))))
        s.part = in_arena(buffers.part, x.dims);
      if (buffers.accumulator >= 0) s.accumulator = in_arena(buffers.accumulator, x.dims.with(total_type(x)));
      if (runs.is_fused(p)) add_sum(run, i, s, summed(x));
      else out.steps.push_back(s);
    }
    if (!x.is_view() && run.group != nullptr && runs.last[p] == static_cast<int>(p)) close(run, out.steps);
  }
  for (const int i : prepared) local_[idx(i)] = nullptr;
  return out;
}

/// Calls the kernel of a step. If memory runs out, calls the kernel a second time, unless it may
/// have drawn numbers from LibTorch's generator. The second call is safe. Most kernels overwrite
/// their whole result. A kernel that adds to a partial value makes all its allocations before it
/// adds, so it has added nothing when memory runs out.
void program::perform(const detail::run_step& s, const chunk_position& position, std::uint64_t seed,
                      detail::allocation_watch& watch) {
  if (s.elements != nullptr) return perform(*s.elements, position);
  const bool first = position.start == 0;
  const auto call_twice = [&](at::Tensor& y, const auto& kernel) {
    {
      const detail::result_watch unchanged(y, broken_, !has_run_);
      if (s.not_retryable) kernel();
      else if (!detail::attempt(watch, kernel)) kernel();
    }
    if (broken_) detail::refuse_exchanged(s.op != nullptr ? s.op->name : "a copy");
  };
  const auto call = [&](auto f, at::Tensor& y) { call_twice(y, [&] { f(y, s.operands.data(), s.attributes); }); };
  if (s.op == nullptr) call_twice(*s.y, [&] { kernels::copy.for_device(device_)(*s.y, *s.operands[0]); });
  else if (s.fused_forward_output != nullptr)
    call_twice(*s.y, [&] {
      const detail::result_watch unchanged(*s.fused_forward_output, broken_, !has_run_);
      s.kernel.evaluate_both(*s.fused_forward_output, *s.y, s.operands.data(), s.attributes);
    });
  else if (s.op->operators.draw != nullptr)
    call_twice(*s.y, [&] {
      detail::draw(*s.op, s.kernel, *s.y, s.operands.data(), s.attributes, {s.batch_relation, position.start, seed});
    });
  else if (s.accumulator != nullptr) {
    call(s.kernel.evaluate, *s.part);
    if (first) s.accumulator->copy_(*s.part);
    else
      kernels::combine_in_total.for_device(device_)(
          *s.accumulator, *s.part, s.batch_relation.combine,
          static_cast<double>(position.samples) / static_cast<double>(position.start + position.samples));
  } else if (s.compensation != nullptr) {  // the results of some chunks are added up before they go to the sum
    call(position.chunk_number() % s.parts_per_sum == 0 && !s.after_others ? s.kernel.evaluate : s.kernel.accumulate,
         *s.part);
    if (s.is_last) add_part(s, position, s.parts_per_sum);
  } else if ((first && !s.after_others) || !s.partial) call(s.kernel.evaluate, *s.y);
  else if (s.kernel.accumulate != nullptr) call(s.kernel.accumulate, *s.y);
  else {
    call(s.kernel.evaluate, *s.part);
    kernels::combine(*s.y, *s.part, s.batch_relation.combine);
  }
}

/// Adds `s.part`, which has accumulated the last `parts` chunks, to a compensated sum. Does nothing
/// until `parts` further chunks have run or the batch has ended.
void program::add_part(const detail::run_step& s, const chunk_position& position, index_t parts) const {
  const index_t chunk = position.chunk_number();
  if ((chunk + 1) % parts != 0 && position.start + position.samples < plan_.batch) return;
  if (chunk >= parts) return kernels::add_compensated.for_device(device_)(*s.y, *s.compensation, *s.part);
  s.y->copy_(*s.part);
  s.compensation->zero_();
}

void program::finish(const detail::run_step& s) const {
  if (s.accumulator != nullptr) s.y->copy_(*s.accumulator);
  if (s.compensation != nullptr && s.is_last) kernels::add_lost.for_device(device_)(*s.y, *s.compensation);
}

void program::run(const bound_tensors& bound, std::uint64_t seed, detail::allocation_watch& watch) {
  const detail::below_autograd below;
  outputs_.clear();
  const struct unbind_at_end {
    program& p;
    ~unbind_at_end() { p.unbind(false); }
  } at_the_end{*this};
  bind(bound);
  prepare_outputs();
  const detail::kept_scratch kept(scratch_);
  for (std::size_t l = 0; l < section_.size(); ++l) {
    for (const auto& s : section_[l]) perform(s, {}, seed, watch);
    if (l == loop_.size()) break;
    const index_t c = plan_.chunks[l];
    for (index_t start = 0; start == 0 || start < plan_.batch; start += c) {
      const auto& chunk = plan_.batch - start < c ? loop_[l].back() : loop_[l].front();
      for (const auto& m : chunk.moving) detail::set_offset(m.impl, m.origin + start * m.step);
      for (const auto& s : chunk.steps) perform(s, {start, chunk.samples, c}, seed, watch);
      if (c == 0) break;
    }
    for (const auto& s : loop_[l].front().steps) {
      finish(s);
      if (s.elements == nullptr) continue;
      for (const auto& sum : s.elements->sums) finish(sum);
    }
  }
  has_run_ = true;
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    if (plan_.copied[k] != 0)
      kernels::copy.for_device(device_)(outputs_[k], *whole_[static_cast<std::size_t>(plan_.outputs[k])]);
}

}  // namespace koila::inline v0::detail

#include <koila/run/bound.ipp>
#include <koila/run/element_run.ipp>
#include <koila/torch/tensor.hpp>
