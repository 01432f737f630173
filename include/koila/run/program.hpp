#pragma once
// A plan made ready to run: the arena, one tensor for each value in it, the steps of each loop. Run
// as often as wanted.
#include <koila/plan/planner.hpp>
#include <koila/run/element_kernel.hpp>
#include <koila/run/out_of_memory.hpp>
#include <koila/run/random.hpp>
#include <koila/run/tensor.hpp>

#include <c10/util/SmallVector.h>

#include <deque>
#include <memory>

namespace koila {

/// What a call binds: tensors for inputs.
struct bound_tensor {
  handle<const leaf_state> leaf;
  at::Tensor tensor;
};
using bound_tensors = c10::SmallVector<bound_tensor, 4>;  // most calls bind so few, and then it allocates nothing

namespace detail {

/// Draws random numbers on the device of y.
void draw(const op_info& op, at::Tensor& y, const at::Tensor* const* in, const object* at, const portion& where);
/// Throws shape_error for an op whose kernel is for the host alone.
void require_kernel(const op_info& op, at::Device device);

struct element_run;

/// One kernel call of a chunk, or of a section.
struct run_step {
  const op_info* op = nullptr;  // null: copies in[0] into y
  at::Tensor* y = nullptr;
  at::Tensor* part =
      nullptr;  // where a partial without `accumulate` puts a later chunk's part, or with a total every chunk's
  at::Tensor* total = nullptr;  // the parts put together, in more bits than y has
  at::Tensor* lost = nullptr;  // of very many parts: what rounding has taken from y
  std::array<const at::Tensor*, most_operands> in{};
  const object* attributes = nullptr;
  at::Tensor* besides = nullptr;  // the value of op, whose pull-back into y its kernel makes at once
  const element_run* elements = nullptr;  // in place of all of these: what one kernel computes
  bool partial = false;
  bool after_others = false, is_last = true;  // among the partials of one sum that a chunk computes
  index_t together = 1;  // of a compensated sum: chunks whose parts are added up before they are added to it
  bool once = false;  // never called again: it may have drawn numbers of LibTorch's
  relation r{};
};

/// Element-wise values that one kernel computes, and how each sum of them would be computed alone.
struct element_run {
  element_kernel kernel;
  std::vector<run_step> sums{};
};

/// A tensor whose rows move along with the chunk: its offset at sample 0, and elements per sample.
struct moving_tensor {
  c10::TensorImpl* impl;
  std::int64_t origin, step;
};

/// The steps of a loop for chunks of one size.
struct chunk_steps {
  index_t samples = 0;
  std::vector<run_step> steps;
  std::vector<moving_tensor> moving;
};

}  // namespace detail

/// A plan's steps and tensors. It holds no tensor memory before `acquire` and after `release`;
/// between runs its own is the arena's and that of the outputs, and what kernels take for
/// themselves where `scratch_bytes` says so.
class program {
 public:
  /// Prepares every step for the device of the tensors.
  program(memory_plan p, const bound_tensors& bound);
  program(const program&) = delete;
  auto operator=(const program&) -> program& = delete;

  /// Whether the program can run these tensors: same dims, strides, dtypes and device as those it
  /// was made for; and the same parameters are trained.
  auto fits(const bound_tensors& bound) const -> bool;
  /// Takes a block of `plan().arena_bytes` or more, in bytes, which nobody else uses until
  /// `release`. Where none is given it is allocated.
  void acquire(at::Tensor block = {});
  /// Drops all tensors: the block, the outputs, what the leaves were bound to.
  void release();
  auto block() const -> const at::Tensor& { return arena_; }
  /// Bytes that it has besides the block and the outputs until `release`: what kernels need, where
  /// all that allocate can use it.
  auto scratch_bytes() const -> index_t { return scratch_.defined() ? needed_scratch_ : 0; }
  /// Runs on these tensors. Nothing but the arena and the outputs is written; an exception leaves
  /// everything else as it was. A kernel that finds no memory for its workspace is called once
  /// more. `seed` is that of koila's random numbers.
  void run(const bound_tensors& bound, std::uint64_t seed, detail::allocation_watch& watch);
  /// Gives buffers their new values. Allocates nothing and does not throw.
  void commit();
  /// The value of output k. A tensor that leaves is the caller's: the next run does not write to it
  /// while it is held.
  auto output(std::size_t k) const -> const at::Tensor& { return outputs_[k]; }
  auto plan() const -> const memory_plan& { return plan_; }
  /// Whether it draws random numbers of koila's, and whether it calls what may draw LibTorch's.
  auto draws() const -> bool { return draws_; }
  auto draws_elsewhere() const -> bool { return draws_elsewhere_; }

 private:
  struct leaf_tensors {  // every tensor that shows a leaf's storage, with its offset from the leaf's own
    const leaf_state* leaf;
    at::Tensor like;  // dims and strides; of an input the storage is let go after each run
    bool trained;  // requires a gradient
    std::vector<std::pair<c10::TensorImpl*, std::int64_t>> views;
  };
  struct external_tensors {  // every tensor that shows the storage of an output
    int node;
    std::vector<c10::TensorImpl*> views;
    std::size_t own = 0;  // references from here
    c10::Storage promised;  // without memory
  };

  memory_plan plan_;
  at::Tensor arena_, scratch_, nothing_;
  index_t needed_scratch_ = 0;  // bytes
  c10::Storage shown_;  // what every tensor in the arena shows: its memory is the arena's, while there is one
  at::Device device_ = at::kCPU;
  std::deque<at::Tensor> tensors_;  // addresses stay
  std::deque<detail::element_run> kernels_;
  std::vector<at::Tensor*> whole_;  // node -> its whole value, or null
  std::vector<std::vector<detail::run_step>> section_;
  std::vector<std::vector<detail::chunk_steps>> loop_;  // for full chunks, and for a shorter last one
  std::vector<int> times_computed_;  // node -> in how many places of a plan
  std::vector<at::Tensor*> held_;  // range -> all samples of a value that is held, or null
  std::vector<at::Tensor*> local_;  // node -> its value in the loop that is being prepared, or null
  std::vector<leaf_tensors> leaves_;
  std::vector<external_tensors> externals_;
  std::vector<at::Tensor> outputs_;
  std::vector<std::pair<at::Tensor*, double>> numbers_;  // in the arena
  struct made_tensor {
    int node;
    at::Tensor* y;
    index_t samples;
  };
  std::vector<made_tensor> made_;  // by kernels that have not run yet
  bool draws_ = false, draws_elsewhere_ = false;

  auto own(at::Tensor t) -> at::Tensor*;
  auto in_arena(int range, const dims& d, index_t from = 0) -> at::Tensor*;
  auto whole_of(int range) -> at::Tensor*;
  void number_calls();
  void prepare_leaves(const bound_tensors& bound);
  void prepare_whole(int node);
  auto prepare_chunk(int loop, index_t samples) -> detail::chunk_steps;
  auto step_for(int node, at::Tensor* y, index_t samples = 0) -> detail::run_step;
  void add_step(std::vector<detail::run_step>& steps, const std::vector<int>& nodes, std::size_t p, at::Tensor* y,
                index_t samples = 0);
  auto operand_of(const graph_node& x, int k) const -> at::Tensor*;
  /// What is computed together in the section or the loop that is being prepared.
  struct open_run {
    detail::element_run* of = nullptr;
    std::vector<std::pair<int, int>> numbers{};  // of its nodes, in the kernel
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
  /// Where in the batch a kernel is called: the first of its samples, how many, and how many full
  /// chunks have.
  struct place {
    index_t start = 0, samples = 0, chunk = 0;
    auto chunk_number() const -> index_t { return chunk > 0 ? start / chunk : 0; }
  };
  void perform(const detail::run_step& s, const place& at, std::uint64_t seed, detail::allocation_watch& watch) const;
  void perform(const detail::element_run& run, const place& at) const;
  void add_part(const detail::run_step& s, const place& at, index_t together) const;
  static void finish(const detail::run_step& s);
  void renew_outputs();
  void prepare_outputs();
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/program.ipp>
#endif
