#pragma once
// What a plan's bytes are for, step by step, and why its barriers are there: what explain, timeline
// and trace show.
#include <koila/plan/plan.hpp>

#include <array>
#include <string>

namespace koila {

/// What bytes are for. The first three are resident before the run; the others are what it
/// allocates.
enum class memory_use : signed char {
  input,       ///< inputs, and tensors that the expression holds
  parameter,   ///< parameters and buffers of layers
  optimizer,   ///< what an optimiser keeps
  output,      ///< the value, and what buffers are changed to
  gradient,    ///< of parameters, with the totals they are added up in
  held,        ///< per-sample values of the whole batch: held for a later loop, or gathered
  whole,       ///< sums over the batch and other values that do not depend on the sample
  activation,  ///< per-sample values of the forward pass
  cotangent,   ///< gradients of per-sample values
  workspace,   ///< what a kernel allocates for itself
  gap,         ///< lost between buffers, where placing them leaves gaps
};
inline constexpr std::size_t memory_uses = 11;
constexpr auto is_resident(memory_use u) -> bool { return u <= memory_use::optimizer; }
auto spell(memory_use u) -> std::string_view;

/// Bytes of each use.
struct bytes_by_use {
  std::array<index_t, memory_uses> bytes{};

  constexpr auto operator[](memory_use u) -> index_t& { return bytes[static_cast<std::size_t>(u)]; }
  constexpr auto operator[](memory_use u) const -> index_t { return bytes[static_cast<std::size_t>(u)]; }
  /// What the run allocates.
  constexpr auto allocated() const -> index_t {
    index_t n = 0;
    for (std::size_t u = 0; u < memory_uses; ++u) n += is_resident(static_cast<memory_use>(u)) ? 0 : bytes[u];
    return n;
  }
  constexpr auto resident() const -> index_t {
    return (*this)[memory_use::input] + (*this)[memory_use::parameter] + (*this)[memory_use::optimizer];
  }
};

/// A plan with other chunks.
struct other_chunk {
  std::vector<index_t> chunks;  ///< samples, of each loop; empty: there is none
  index_t peak_bytes = 0;
  double seconds = 0;
};

/// A plan seen by what its bytes are for. It refers to the plan.
struct memory_report {
  /// A buffer of the arena, or a tensor of its own.
  struct buffer {
    int node = -1;
    memory_use use = memory_use::whole;
    role is = role::value;
    int begin = 0, end = 0;  ///< the first and the last step at which it is alive
    index_t bytes = 0;
  };
  /// One step of the plan. A loop's steps are taken for every chunk.
  struct step {
    int node = -1;  ///< what is computed; -1: a loop begins or ends, or all is committed
    int part = 0;   ///< the loop or, outside of loops, the section
    bool in_loop = false;
    int kernel_begin = 0, kernel_end = 0;  ///< the first and the last step that the same kernel computes
    bool in_cache = false;                 ///< has no buffer: only that kernel reads it
    double seconds = 0;                    ///< by the cost model, of one chunk
    bytes_by_use bytes;                    ///< alive; the workspace is this step's
  };
  /// A partial of the loop before that a loop waits for.
  struct cause {
    int partial;
    std::vector<int> readers;  ///< what reads it, whether whole or per sample
    int user = -1;             ///< what needs it for its samples at last, in this loop or a later one
    int loop = -1;             ///< of `user`
  };

  /// Buffers of one use and one description.
  struct share {
    std::string label;  ///< "gradient of w1: mm(transpose, x)"
    dims d;             ///< of each
    memory_use use = memory_use::whole;
    int count = 0;
    index_t bytes = 0;  ///< of all
    /// "4 x gelu(linear)".
    auto name() const -> std::string { return count == 1 ? label : std::to_string(count) + " x " + label; }
  };

  std::vector<buffer> buffers;
  std::vector<step> steps;
  std::vector<std::vector<cause>> barriers;  ///< of each loop: what it waits for; the first waits for nothing
  std::vector<index_t> times;                ///< of each loop: chunks
  std::vector<std::string> gradient_of;      ///< node -> the parameter's name, or nothing
  std::vector<std::vector<int>> loops_of;    ///< node -> the loops that compute it
  std::size_t peak_step = 0;       ///< where the most bytes are alive in the arena
  std::size_t workspace_step = 0;  ///< whose kernel allocates the most
  /// Adds up to peak_bytes() and what is resident, exactly.
  bytes_by_use peak;
  double seconds = 0;  ///< by the cost model
  other_chunk now, smaller, larger;  ///< of the same values held

  explicit memory_report(const memory_plan& p);

  /// "mm(relu, w2)": a node and what it is computed from.
  auto describe(int node) const -> std::string;
  /// "step 17 in loop 1: relu(linear)".
  auto where(std::size_t step) const -> std::string;
  /// Why a loop waits for a partial, as a sentence without a full stop.
  auto reason(const cause& c) const -> std::string;
  /// What is alive at a step, the most bytes first.
  auto alive(std::size_t step) const -> std::vector<share>;

 private:
  const memory_plan* plan_;
  void name_gradients();
  void find_steps();
  void find_buffers();
  void find_peak();
  void find_barriers();
  void find_other_chunks();
  auto use_of(int node, role r) const -> memory_use;
  auto label(const buffer& b) const -> std::string;
  auto readers_of(int node) const -> std::vector<int>;
  auto names_of(const std::vector<int>& nodes) const -> std::string;
};

}  // namespace koila
