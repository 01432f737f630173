#pragma once
// A plan made ready to run: the arena, one tensor for each value in it, the steps of each loop. Run as often as wanted.
#include <koila/plan/planner.hpp>
#include <koila/run/random.hpp>
#include <koila/run/tensor.hpp>

#include <deque>
#include <memory>

namespace koila {

/// What a call binds: tensors for inputs.
struct bound_tensor {
  handle<const leaf_state> leaf;
  at::Tensor tensor;
};
using bound_tensors = std::vector<bound_tensor>;

namespace detail {

/// Draws random numbers on the device of y.
void draw(const op_info& op, at::Tensor& y, const at::Tensor* const* in, const object* at, const portion& where);
/// Throws shape_error for an op whose kernel is for the host alone.
void require_kernel(const op_info& op, at::Device device);

/// One kernel call of a chunk, or of a section.
struct run_step {
  const op_info* op = nullptr;  // null: copies in[0] into y
  at::Tensor* y = nullptr;
  at::Tensor* part = nullptr;  // where a partial without `accumulate` puts a later chunk's part, or with a total every chunk's
  at::Tensor* total = nullptr;  // the parts put together, in more bits than y has
  at::Tensor* lost = nullptr;  // of very many parts: what rounding has taken from y
  std::array<const at::Tensor*, most_operands> in{};
  const object* attributes = nullptr;
  bool partial = false;
  relation r{};
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

class program {
 public:
  /// Allocates the arena on the device of the tensors and prepares every step.
  program(memory_plan p, const bound_tensors& bound);
  program(const program&) = delete;
  auto operator=(const program&) -> program& = delete;

  /// Whether the program can run these tensors: same dims, strides, dtypes and device as those it was made for; and the same
  /// parameters are trained.
  auto fits(const bound_tensors& bound) const -> bool;
  /// Runs on these tensors. Nothing but the arena and the outputs is written, and at the end buffers; an exception leaves
  /// everything else as it was.
  void run(const bound_tensors& bound);
  /// The value of output k. A tensor that leaves is the caller's: the next run does not write to it while it is held.
  auto output(std::size_t k) const -> const at::Tensor& { return outputs_[k]; }
  auto plan() const -> const memory_plan& { return plan_; }

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
  };

  memory_plan plan_;
  at::Tensor arena_, nothing_;
  at::Device device_ = at::kCPU;
  std::deque<at::Tensor> tensors_;  // addresses stay
  std::vector<at::Tensor*> whole_;  // node -> its whole value, or null
  std::vector<std::vector<detail::run_step>> section_;
  std::vector<std::vector<detail::chunk_steps>> loop_;  // for full chunks, and for a shorter last one
  std::vector<at::Tensor*> held_;  // range -> all samples of a value that is held, or null
  std::vector<at::Tensor*> local_;  // node -> its value in the loop that is being prepared, or null
  std::vector<leaf_tensors> leaves_;
  std::vector<external_tensors> externals_;
  std::vector<at::Tensor> outputs_;
  bool draws_ = false;  // random numbers

  auto own(at::Tensor t) -> at::Tensor*;
  auto in_arena(int range, const dims& d) -> at::Tensor*;
  auto whole_of(int range) -> at::Tensor*;
  void prepare_leaves(const bound_tensors& bound);
  void prepare_whole(int node);
  auto prepare_chunk(int loop, index_t samples) -> detail::chunk_steps;
  auto step_for(int node, at::Tensor* y) -> detail::run_step;
  auto tensor_for(const leaf_state& leaf, const bound_tensors& bound) const -> const at::Tensor&;
  void follow(at::Tensor* t, int owner);
  void bind(const bound_tensors& bound);
  void release_inputs();
  void renew_outputs();
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/program.ipp>
#endif
