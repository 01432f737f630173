// SPDX-License-Identifier: MIT
#pragma once
// A region: the operators that were recorded on the tensors of one batch, as calls of koila's ops.
#include <koila/graph/call_trace.hpp>
#include <koila/intercept/intercept.hpp>
#include <koila/torch/gradient_node.hpp>
#include <koila/torch/lazy_tensor.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace koila::inline v0::detail {

using weak_tensor = c10::weak_intrusive_ptr<c10::TensorImpl>;

/// A value of a region: a captured tensor, a number, or the result of a call.
struct recorded_value {
  enum value_kind : signed char { captured, number, call } kind = call;
  author::dims dims{};  ///< of the whole batch
  bool requires_grad = false;
  bool pending_update = false;  ///< the call changes buffers, and its first run is still to come
  bool released = false;  ///< a gradient has flowed through it, and the program did not keep the graph
  bool was_read = false;  ///< operators outside of the region may have read the value
  int tensor = -1;  ///< captured: index in region::captured
  std::uint32_t version = 0;  ///< of the tensors, when the value was computed
  double scalar = 0;
  const op_info* op = nullptr;
  int operand_count = 0;
  int view_of = -1;  ///< the value whose memory this value shares in an eager program
  std::array<int, most_operands> operands{};
  handle<const object> attributes;
  std::vector<weak_tensor> tensors;  ///< the lazy tensors of this value that the program may hold
};

/// A tensor from outside that a recorded call reads.
struct captured_tensor {
  at::Tensor tensor;
  std::int64_t version;  ///< at the time of the first call
  int value;
  int edge = -1;  ///< of the region's node; -1 if the tensor gets no gradient
};

/// A gradient that enters a region, for a value of the region. An undefined gradient is that of a
/// loss, which is 1.
struct region_seed {
  int value;
  at::Tensor cotangent;
};

class region final : public lazy_source, public gradient_source, public std::enable_shared_from_this<region> {
 public:
  region(index_t batch, at::Device device, const intercept_options& o) : batch_(batch), device_(device), options_(o) {}
  ~region() override;
  static auto make(index_t batch, at::Device device, const intercept_options& o) -> std::shared_ptr<region>;

  auto batch() const -> index_t { return batch_; }
  auto device() const -> at::Device { return device_; }
  auto settings() const -> const intercept_options& { return options_; }
  auto mutex() -> std::recursive_mutex& { return mutex_; }
  /// Returns this region or, if it takes no more calls, the region that takes further calls.
  auto open() -> std::shared_ptr<region>;
  /// After this call, the region takes no more calls. Its values can still be computed.
  void close() { is_closed_ = true; }

  // ---- recording: these functions are called with the mutex locked

  /// Returns the value of a tensor: a value of this region, or a captured tensor. Returns -1 if
  /// koila does not support the tensor.
  auto value_of(const at::Tensor& t) -> int;
  auto number(double v, const dims& d) -> int;
  /// Records a call. Returns the value of the result, or -1 if the op refuses the operands or if
  /// the region takes no more edges. `updates` says that the call changes operands that are
  /// buffers.
  auto call(const op_info& op, const int* operands, int n, handle<const object> attributes, bool updates = false)
      -> int;
  /// Returns the next number of a random call. Calls are numbered from 1 on.
  auto next_random() -> std::uint64_t { return ++random_calls_; }
  auto dims_of_value(int v) const -> const dims& { return values_[static_cast<std::size_t>(v)].dims; }
  /// Returns true if the value is a captured tensor that may be a buffer, such as running
  /// statistics.
  auto is_buffer(int v) const -> bool;
  auto is_captured(int v) const -> bool { return value(v).kind == recorded_value::captured; }
  auto tensor_of_value(int v) const -> const at::Tensor& { return captured_[index(value(v).tensor)].tensor; }
  /// Returns true if one of the recorded operands of a value requires a gradient.
  auto wants_gradient(int v) const -> bool { return value(v).requires_grad; }
  /// Makes a lazy tensor of a value.
  auto tensor_for(int v) -> at::Tensor;
  /// Lets a lazy tensor stand for another value, as an operator in place does.
  void assign(const at::Tensor& self, int v);
  /// Must be called before and after each operator that is recorded.
  void begin_call() { ++calls_; }
  void end_call();
  /// The state to which `rewind` returns, if an operator was recorded in part.
  struct mark {
    std::size_t values;
    std::uint64_t random_calls;
  };
  auto here() const -> mark { return {values_.size(), random_calls_}; }
  /// Forgets the calls since `m`. They must not have tensors.
  void rewind(const mark& m);
  auto is_closed() const -> bool { return is_closed_; }
  /// Returns true if the tensor's autograd history is the one that the region gave its value.
  auto has_own_history(const at::Tensor& t, int v) const -> bool;
  /// Notes that a value shares the memory of another value, as a view does in an eager program.
  void set_view(int v, int of_value) { value(v).view_of = of_value; }
  auto view_of(int v) const -> int { return value(v).view_of; }
  /// Returns the value whose memory a value shares in an eager program.
  auto memory_of(int v) const -> int;
  /// Returns the values that share the memory of `v` in an eager program, and have tensors.
  auto held_aliases(int v) const -> std::vector<int>;
  /// Returns true if the program holds another tensor that shares the memory of `t` in an eager
  /// program, but not here.
  auto has_separate_view(const at::Tensor& t) const -> bool;
  /// Returns the lazy tensors of a value.
  auto lazy_tensors(int v) const -> std::vector<at::Tensor>;
  auto recorded(int v) const -> const recorded_value& { return value(v); }
  auto batch_dim_of(const dims& d) const -> int { return d.find(axis_name<struct batch>); }

  // ---- running

  void compute(int value) override;
  void add_tensor(int value, const at::Tensor& t) override;
  auto gradients(const std::vector<at::Tensor>& cotangents) -> std::vector<at::Tensor> override;
  auto reaches(std::size_t output, const std::vector<at::Tensor>& cotangents) -> bool override;
  void release() override;
  /// Computes all values that the program may still read.
  void compute_all();
  /// Forgets what no tensor and no other node of autograd needs any more.
  void forget();
  /// Performs the updates of buffers that are still to come.
  void update_buffers();
  auto plan_of_loss(int value) -> memory_plan;
  /// Returns true if one of the updates that are still to come changes the tensor.
  auto is_updating(const at::Tensor& t) const -> bool;

 private:
  index_t batch_;
  at::Device device_;
  intercept_options options_;
  std::recursive_mutex mutex_;
  bool is_closed_ = false;
  bool is_running_ = false;
  int calls_ = 0;  // operators that are being recorded
  bool is_stale_ = false;  // some values are not needed any more, because the region's node is gone
  std::weak_ptr<region> next_;
  std::vector<recorded_value> values_;
  std::vector<captured_tensor> captured_;
  std::unordered_map<const c10::TensorImpl*, int> known_;  // tensor -> its value
  weak_gradient_node node_;
  gradient_node held_;  // while an operator is recorded, so that the node lives until a tensor refers to it
  std::vector<int> outputs_;  // output of the node -> value
  std::size_t edge_count_ = 0;  // of the node
  std::uint64_t random_calls_ = 0;
  std::optional<std::uint64_t> seed_;
  /// The gradients of a loss that was read before `backward`.
  struct kept_gradients {
    int value = -1;
    std::vector<at::Tensor> of_edges;
  };
  kept_gradients kept_;
  std::vector<int> differentiated_;  // the roots of the last call of `gradients`

  static auto index(int i) -> std::size_t { return static_cast<std::size_t>(i); }
  auto value(int v) -> recorded_value& { return values_[index(v)]; }
  auto value(int v) const -> const recorded_value& { return values_[index(v)]; }
  auto node() -> gradient_node&;
  auto add_edge(recorded_value& v) -> bool;
  void attach(const at::Tensor& t, int v);
  auto lazy_values() const -> std::vector<int>;
  auto is_lazy_now(int v) const -> bool;
  /// Computes the lazy values of this thread's other regions that depend on trained tensors. After
  /// backward, an optimiser may change these tensors, by p.data() even without changing a version.
  void compute_others() const;
  auto reads_trained_tensors() const -> bool;
  auto root_among(const std::vector<int>& wanted) const -> int;
  void run(const std::vector<int>& wanted, const std::vector<region_seed>& seeds, std::vector<at::Tensor>* of_edges);
  void become(int v, const at::Tensor& t);
  void require_unchanged(const std::vector<char>& needed) const;
  void forget_unreachable();
  auto computed_tensor(int v) const -> at::Tensor;
  auto has_live_gradient(int v) const -> bool;
  /// Returns true if the node has references besides those of the region's own tensors.
  auto is_node_shared() const -> bool;
  auto reached_by(const std::vector<region_seed>& seeds) const -> std::vector<char>;
  void mark_operands(std::vector<char>& needed, bool differentiated) const;
  friend class region_program;
};

}  // namespace koila::inline v0::detail
