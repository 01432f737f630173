#pragma once
// What plans of the host are made for: figures that follow from its processor and the number of
// threads, or, where the user asks for it, figures that were measured.
#include <koila/plan/machine_of.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace koila {

/// This machine's figures for the number of threads that LibTorch has now (at::get_num_threads),
/// measured in about 0.3 s: `{.on = measured("machine.txt")}`. Where `file` has these figures they
/// are read from it and nothing is measured; else they are written to it, beside those for other
/// numbers of threads. Where no two measurements agree, since the machine is busy all the time, or
/// where memory is short, it gives the figures that follow from the processor, and writes nothing.
/// Throws std::runtime_error where the file is of another machine, is no such file, or cannot be
/// read or written.
auto measured(const std::string& file = "") -> machine;

namespace detail {

/// For tests: what all plans are made for whose options name no machine.
inline std::atomic<const machine*> stated_machine{nullptr};

/// The figures for plans of the host whose options name none: those of `machine_of`; or where the
/// environment has KOILA_MACHINE_FILE, those of `measured` with that file, found out once for each
/// number of threads. Throws as `measured` does. For any thread.
auto this_machine() -> machine;

/// What measurements depend on besides the number of threads: processor, kernels, and how koila
/// measures.
auto machine_key() -> std::string;
/// Whether a machine can be so.
auto is_plausible(const machine& m) -> bool;
/// The better figures of two measurements: other programs make a machine slower, never faster.
auto better_of(const machine& a, const machine& b) -> machine;
/// Whether each of the best figures was seen twice: within a quarter.
auto is_confirmed(const machine& best, std::span<const machine> seen) -> bool;

/// Seconds of a call that passed, and those in which its thread had a processor.
struct time_taken {
  double passed = 0, own = 0;
  /// Whether nothing else had the processor meanwhile.
  constexpr auto is_quiet() const -> bool { return own > 0 && passed <= 1.1 * own + 1e-6; }
};
/// The least seconds that a call takes, of several while nothing else had the processor; `take`
/// makes one. Nothing where there was none such.
template <class F>
auto quiet_seconds(int calls, const F& take) -> std::optional<double> {
  std::optional<double> least;
  for (int i = 0; i < calls; ++i)
    if (const time_taken t = take(); t.is_quiet() && (!least || t.own < *least)) least = t.own;
  return least;
}

/// The figures of one machine in a file, for some numbers of threads each.
class machine_file {
 public:
  /// Reads it, where it is there and not empty. Throws std::runtime_error.
  machine_file(std::string path, std::string key);
  auto find(double threads) const -> std::optional<machine>;
  /// Adds a machine and writes all, or leaves what was there. Throws std::runtime_error.
  void add(const machine& m);
  /// Throws std::runtime_error where it cannot be written.
  void require_writable() const;

 private:
  std::string path_, key_;
  std::vector<machine> all_;
  [[noreturn]] void refuse(const std::string& why) const;
};

}  // namespace detail

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/machine.ipp>
#endif
