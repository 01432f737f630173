// SPDX-License-Identifier: MIT
#pragma once
// The plan of one run: the graph, its schedule, the chunk sizes and the offset of every buffer.
// Making a plan does not run anything.
#include <koila/plan/cost.hpp>

#include <iosfwd>
#include <optional>
#include <stdexcept>

namespace koila::inline v0 {

struct memory_record;

/// The chunk sizes that the planner considers besides the whole batch.
enum class chunk_policy : signed char {
  /// Powers of two below the batch, and the sizes with which a sum over the batch has 64 terms.
  /// (Each chunk contributes one or more terms to a sum.) The last chunk may be smaller.
  powers_of_two,
  balanced,  ///< the batch in 2, 3, 4, 6, 8, 12, ... chunks of equal or nearly equal size
};
/// The same names without `chunk_policy::`, so that `{.policy = balanced}` compiles.
inline constexpr chunk_policy powers_of_two = chunk_policy::powers_of_two, balanced = chunk_policy::balanced;

/// The caller's options for a plan.
struct options {
  /// Memory budget in bytes. The budget includes the optimiser's state, but not inputs and
  /// parameters. -1 means the memory that is free now.
  index_t memory = -1;
  /// Samples per chunk. A value above the batch size means the whole batch; 0 means that the
  /// planner chooses among the sizes of `policy`. A negative value throws argument_error. If
  /// nothing can be split into chunks, the value has no effect; koila reports this once on stderr
  /// and in `explain`.
  index_t chunk = 0;
  chunk_policy policy = chunk_policy::powers_of_two;
  /// The machine for which chunk sizes are chosen. The default is this machine, which `machine_of`
  /// describes by its processor and threads. Nothing is measured by default; the function
  /// `measured` returns a measured machine. A figure that is out of range, such as a speed of 0,
  /// throws argument_error.
  std::optional<koila::machine> machine = {};
  friend constexpr auto operator==(const options&, const options&) -> bool = default;
};

constexpr auto operator""_KiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 10; }
constexpr auto operator""_MiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 20; }
constexpr auto operator""_GiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 30; }

/// Thrown before anything runs if no plan fits the budget, not even with chunks of one sample. Also
/// thrown during a run if memory runs out and no smaller plan is left.
struct memory_error : detail::error_of<std::runtime_error> {
  index_t needed, allowed;  ///< bytes
  memory_error(const std::string& what, index_t need, index_t allow) : error_of(what), needed(need), allowed(allow) {}
};

/// A plan to run a graph. It determines everything except addresses.
struct memory_plan {
  detail::builder graph;
  std::vector<int> outputs;  ///< the requested values, then the new values of the layers' buffers
  std::vector<char> external;  ///< node -> 1 if its buffer is a separate tensor, outside the arena
  std::vector<char> copied;  ///< output -> 1 if an earlier output has the same storage, so that it is copied at the end
  detail::schedule order;
  detail::lifetimes buffers;
  std::vector<index_t> chunks;  ///< samples per chunk of each loop
  index_t batch = 0;  ///< samples in the batch
  index_t arena_bytes = 0;  ///< size of the arena, which is one block for all buffers
  index_t output_bytes = 0;  ///< total size of the tensors that the run returns
  index_t resident_bytes = 0;  ///< inputs and parameters, allocated before the run
  index_t optimizer_bytes = 0;  ///< the optimiser's state, allocated before the run
  /// Predicted time by which plans are compared. The predicted time of each loop that splits the
  /// batch is divided by 1 - machine::min_speedup.
  double predicted_seconds = 0;
  koila::machine machine{};  ///< the machine that the time is predicted for
  index_t allowed = -1;  ///< the budget in bytes; negative: no limit
  options asked{};  ///< the caller's options

  /// Returns the maximum bytes that the run allocates, without the resident bytes.
  constexpr auto peak_bytes() const -> index_t { return arena_bytes + output_bytes + buffers.workspace(); }
  /// Returns the smallest chunk size of all loops, in samples, or the batch size if the batch is
  /// not split.
  constexpr auto chunk() const -> index_t {
    index_t c = batch;
    for (const index_t x : chunks) c = std::min(c, x);
    return c;
  }
  /// Returns one line for each option in `asked` that has no effect. The line states the reason.
  /// For example, `.chunk` has no effect if nothing can be split into chunks. Returns an empty
  /// string if all options have an effect.
  auto without_effect() const -> std::string;
  /// Writes the plan as text: its steps, the lifetime and the purpose of each value, the reason
  /// for each barrier between loops, and the memory that other chunk sizes would need.
  void explain(std::ostream& os) const;
  /// Writes an SVG plot of the bytes at each step, and of the measured bytes of a run if they are
  /// given (see tools/record_memory.hpp). Throws file_error if the file cannot be written.
  void timeline(const std::string& path) const;
  void timeline(const std::string& path, const memory_record& measured) const;
  /// Writes the steps with their predicted times and bytes as a trace for Perfetto or
  /// chrome://tracing. Throws file_error if the file cannot be written.
  void trace(const std::string& path) const;
  void trace(const std::string& path, const memory_record& measured) const;
};

}  // namespace koila::inline v0
