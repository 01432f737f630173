// SPDX-License-Identifier: MIT
#pragma once
// A program is a plan that is ready to run: the arena, one tensor for each value in the arena, and
// the steps of each loop. A program can run any number of times.
#include <koila/plan/planner.hpp>
#include <koila/run/fused_kernel.hpp>
#include <koila/run/kernel_for.hpp>
#include <koila/run/seed.hpp>
#include <koila/run/tensor.hpp>
#include <koila/torch/out_of_memory.hpp>
#include <koila/torch/storage.hpp>
#include <koila/torch/tensor.hpp>

#include <deque>
#include <memory>

namespace koila::inline v0::detail {

/// A tensor that a call binds to an input.
struct bound_tensor {
  handle<const leaf_state> leaf;
  at::Tensor tensor;
};
using bound_tensors =
    detail::small_vector<bound_tensor, 4>;  // most calls bind at most 4 tensors, which needs no allocation

struct fused_group;

/// One kernel call of a chunk or of a section (the nodes before, between or after the loops).
struct run_step {
  const op_info* op = nullptr;  // null: copies operands[0] into y
  kernel_functions kernel;  // of the device
  at::Tensor* y = nullptr;
  // The result of one chunk for a partial value (a value that is combined over all chunks),
  // before it is combined with y, with `accumulator`, or with a compensated sum.
  at::Tensor* part = nullptr;
  at::Tensor* accumulator = nullptr;  // the combined results of the chunks so far, in a wider dtype than that of y
  at::Tensor* compensation = nullptr;  // for a sum over very many chunks: the rounding error of y
  std::array<const at::Tensor*, most_operands> operands{};
  const object* attributes = nullptr;
  at::Tensor* fused_forward_output = nullptr;  // the op's value, if one kernel computes both this value and y
  const fused_group* elements = nullptr;  // a fusion group; if set, the members above are not used
  bool partial = false;
  // A chunk may add several partial values to the same sum. `after_others`: this is not the first
  // of them. `is_last`: this is the last of them.
  bool after_others = false, is_last = true;
  index_t parts_per_sum = 1;  // chunks whose results are added up, then added to a compensated sum
  bool not_retryable = false;  // the op may draw from LibTorch's generator, so it is not called again
  author::batch_relation batch_relation{};
};

/// A fusion group, which one kernel computes. `sums` has, for each sum, the step that would
/// compute the sum outside the group.
struct fused_group {
  fused_kernel kernel;
  std::vector<run_step> sums{};
};

/// A tensor over the rows of the current chunk. `origin` is the tensor's storage offset in the
/// first chunk. `step` is the tensor's number of elements per sample.
struct moving_tensor {
  tensor_impl* impl;
  std::int64_t origin, step;
};

/// The steps of a loop for chunks of `samples` samples.
struct chunk_steps {
  index_t samples = 0;
  std::vector<run_step> steps;
  std::vector<moving_tensor> moving;
};

/// The steps and tensors of a plan. From `acquire` to `release`, a program holds the memory of the
/// arena and of the outputs, and the scratch memory that `scratch_bytes` states. At other times, it
/// holds no tensor memory.
class program {
 public:
  /// Prepares every step for the device of the tensors.
  program(memory_plan p, const bound_tensors& bound);
  program(const program&) = delete;
  auto operator=(const program&) -> program& = delete;

  /// Returns true if the program can run on these tensors. Their dims, strides, dtypes and device
  /// must be those that the program was made for, and the same parameters must require a gradient.
  auto fits(const bound_tensors& bound) const -> bool;
  /// Uses `block` as the arena. The block must have at least `plan().arena_bytes` bytes, and
  /// other code must not use it until `release`. Allocates a block if `block` is undefined.
  void acquire(at::Tensor block = {});
  /// Drops all tensors: the block, the outputs, and the tensors that leaves are bound to.
  void release();
  auto block() const -> const at::Tensor& { return arena_; }
  auto device() const -> at::Device { return device_; }
  /// Returns the bytes of scratch that the program holds until `release`, in addition to the block
  /// and the outputs. koila's kernels share the scratch.
  auto scratch_bytes() const -> index_t { return scratch_.defined() ? needed_scratch_ : 0; }
  /// Runs on these tensors. Only the arena and the outputs are written, so everything else is
  /// unchanged after an exception. If a kernel finds no memory for its workspace, the program calls
  /// the kernel a second time. `seed` is the seed of koila's random numbers.
  void run(const bound_tensors& bound, std::uint64_t seed, detail::allocation_watch& watch);
  /// Writes the new values of buffers, such as running statistics. Allocates nothing and does not
  /// throw.
  void commit();
  /// Returns the value of output k. The caller may keep the tensor: the next run does not write
  /// to it while the caller holds it.
  auto output(std::size_t k) const -> const at::Tensor& { return outputs_[k]; }
  auto plan() const -> const memory_plan& { return plan_; }
  /// Returns true if the program draws koila's random numbers (`draws`), or calls an op that may
  /// draw from LibTorch's generator (`draws_elsewhere`).
  auto draws() const -> bool { return draws_; }
  auto draws_elsewhere() const -> bool { return draws_elsewhere_; }

 private:
  struct leaf_tensors {  // the tensors that share a leaf's storage, with offsets from the leaf's tensor
    const leaf_state* leaf;
    at::Tensor like;  // has the dims and strides; an input's storage is dropped after each run
    bool trained;  // requires a gradient
    std::vector<std::pair<detail::tensor_impl*, std::int64_t>> views;
  };
  struct external_tensors {  // the tensors that share an output's storage
    int node;
    std::vector<detail::tensor_impl*> views;
    std::size_t own = 0;  // the program's own references to the storage
    detail::tensor_storage promised;  // a storage without memory
  };

  memory_plan plan_;
  at::Tensor arena_, scratch_, nothing_;
  index_t needed_scratch_ = 0;  // bytes
  detail::tensor_storage shown_;  // the storage of all tensors in the arena; has memory from `acquire` to `release`
  at::Device device_ = at::kCPU;
  std::deque<at::Tensor> tensors_;  // a deque, because elements must keep their addresses
  std::deque<detail::fused_group> kernels_;
  std::vector<at::Tensor*> whole_;  // node -> its whole value, or null
  std::vector<std::vector<detail::run_step>> section_;
  std::vector<std::vector<detail::chunk_steps>> loop_;  // for full chunks, and for a shorter last chunk
  std::vector<int> times_computed_;  // node -> number of places in the plan that compute it
  std::vector<at::Tensor*> held_;  // live range -> all samples of a held value, or null
  std::vector<at::Tensor*> local_;  // node -> its value in the loop that is being prepared, or null
  std::vector<leaf_tensors> leaves_;
  std::vector<external_tensors> externals_;
  std::vector<at::Tensor> outputs_;
  std::vector<std::pair<at::Tensor*, double>> numbers_;  // C++ numbers in the arena
  bool has_run_ = false;  // the first run checks results more closely
  bool broken_ = false;  // an op replaced a tensor of the program
  bool draws_ = false, draws_elsewhere_ = false;

  auto own(at::Tensor t) -> at::Tensor*;
  auto in_arena(int range, const dims& d, index_t from = 0) -> at::Tensor*;
  auto whole_of(int range) -> at::Tensor*;
  void number_calls();
  void prepare_leaves(const bound_tensors& bound);
  void prepare_whole(int node);
  struct chunk_preparation;
  auto prepare_chunk(int loop, index_t samples) -> detail::chunk_steps;
  auto step_for(int node, at::Tensor* y, index_t samples = 0) -> detail::run_step;
  void add_step(std::vector<detail::run_step>& to, const std::vector<int>& nodes, std::size_t pos, at::Tensor* y,
                index_t samples = 0);
  auto operand_of(const graph_node& x, int k) const -> at::Tensor*;
  /// The fusion group that is being collected, in the section or the loop that is being prepared.
  struct open_run {
    detail::fused_group* group = nullptr;
    std::vector<std::pair<int, int>> numbers{};  // nodes of the group, with their numbers in the kernel
  };
  void count_computed();
  auto scratch_to_keep() const -> index_t;
  void add_elements(open_run& run, int node, at::Tensor* y, const dims& d);
  auto number_in(open_run& run, const graph_node& x, int k) -> int;
  void add_sum(open_run& run, int node, const detail::run_step& alone, const dims& d);
  void close(open_run& run, std::vector<detail::run_step>& steps);
  auto tensor_for(const leaf_state& leaf, const bound_tensors& bound) const -> const at::Tensor&;
  void follow(at::Tensor* t, int owner);
  void bind(const bound_tensors& bound);
  void unbind(bool all);
  /// The chunk that a kernel is called for: its first sample (`start`), its number of samples, and
  /// the number of samples of a full chunk (`chunk`).
  struct chunk_position {
    index_t start = 0, samples = 0, chunk = 0;
    auto chunk_number() const -> index_t { return chunk > 0 ? start / chunk : 0; }
  };
  void perform(const detail::run_step& s, const chunk_position& position, std::uint64_t seed,
               detail::allocation_watch& watch);
  void perform(const detail::fused_group& run, const chunk_position& position) const;
  void add_part(const detail::run_step& s, const chunk_position& position, index_t parts) const;
  void finish(const detail::run_step& s) const;
  void renew_outputs();
  void prepare_outputs();
};

}  // namespace koila::inline v0::detail
