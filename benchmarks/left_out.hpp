// SPDX-License-Identifier: MIT
#pragma once
// Lets benchmarks and tests use fewer of koila's kernels than the machine supports.
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/ops/common/instructions.ipp>

#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace bench {

/// Reads the environment variable KOILA_WITHOUT. With "avx512" or "avx2", koila does not use these
/// instructions; with "blocks", koila does not use its block kernels. The variable does not affect
/// LibTorch: use ATEN_CPU_CAPABILITY and the variables of LibTorch's libraries. Throws
/// std::invalid_argument if the value is unknown.
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
