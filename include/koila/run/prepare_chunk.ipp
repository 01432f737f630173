// SPDX-License-Identifier: MIT
// Definitions of program.hpp: the tensors and steps of one loop, for chunks of a given size.
#include <koila/run/agreement.ipp>
#include <koila/run/program.hpp>
#include <koila/run/storage.ipp>

namespace koila::inline v0::detail {

/// Prepares a loop for chunks of `samples` samples.
struct program::chunk_preparation {
  program& all;
  int loop;
  index_t samples;
  chunk_steps out{};
  const schedule::loop& body = all.plan_.order.loop_of[idx(loop)];
  const fusion_groups& groups = all.plan_.buffers.loop_runs[idx(loop)];
  std::vector<int> prepared{};  // nodes whose `local_` is set
  // For each node whose tensor covers the rows of the current chunk (see moving_tensor): the
  // tensor's elements per sample (`step`), and the memory of all samples (`room`).
  std::vector<std::int64_t> step = std::vector<std::int64_t>(all.plan_.graph.nodes.size(), 0);
  std::vector<byte_range> room = std::vector<byte_range>(all.plan_.graph.nodes.size());
  // For each node: the node whose storage the tensor of this node shares. If the tensor has rows of
  // a whole buffer, this is the owner of the buffer.
  std::vector<int> shows{};
  std::vector<int> rows =
      std::vector<int>(all.plan_.graph.nodes.size(), -1);  // for each node: the live range of all samples of its result
  std::vector<int> made = std::vector<int>(all.plan_.graph.nodes.size(), 0);  // for each owner: partial values so far
  open_run run{};

  chunk_preparation(program& p, int l, index_t n) : all(p), loop(l), samples(n) {
    out.samples = n;
    for (const scheduled_node& x : all.plan_.order.nodes) shows.push_back(x.owner);
  }
  static auto idx(int i) -> std::size_t { return static_cast<std::size_t>(i); }
  auto node(int i) const -> const graph_node& { return all.plan_.graph.node(i); }
  auto local(int i) const -> at::Tensor* { return all.local_[idx(i)]; }
  auto whole(int i) const -> const at::Tensor& { return *all.whole_[idx(i)]; }

  void set(int i, at::Tensor* t) {
    all.local_[idx(i)] = t;
    prepared.push_back(i);
  }
  /// Records that a tensor's offset depends on the chunk: the offset grows by `by` elements per
  /// sample. Throws if the tensor would leave `within`, the memory of all samples.
  void add_moving(const at::Tensor& t, std::int64_t by, const byte_range& within) {
    const byte_range first(t),
        last = first.moved((all.plan_.batch - samples) * by * static_cast<std::int64_t>(t.itemsize()));
    if (!first.within(within) || !last.within(within))
      disagree("a chunk", "its rows are not all in the batch's memory");
    out.moving.push_back({impl_of(t), t.storage_offset(), by});
  }
  void follow_owner(int i, int owner) {
    all.follow(local(i), owner);
    if (step[idx(i)] != 0) add_moving(*local(i), step[idx(i)], room[idx(i)]);
  }
  /// Sets the tensor of node i to the first chunk's rows of a whole buffer.
  void set_rows(int i, const at::Tensor& of_all, int owner) {
    const batch_relation& r = node(i).batch_relation;
    set(i, all.own(of_all.narrow(r.axis, 0, r.outer * samples * r.inner)));
    step[idx(i)] = of_all.stride(r.axis) * r.inner;
    room[idx(i)] = byte_range(of_all);
    follow_owner(i, shows[idx(i)] = owner);
  }
  /// Prepares a per-sample operand. The operand consists of the chunk's rows of a leaf, of a held
  /// value or of a gathered value. Values that this loop computes are already prepared.
  void prepare_operand(int j) {
    const graph_node& x = node(j);
    if (!x.batch_relation.sampled() || local(j) != nullptr) return;
    if (x.kind == node_kind::leaf) set_rows(j, whole(j), j);
    else if (const int from = body.reads_from(j); from == j)
      set_rows(j, *all.whole_of(all.plan_.buffers.held[idx(loop)][place_in(body.held_in, j)]), j);
    else if (from >= 0) set_rows(j, whole(from), from);
  }
  /// Returns a view of the current chunk's rows in `of_all`, the tensor of all samples.
  /// add_gather_rows writes to this view, and add_take_rows reads from it.
  auto moving_rows(const at::Tensor& of_all, const batch_relation& r, int owner) -> at::Tensor* {
    const at::Tensor split = split_rows(of_all, r, all.plan_.batch);
    at::Tensor* t = all.own(split.narrow(r.axis + 1, 0, samples));
    all.follow(t, owner);
    add_moving(*t, split.stride(r.axis + 1), byte_range(of_all));
    return t;
  }
  /// Returns the dims that the operand of a sum has in a chunk.
  auto summed(const graph_node& x) const -> dims { return dims_in_chunk(node(x.operands[0]), samples); }

  void add_view(int i) {
    const graph_node& x = node(i);
    const int first = x.operands[0];
    const bool sampled = node(first).batch_relation.sampled();
    if (sampled && local(first) == nullptr) return set(i, nullptr);  // the value stays in a kernel; no step reads it
    at::Tensor t;
    const at::Tensor& from = sampled ? *local(first) : whole(first);
    const dims d = dims_in_chunk(x, samples);
    x.op->view(t, from, d, x.attributes.get());
    require_view(x.op->name, t, from, d);
    set(i, all.own(std::move(t)));
    step[idx(i)] = sampled ? step[idx(first)] : 0;
    room[idx(i)] = room[idx(first)];
    follow_owner(i, shows[idx(i)] = shows[idx(first)]);
  }
  void add_take_rows(int i, const lifetimes::chunk_buffers& buffers) {
    const graph_node& x = node(i);
    set(i, all.in_arena(buffers.own, dims_in_chunk(x, samples)));
    run_step s;
    s.y = all.own(split_rows(*local(i), x.batch_relation, samples));
    s.operands[0] =
        moving_rows(whole(x.operands[0]), x.batch_relation, all.plan_.order.nodes[idx(x.operands[0])].owner);
    out.steps.push_back(s);
  }
  void add_gather_rows(int i) {
    const int first = node(i).operands[0];
    if (rows[idx(first)] == all.plan_.buffers.whole[idx(i)]) return;  // the rows are computed in place
    run_step s;
    const batch_relation& r = node(first).batch_relation;
    s.y = moving_rows(whole(i), r, i);
    s.operands[0] = all.own(split_rows(*local(first), r, samples));
    at::Tensor& rows_read = all.tensors_.back();  // may belong to a leaf, whose tensor the next run may replace
    all.follow(&rows_read, shows[idx(first)]);
    if (step[idx(first)] != 0) add_moving(rows_read, step[idx(first)], room[idx(first)]);
    out.steps.push_back(s);
  }
  void add_per_sample(std::size_t position, const lifetimes::chunk_buffers& buffers) {
    const int i = body.body[position];
    const graph_node& x = node(i);
    const dims d = dims_in_chunk(x, samples);
    rows[idx(i)] = buffers.rows;
    if (buffers.rows >= 0) set_rows(i, *all.whole_of(buffers.rows), all.plan_.buffers.what[idx(buffers.rows)].node);
    else set(i, buffers.own >= 0 ? all.in_arena(buffers.own, d, buffers.offset * samples) : nullptr);
    if (groups.computes(all.plan_.graph, x, position)) all.add_elements(run, i, local(i), d);
    else if (groups.is_fused(position) || is_sum_of_elements(all.plan_.graph, x))
      all.add_sum(run, i, all.step_for(i, local(i), samples), summed(x));
    else all.add_step(out.steps, body.body, position, local(i), samples);
  }
  /// Adds a partial value: a value that is combined over all chunks.
  void add_partial(std::size_t position, const lifetimes::chunk_buffers& buffers) {
    const int i = body.body[position];
    const graph_node& x = node(i);
    run_step s = all.step_for(i, all.whole_[idx(i)], samples);
    const scheduled_node& scheduled = all.plan_.order.nodes[idx(i)];
    const index_t parts = scheduled.parts;
    s.after_others = made[idx(scheduled.owner)]++ > 0;
    s.is_last = made[idx(scheduled.owner)] == parts;
    s.parts_per_sum = s.kernel.accumulate != nullptr ? std::max<index_t>(1, parts_per_sum / parts) : 1;
    const bool very_many = has_many_parts(all.plan_.batch, all.plan_.chunks[idx(loop)], parts);
    if (buffers.compensation >= 0 && very_many) s.compensation = all.in_arena(buffers.compensation, x.dims);
    if (buffers.part >= 0 && (s.compensation != nullptr || buffers.accumulator >= 0 ||
                              (s.kernel.accumulate == nullptr && !groups.is_fused(position))))
      s.part = all.in_arena(buffers.part, x.dims);
    if (buffers.accumulator >= 0) s.accumulator = all.in_arena(buffers.accumulator, x.dims.with(total_type(x)));
    if (groups.is_fused(position)) all.add_sum(run, i, s, summed(x));
    else out.steps.push_back(s);
  }
  void add(std::size_t position) {
    const int i = body.body[position];
    const lifetimes::chunk_buffers& buffers = all.plan_.buffers.loop[idx(loop)][position];
    const graph_node& x = node(i);
    for (int k = 0; k < x.operand_count; ++k)
      if (x.reads(k)) prepare_operand(x.operands[idx(k)]);
    if (x.kind == node_kind::alias && x.batch_relation.sampled()) add_view(i);
    else if (x.kind == node_kind::slice_rows) set_rows(i, whole(x.operands[0]), all.plan_.order.nodes[idx(i)].owner);
    else if (x.kind == node_kind::take_rows) add_take_rows(i, buffers);
    else if (x.kind == node_kind::gather_rows) add_gather_rows(i);
    else if (x.batch_relation.sampled()) add_per_sample(position, buffers);
    else add_partial(position, buffers);
    if (!x.is_view() && run.group != nullptr && groups.last[position] == static_cast<int>(position))
      all.close(run, out.steps);
  }
};

auto program::prepare_chunk(int loop, index_t samples) -> chunk_steps {
  chunk_preparation chunk(*this, loop, samples);
  for (std::size_t p = 0; p < chunk.body.body.size(); ++p) chunk.add(p);
  for (const int i : chunk.prepared) local_[chunk_preparation::idx(i)] = nullptr;
  return std::move(chunk.out);
}

}  // namespace koila::inline v0::detail
