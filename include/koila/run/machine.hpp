// SPDX-License-Identifier: MIT
#pragma once
// The performance figures of the machine, which the planner uses for plans on the host. If the user
// asks for a measurement, the figures are measured. Otherwise, they are derived from the processor
// and the number of threads.
#include <koila/plan/machine_of.hpp>

#include <ATen/core/Tensor.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace koila::inline v0 {

/// Returns the measured performance figures of this machine for the current number of LibTorch's
/// threads (at::get_num_threads): `{.machine = measured("machine.txt")}`. Measuring takes about 0.3
/// s. If `file` has figures for this number of threads, they are read and nothing is measured.
/// Otherwise the new figures are added to the file. If memory is short, or if the machine is so
/// busy that no two measurements agree, returns the figures derived from the processor, and writes
/// nothing. Throws file_error if the file belongs to another machine, was not written by this
/// function, or cannot be read or written.
auto measured(const std::string& file = "") -> machine;

namespace detail {

/// For tests. If this pointer is not null, all plans whose options do not state a machine use the
/// machine that the pointer refers to.
inline std::atomic<const machine*> stated_machine{nullptr};

/// Returns the machine that plans on a device use if their options do not state a machine. Returns
/// nothing if koila knows no figures of the device.
auto machine_for(at::Device where) -> std::optional<machine>;

/// Returns the machine that plans on the host use if their options do not state a machine. This is
/// the result of `machine_of` or, if the environment variable KOILA_MACHINE_FILE names a file, the
/// result of `measured` with this file. `measured` is called once for each number of threads, and
/// its exceptions reach the caller. This function is thread-safe.
auto this_machine() -> machine;

/// Returns a text that identifies the processor, the kernels and the version of the measurements.
/// The measured figures depend on these and on the number of threads.
auto machine_key() -> std::string;
/// Returns true if every figure is in the range of values that a machine can have.
auto is_plausible(const machine& m) -> bool;
/// Returns, for each measured figure, the faster of two measurements, because other programs can
/// only make a machine slower.
auto better_of(const machine& a, const machine& b) -> machine;
/// Returns true if, for each figure, at least two measurements are within 25 % of the figure in
/// `best`.
auto is_confirmed(const machine& best, std::span<const machine> seen) -> bool;

/// The wall time of a call (`passed`) and the CPU time of its thread (`own`), in seconds.
struct time_taken {
  double passed = 0, own = 0;
  /// Returns true if nothing else used the processor during the call.
  constexpr auto is_quiet() const -> bool { return own > 0 && passed <= 1.1 * own + 1e-6; }
};
/// Calls `measure` `calls` times. Each call of `measure` must make one measurement and return its
/// time. Returns the least CPU time, in seconds, of the measurements during which nothing else used
/// the processor. Returns nothing if there was no such measurement.
template <class F>
auto quiet_seconds(int calls, const F& measure) -> std::optional<double> {
  std::optional<double> least;
  for (int i = 0; i < calls; ++i)
    if (const time_taken t = measure(); t.is_quiet() && (!least || t.own < *least)) least = t.own;
  return least;
}

/// A file with the figures of one machine, for several numbers of threads.
class machine_file {
 public:
  /// Reads the file if it exists and is not empty. Throws file_error.
  machine_file(std::string path, std::string key);
  auto find(double threads) const -> std::optional<machine>;
  /// Adds figures and writes the file. On failure the old file stays. Throws file_error.
  void add(const machine& m);
  /// Throws file_error if the file cannot be written.
  void require_writable() const;

 private:
  std::string path_, key_;
  std::vector<machine> all_;
  [[noreturn]] void refuse(const std::string& reason) const;
};

}  // namespace detail

}  // namespace koila::inline v0
