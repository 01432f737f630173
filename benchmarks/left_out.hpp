// SPDX-License-Identifier: MIT
#pragma once
// Lets benchmarks and tests use less than the machine has.
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/ops/common/instructions.ipp>

#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace bench {

/// Reads KOILA_WITHOUT from the environment: with avx512 or avx2 koila does not use these
/// instructions, with blocks it does not use its block kernels. LibTorch needs ATEN_CPU_CAPABILITY
/// and the variables of its libraries for that. Throws std::invalid_argument.
inline void leave_out_instructions() {
  const char* const text = std::getenv("KOILA_WITHOUT");
  if (text == nullptr) return;
  const std::string_view without = text;
  using koila::detail::instructions;
  if (without == "avx512") koila::detail::most_instructions = instructions::avx2;
  else if (without == "avx2") koila::detail::most_instructions = instructions::baseline;
  else if (without == "blocks") koila::detail::without_brgemm = true;
  else throw std::invalid_argument("KOILA_WITHOUT is avx512, avx2 or blocks");
}

}  // namespace bench
