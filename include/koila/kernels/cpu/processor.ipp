// SPDX-License-Identifier: MIT
#pragma once
// Definitions of processor.hpp.
#include <koila/ops/common/instructions.ipp>

#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace koila::inline v0 {

namespace detail {

/// Returns the registers that cpuid reports for a leaf on this machine. All registers are 0 if the
/// machine has no cpuid, or if cpuid does not have this leaf.
inline auto ask_cpuid([[maybe_unused]] std::uint32_t leaf, [[maybe_unused]] std::uint32_t subleaf) -> cpuid_registers {
  cpuid_registers r;
#ifdef __x86_64__
  if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
#endif
  return r;
}

inline auto read_processor() -> processor {
  processor p = processor_of(ask_cpuid);
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (p.l2_bytes == 0 && p.l3_bytes == 0) {  // an older processor, or another architecture
    p.l2_bytes = std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE));
    p.l3_bytes = std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE));
  }
#endif
  return p;
}

}  // namespace detail

}  // namespace koila::inline v0
