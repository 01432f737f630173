#pragma once
// The plan of one run: the graph, its schedule, the chunk that fits, every buffer's place. Nothing
// has run yet.
#include <koila/plan/cost.hpp>

#include <iosfwd>
#include <optional>
#include <stdexcept>

namespace koila {

struct memory_record;

/// Which chunk sizes are considered, besides the whole batch.
enum class chunk_policy : signed char {
  powers_of_two,  ///< those below the batch, and the size of 64 chunks, or parts of a sum; the last chunk may be smaller
  balanced,  ///< the batch in 2, 3, 4, 6, 8, 12, ... parts of the same size, or nearly so
};
inline constexpr chunk_policy powers_of_two = chunk_policy::powers_of_two, balanced = chunk_policy::balanced;

/// What a caller may fix.
struct options {
  /// Bytes that may be taken besides inputs and parameters, what an optimiser keeps included; -1:
  /// what is free now.
  index_t memory = -1;
  /// Samples per chunk, the whole batch at most; 0: chosen as the policy says; negative: refused
  /// with std::invalid_argument. Where nothing is cut it has no effect, which is said once on
  /// stderr and by `explain`.
  index_t chunk = 0;
  chunk_policy policy = chunk_policy::powers_of_two;
  /// What chunks are chosen for; else this machine by its processor and threads (`machine_of`):
  /// nothing is measured but by `measured`. A figure that is not above 0 is refused with
  /// std::invalid_argument.
  std::optional<machine> on = {};
};

constexpr auto operator""_KiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 10; }
constexpr auto operator""_MiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 20; }
constexpr auto operator""_GiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 30; }

/// Thrown before anything runs, when not even one sample at a time fits.
struct memory_error : std::runtime_error {
  index_t needed, allowed;  ///< bytes
  memory_error(const std::string& what, index_t need, index_t allow)
      : runtime_error(what), needed(need), allowed(allow) {}
};

/// One way to run a graph: everything is known but the addresses.
struct memory_plan {
  builder graph;
  std::vector<int> outputs;  ///< as asked for, then what buffers are changed to
  std::vector<char> external;  ///< node -> its buffer is a tensor of its own
  std::vector<char> copied;  ///< output -> another output has the same storage: it is copied at the end
  schedule order;
  lifetimes buffers;
  std::vector<index_t> chunks;  ///< samples per chunk of each loop
  index_t batch = 0;  ///< samples
  index_t arena_bytes = 0;  ///< the block of all buffers
  index_t output_bytes = 0;  ///< tensors that leave
  index_t resident_bytes = 0;  ///< inputs and parameters, there already
  index_t optimizer_bytes = 0;  ///< what an optimiser keeps, there already
  double predicted_seconds =
      0;  ///< by the cost model, as plans are compared: of a split batch more by the machine's min_speedup
  machine on{};  ///< what that is predicted for
  index_t allowed = -1;  ///< the budget in bytes, negative: none
  options asked{};  ///< what the caller has fixed

  /// Bytes that the run allocates at most, on top of what is resident.
  constexpr auto peak_bytes() const -> index_t { return arena_bytes + output_bytes + buffers.workspace(); }
  /// Samples per chunk, of the loop that has the fewest; the whole batch where it is not split.
  constexpr auto chunk() const -> index_t {
    index_t c = batch;
    for (const index_t x : chunks) c = std::min(c, x);
    return c;
  }
  /// What of `asked` has no effect here and why, such as `.chunk` where nothing is cut: a line
  /// each, empty where all has.
  auto without_effect() const -> std::string;
  /// Writes what will run, what is alive when and what for, why each barrier is there, and what
  /// other chunks would need.
  void explain(std::ostream& os) const;
  /// Draws the bytes over the steps as SVG, and over them what a run was measured to take: see
  /// tools/record_memory.hpp. Throws std::runtime_error where the path cannot be written, as does
  /// `trace`.
  void timeline(const std::string& path) const;
  void timeline(const std::string& path, const memory_record& measured) const;
  /// Writes the steps with their predicted times, and the bytes, as a trace that Perfetto and
  /// chrome://tracing open.
  void trace(const std::string& path) const;
  void trace(const std::string& path, const memory_record& measured) const;
};

}  // namespace koila
