// SPDX-License-Identifier: MIT
#pragma once
// The description that a processor gives of itself. Plans and kernels are chosen by this
// description and not by measured times, so that every run uses the same plans and kernels.
#include <koila/shape/dims.hpp>

#include <algorithm>

namespace koila::inline v0 {

/// The properties of a processor by which plans and kernels are chosen.
struct processor {
  enum class maker : signed char { other, amd, intel };
  /// The instruction sets for which koila's kernels are compiled. Each instruction set includes the
  /// preceding ones.
  enum class instruction_set : signed char { baseline, avx2, avx512 };
  maker vendor = maker::other;
  int family = 0;  ///< the family that cpuid reports: AMD's Zen 3 and 4 are 0x19, Zen 5 is 0x1A
  instruction_set instructions = instruction_set::baseline;
  index_t l2_bytes = 0;  ///< a core's L2 cache; 0 if unknown, or if the cores differ
  index_t l3_bytes = 0;  ///< an L3 cache, which several cores share; 0 if unknown, or if the cores differ
  int cores_per_l3 = 1;  ///< cores that share an L3 cache
  friend constexpr auto operator==(const processor&, const processor&) -> bool = default;
};

namespace detail {

/// Returns the processor that this program runs on. The member `instructions` is the largest
/// instruction set that koila may use on this processor.
auto this_processor() -> processor;

using instructions = processor::instruction_set;

/// The registers that cpuid returns.
struct cpuid_registers {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// A cache as described by cpuid's leaves 4 and 0x8000001D.
struct described_cache {
  int level = 0, threads = 1;
  index_t bytes = 0;
  constexpr explicit described_cache(const cpuid_registers& r) {
    constexpr std::uint32_t instruction_cache = 2;
    const auto field = [](std::uint32_t x, int first, int bits) {
      return static_cast<index_t>((x >> first) & ((std::uint32_t{1} << bits) - 1));
    };
    if (field(r.eax, 0, 5) == 0 || field(r.eax, 0, 5) == instruction_cache) return;
    level = static_cast<int>(field(r.eax, 5, 3));
    threads = static_cast<int>(field(r.eax, 14, 12)) + 1;
    bytes = (field(r.ebx, 22, 10) + 1) * (field(r.ebx, 12, 10) + 1) * (field(r.ebx, 0, 12) + 1) *
            (static_cast<index_t>(r.ecx) + 1);  // ways, partitions, bytes of a line, sets
  }
};

/// Describes a processor by cpuid, except for its instruction set. ask(leaf, subleaf) returns the
/// registers, which are all 0 if the leaf does not exist.
template <class Ask>
constexpr auto processor_of(const Ask& ask) -> processor {
  const auto registers = [&](std::uint32_t leaf, std::uint32_t subleaf = 0) -> cpuid_registers {
    return ask(leaf, subleaf);
  };
  processor p;
  const cpuid_registers name = registers(0), version = registers(1);
  constexpr std::uint32_t genu = 0x756e6547, auth = 0x68747541, hygo = 0x6f677948;
  if (name.ebx == genu) p.vendor = processor::maker::intel;
  if (name.ebx == auth || name.ebx == hygo) p.vendor = processor::maker::amd;
  p.family = static_cast<int>((version.eax >> 8) & 15U);
  if (p.family == 15) p.family += static_cast<int>((version.eax >> 20) & 255U);
  // If the cores differ, cpuid describes only the core that the program runs on. In that case the
  // sizes of the caches that differ stay unknown.
  const bool intel_hybrid = (registers(7).edx >> 15 & 1U) != 0,
             amd_hybrid = (registers(0x80000026).eax >> 30 & 1U) != 0;
  const int threads_per_core = std::max(1, static_cast<int>(registers(0xB).ebx & 0xFFFFU));
  const std::uint32_t caches = p.vendor == processor::maker::amd ? 0x8000001D : 4;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const cpuid_registers r = registers(caches, i);
    if ((r.eax & 31U) == 0) break;
    const described_cache c(r);
    if (c.level == 2 && !intel_hybrid) p.l2_bytes = c.bytes;
    if (c.level != 3 || amd_hybrid) continue;
    p.l3_bytes = c.bytes;
    p.cores_per_l3 = std::max(1, c.threads / threads_per_core);
  }
  return p;
}

/// Returns true if a matrix product is so small that the overhead of a BLAS call is comparable to
/// the time of the multiplications.
constexpr auto is_small_product(index_t multiplications) -> bool { return multiplications <= index_t{1} << 20; }
/// Returns true if koila's block kernels, and not BLAS, compute a matrix product with this many
/// multiplications. On Intel's processors, LibTorch's BLAS (Intel MKL) computes the large
/// products. On other processors the block kernels are faster for products of any size.
constexpr auto prefers_blocks(const processor& p, index_t multiplications) -> bool {
  return p.vendor != processor::maker::intel || is_small_product(multiplications);
}

}  // namespace detail

}  // namespace koila::inline v0
