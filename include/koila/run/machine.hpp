#pragma once
// What plans are made for: the figures of the cost model, measured on this machine.
#include <koila/plan/cost.hpp>

#include <optional>
#include <span>
#include <string>

namespace koila {

/// The host as LibTorch's threads find it: measured anew, in some 0.2 s, or 0.5 s where other programs disturb it. The defaults where it cannot be measured.
auto measured_machine() -> machine;

namespace detail {

/// Seconds of the fastest plan from which on the machine is measured for it: of a step of so many milliseconds, which seldom runs only a
/// few times, and of which the figures of another machine would waste more than it takes to measure.
inline constexpr double worth_measuring = 0.02;
/// Bytes of memory that it takes for a moment, between which it copies; where a plan may not have them, nothing is measured.
inline constexpr index_t bytes_to_measure = index_t{64} << 20;

/// What measurements depend on: processor, threads, kernels, and how koila measures.
auto machine_key() -> std::string;
/// Where a user's measurements are kept; "" where there is no such folder.
auto machine_file(const std::string& key) -> std::string;
/// Whether a machine can be so.
auto is_plausible(const machine& m) -> bool;
/// Whether each of the best figures was seen twice, or nearly so.
auto is_confirmed(const machine& best, std::span<const machine> seen) -> bool;
auto better_of(const machine& a, const machine& b) -> machine;
/// What a file says of the machine of that key, unless it cannot be so.
auto read_machine(const std::string& path, const std::string& key) -> std::optional<machine>;
/// All of the file, or what was there before. False where that cannot be.
auto write_machine(const std::string& path, const std::string& key, const machine& m) -> bool;
/// The figures for plans whose options name none: measured once, and kept in a file for later processes if it was
/// confirmed. Defaults where the
/// environment says KOILA_MEASURE=off. For any thread.
auto this_machine() -> machine;

}  // namespace detail

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/machine.ipp>
#endif
