// SPDX-License-Identifier: MIT
#pragma once
// Memory report: the use of a plan's memory at each step, and the reasons for the plan's barriers.
// memory_plan::explain, timeline and trace show this report.
#include <koila/plan/plan.hpp>

#include <array>
#include <string>

namespace koila::inline v0 {

/// The use of memory. Inputs, parameters and the optimiser's state are resident: they are
/// allocated before the run. The run allocates the rest.
enum class memory_use : signed char {
  input,       ///< inputs, and tensors that the expression holds
  parameter,   ///< parameters and buffers of layers
  optimizer,   ///< the optimiser's state
  output,      ///< the value, and the new values of buffers
  gradient,    ///< gradients of parameters, and their accumulators
  held,        ///< per-sample values of the whole batch, kept in memory for a later loop or gathered
  whole,       ///< sums over the batch and other values that do not depend on the sample
  activation,  ///< per-sample values of the forward pass
  cotangent,   ///< gradients of per-sample values
  workspace,   ///< memory that a kernel allocates for itself
  gap,         ///< unused bytes between buffers
};
inline constexpr std::size_t memory_uses = 11;
constexpr auto is_resident(memory_use u) -> bool { return u <= memory_use::optimizer; }
auto to_string(memory_use u) -> std::string_view;

/// Bytes of each use.
struct bytes_by_use {
  std::array<index_t, memory_uses> bytes{};

  constexpr auto operator[](memory_use u) -> index_t& { return bytes[static_cast<std::size_t>(u)]; }
  constexpr auto operator[](memory_use u) const -> index_t { return bytes[static_cast<std::size_t>(u)]; }
  /// Returns the bytes that the run allocates.
  constexpr auto allocated() const -> index_t {
    index_t n = 0;
    for (std::size_t u = 0; u < memory_uses; ++u) n += is_resident(static_cast<memory_use>(u)) ? 0 : bytes[u];
    return n;
  }
  constexpr auto resident() const -> index_t {
    return (*this)[memory_use::input] + (*this)[memory_use::parameter] + (*this)[memory_use::optimizer];
  }
};

/// The memory and time of the plan's schedule with given chunk sizes.
struct other_chunk {
  std::vector<index_t> chunks;  ///< samples per chunk of each loop; empty: no such plan
  index_t peak_bytes = 0;
  double seconds = 0;
};

/// The memory of a plan by its use. Points to the plan, which must outlive the report.
struct memory_report {
  /// A buffer of the arena, or a separate tensor.
  struct buffer {
    int node = -1;
    memory_use use = memory_use::whole;
    koila::detail::role role = koila::detail::role::value;
    int begin = 0, end = 0;  ///< the first and the last step at which the buffer is alive
    index_t bytes = 0;
  };
  /// One step of the plan. The steps of a loop run for every chunk.
  struct step {
    int node = -1;  ///< the node that is computed; -1: a loop begins or ends, or the run commits
    int loop_or_section = 0;   ///< index of the loop, or of the section if the step is outside the loops
    bool in_loop = false;
    int kernel_begin = 0, kernel_end = 0;  ///< the first and the last step of the step's kernel
    bool in_cache = false;                 ///< the value has no buffer, because only its kernel reads it
    double seconds = 0;                    ///< predicted by the cost model, for one chunk
    bytes_by_use bytes;                    ///< bytes alive at this step, and the workspace of its kernel
  };
  /// One reason for a barrier: a partial value of the previous loop that this loop needs.
  struct cause {
    int partial;
    std::vector<int> readers;  ///< the nodes that read the partial value
    int user = -1;             ///< a node in this loop or a later loop that depends on the partial value; -1: none
    int loop = -1;             ///< the loop of `user`
  };

  /// Buffers with the same use and label.
  struct share {
    std::string label;  ///< "gradient of w1: mm(transpose, x)"
    author::dims dims;             ///< dims of each buffer
    memory_use use = memory_use::whole;
    int count = 0;
    index_t bytes = 0;  ///< bytes of all buffers together
    /// Returns the label with the number of buffers, such as "4 x gelu(linear)".
    auto name() const -> std::string { return count == 1 ? label : std::to_string(count) + " x " + label; }
  };

  std::vector<buffer> buffers;
  std::vector<step> steps;
  std::vector<std::vector<cause>> barriers;  ///< loop -> the partials that the loop waits for; empty for the first loop
  std::vector<index_t> times;  ///< loop -> number of chunks
  std::vector<std::string> gradient_of;  ///< node -> name of the parameter whose gradient it is, or an empty string
  std::vector<std::vector<int>> loops_of;  ///< node -> the loops that compute it
  std::size_t peak_step = 0;  ///< the step at which the most bytes are alive in the arena
  std::size_t workspace_step = 0;  ///< the step whose kernel needs the most workspace
  /// The bytes of each use at the peak. Their sum is exactly peak_bytes() plus the resident bytes.
  bytes_by_use peak;
  double seconds = 0;  ///< predicted by the cost model
  other_chunk now, smaller, larger;  ///< this plan, and smaller and larger chunks with the same held values

  explicit memory_report(const memory_plan& p);

  /// Returns a node and its operands as text, such as "mm(relu, w2)".
  auto describe(int node) const -> std::string;
  /// Returns a step as text, such as "step 17 in loop 1: relu(linear)".
  auto where(std::size_t step) const -> std::string;
  /// Returns the reason why a loop waits for a partial value, as a sentence without a full stop.
  auto reason(const cause& c) const -> std::string;
  /// Returns the buffers alive at a step, the largest first.
  auto alive(std::size_t step) const -> std::vector<share>;

 private:
  const memory_plan* plan_;
  void name_gradients();
  void find_steps();
  void find_buffers();
  void find_peak();
  void find_barriers();
  void find_other_chunks();
  auto use_of(int node, detail::role r) const -> memory_use;
  auto label(const buffer& b) const -> std::string;
  auto readers_of(int node) const -> std::vector<int>;
  auto names_of(const std::vector<int>& nodes) const -> std::string;
};

}  // namespace koila::inline v0
