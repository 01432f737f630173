// SPDX-License-Identifier: MIT
#pragma once
// The plan of one run: the graph, its schedule, the chunk sizes and the offset of every buffer.
// Making a plan runs nothing.
#include <koila/plan/cost.hpp>

#include <iosfwd>
#include <optional>
#include <stdexcept>

namespace koila {

struct memory_record;

/// The chunk sizes that are considered besides the whole batch.
enum class chunk_policy : signed char {
  /// Powers of two below the batch, and the sizes with which a sum has 64 parts, one or more for
  /// each chunk. The last chunk may be smaller.
  powers_of_two,
  balanced,  ///< the batch in 2, 3, 4, 6, 8, 12, ... chunks of the same size, or nearly so
};
/// The same names without `chunk_policy::`: `{.policy = balanced}`.
inline constexpr chunk_policy powers_of_two = chunk_policy::powers_of_two, balanced = chunk_policy::balanced;

/// Options of a plan, which the caller may set.
struct options {
  /// Memory budget in bytes, beyond inputs and parameters. Includes the optimiser's state. -1: the
  /// memory that is free now.
  index_t memory = -1;
  /// Samples per chunk, at most the whole batch. 0: chosen among the sizes of `policy`. A negative
  /// value throws argument_error. Has no effect if nothing is split into chunks; koila says
  /// so once on stderr and in `explain`.
  index_t chunk = 0;
  chunk_policy policy = chunk_policy::powers_of_two;
  /// The machine that chunk sizes are chosen for. Default: this machine, by its processor and
  /// threads (`machine_of`), without measuring; only `measured` measures. A figure that is out of
  /// range, such as a speed of 0, throws argument_error.
  std::optional<koila::machine> machine = {};
  friend constexpr auto operator==(const options&, const options&) -> bool = default;
};

constexpr auto operator""_KiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 10; }
constexpr auto operator""_MiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 20; }
constexpr auto operator""_GiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 30; }

/// Thrown if not even one sample at a time fits. That is known before anything runs, unless memory
/// runs out during a run: then it is thrown when no smaller plan is left.
struct memory_error : detail::error_of<std::runtime_error> {
  index_t needed, allowed;  ///< bytes
  memory_error(const std::string& what, index_t need, index_t allow) : error_of(what), needed(need), allowed(allow) {}
};

/// One way to run a graph. Everything is known except addresses.
struct memory_plan {
  detail::builder graph;
  std::vector<int> outputs;  ///< the requested values, then the new values of buffers
  std::vector<char> external;  ///< node -> 1 if its buffer is a separate tensor
  std::vector<char> copied;  ///< output -> 1 if an earlier one has the same storage: copied at the end
  detail::schedule order;
  detail::lifetimes buffers;
  std::vector<index_t> chunks;  ///< samples per chunk of each loop
  index_t batch = 0;  ///< samples in the batch
  index_t arena_bytes = 0;  ///< size of the block of all buffers
  index_t output_bytes = 0;  ///< tensors that the run returns
  index_t resident_bytes = 0;  ///< inputs and parameters, allocated before the run
  index_t optimizer_bytes = 0;  ///< the optimiser's state, allocated before the run
  /// Time that the cost model predicts, as used to compare plans. The time of loops that split the
  /// batch is divided by 1 - machine::min_speedup.
  double predicted_seconds = 0;
  koila::machine machine{};  ///< the machine that the time is predicted for
  index_t allowed = -1;  ///< the budget in bytes; negative: no limit
  options asked{};  ///< the caller's options

  /// Returns the most bytes that the run allocates, on top of the resident bytes.
  constexpr auto peak_bytes() const -> index_t { return arena_bytes + output_bytes + buffers.workspace(); }
  /// Returns the samples per chunk of the loop that has the fewest, or the whole batch if it is not
  /// split.
  constexpr auto chunk() const -> index_t {
    index_t c = batch;
    for (const index_t x : chunks) c = std::min(c, x);
    return c;
  }
  /// Returns one line for each option in `asked` that has no effect, with the reason, such as
  /// `.chunk` if nothing is split. Empty if all options have an effect.
  auto without_effect() const -> std::string;
  /// Writes the steps that will run, when each value is alive and what it is for, the reason for
  /// each barrier, and what other chunk sizes would need.
  void explain(std::ostream& os) const;
  /// Draws the bytes at each step as an SVG file, and over them the measured bytes of a run if they
  /// are given (see tools/record_memory.hpp). Throws file_error if the path cannot be
  /// written, as `trace` does.
  void timeline(const std::string& path) const;
  void timeline(const std::string& path, const memory_record& measured) const;
  /// Writes the steps with their predicted times and bytes as a trace for Perfetto or
  /// chrome://tracing.
  void trace(const std::string& path) const;
  void trace(const std::string& path, const memory_record& measured) const;
};

}  // namespace koila
