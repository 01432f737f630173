// SPDX-License-Identifier: MIT
#pragma once
// The speeds of a processor, from a small table and a formula. Nothing is timed, so plans are the
// same in every run.
#include <koila/ops/common/processor.hpp>
#include <koila/plan/cost.hpp>

#include <stdexcept>

namespace koila::inline v0 {

namespace detail {

/// Speeds of one core: float32 multiply-adds per cycle, cycles per second, bytes read or written
/// per cycle in the core's private cache and in the shared cache, and bytes per second from
/// memory.
struct core_figures {
  double products, hertz, own_bytes, shared_bytes, memory_bandwidth;
};
constexpr auto core_figures_of(const processor& p) -> core_figures {
  using enum processor::instruction_set;
  using enum processor::maker;
  const double lanes = p.instructions == avx512 ? 16 : p.instructions == avx2 ? 8 : 4;
  constexpr double units = 2;  // multiply-add units
  if (p.vendor == amd && p.family >= 0x1A) return {units * lanes, 4e9, 28, 22, 1.8e10};
  if (p.vendor == amd && p.family >= 0x19)
    return {units * std::min(lanes, 8.), 3.6e9, 28, 22, 1.8e10};  // executes AVX-512 as two halves
  if (p.vendor == amd) return {units * std::min(lanes, 8.), 3e9, 20, 16, 1.4e10};
  return {units * lanes, 3e9, 28, 10, 1.2e10};
}

}  // namespace detail

/// Returns the cost model's figures for a processor on which LibTorch runs `threads` threads. The
/// result depends only on the arguments, not on the machine that calls this function. Throws
/// argument_error if `threads` is less than 1.
constexpr auto machine_of(const processor& cpu, int threads) -> machine {
  if (threads < 1) throw argument_error("koila: machine_of: there is no thread: at least 1 is needed");
  constexpr double mib = 1024 * 1024;
  const detail::core_figures core = detail::core_figures_of(cpu);
  const double n = threads;
  const auto groups_of = [&](int cores) { return static_cast<double>((threads + cores - 1) / cores); };
  machine m;
  m.seconds_per_call = 4e-7;
  m.flops = n * 2 * core.products * core.hertz;
  m.elements *= n;
  m.threads = n;
  m.seconds_per_team = threads > 1 ? 2e-6 + 1e-7 * n : 0;
  // Other code uses a part of each cache. So the model counts only 3/4 of the private caches and
  // half of the shared caches. A shared cache counts as at most 32 MiB for every 8 threads (AMD
  // processors have 32 MiB for 8 cores), because other programs may use most of a larger cache.
  constexpr int cores_that_share = 8;
  const double l2 = cpu.l2_bytes > 0 ? static_cast<double>(cpu.l2_bytes) : mib, l3 = static_cast<double>(cpu.l3_bytes);
  m.bytes_in_cache = 0.75 * l2 * n;
  m.bytes_in_shared_cache = m.bytes_in_cache + 0.5 * std::min(l3 * groups_of(std::max(1, cpu.cores_per_l3)),
                                                              32 * mib * groups_of(cores_that_share));
  m.bandwidth_in_cache = core.own_bytes * core.hertz * n;
  m.bandwidth_in_shared_cache = core.shared_bytes * core.hertz * n;
  m.bandwidth_of_memory = core.memory_bandwidth * std::min(n, 8.);  // 8 cores use the whole bandwidth of the memory
  m.min_speedup = 0;
  m.tie_tolerance = 0.02;
  return m;
}

}  // namespace koila::inline v0
