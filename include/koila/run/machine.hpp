#pragma once
// What plans are made for: the figures of the cost model, measured on this machine.
#include <koila/plan/cost.hpp>

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace koila {

/// The host as LibTorch's threads find it: measured anew, in some 0.2 s, or 0.5 s where other programs disturb it. The defaults where it
/// cannot be measured.
auto measured_machine() -> machine;

namespace detail {

/// Seconds of the fastest plan from which on the machine is measured for it, where it is not known: the figures of another machine make
/// chunks that are slower by some 10 %, so 200 such steps pay for the 0.2 s.
inline constexpr double worth_measuring = 0.01;
/// Bytes of memory that it takes for a moment, between which it copies; for a plan that may not have them, nothing is measured.
inline constexpr index_t bytes_to_measure = index_t{64} << 20;

/// What measurements depend on: processor, threads, kernels, and how koila measures.
auto machine_key() -> std::string;
/// Where a user's measurements are kept; "" where there is no such folder.
auto machine_file(const std::string& key) -> std::string;
/// Whether a machine can be so.
auto is_plausible(const machine& m) -> bool;
/// The better figures of two measurements: other programs make a machine slower, never faster.
auto better_of(const machine& a, const machine& b) -> machine;
/// Whether each of the best figures was seen twice: within a quarter.
auto is_confirmed(const machine& best, std::span<const machine> seen) -> bool;
/// What a file says of the machine of that key, unless it cannot be so.
auto read_machine(const std::string& path, const std::string& key) -> std::optional<machine>;
/// All of the file, or what was there before. False where that cannot be.
auto write_machine(const std::string& path, const std::string& key, const machine& m) -> bool;
/// The best figures of some measurements; `confirmed`: each was seen twice.
struct measurement {
  machine best;
  bool confirmed = false;
};
/// Keeps a measurement in its file if it is confirmed: what a busy machine made slow is not for the next process.
void keep(const std::string& path, const std::string& key, const measurement& m);
/// What a process knows of its host, for each number of LibTorch's threads. For any thread, which waits where another one measures.
class known_machines {
 public:
  /// What is known, or a file says; if neither does, what is measured now and kept for later processes, where it may be. Where it
  /// cannot be, the defaults are known from then on. Nothing where memory is too short to look.
  auto find(bool may_be_measured) -> std::optional<machine>;

 private:
  struct entry {
    int threads = 0;
    bool has_looked = false;  // for a file: once
    std::optional<machine> known;
  };
  auto of(int threads) -> entry&;

  std::mutex busy_;
  std::vector<entry> entries_;
};
/// The figures for plans whose options name none, where this process or an earlier one measured them. Nothing where the environment says
/// KOILA_MEASURE=off. For any thread.
auto known_machine() -> std::optional<machine>;
/// The same, measured where nothing is known; defaults where that cannot or may not be. For any thread.
auto this_machine() -> machine;

}  // namespace detail

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/machine.ipp>
#endif
