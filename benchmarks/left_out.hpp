#pragma once
// Less than the machine has, in benchmarks and tests.
#include <koila/ops/family/instructions.ipp>

#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace bench {

/// KOILA_WITHOUT=avx512 or avx2 in the environment is koila without these instructions,
/// KOILA_WITHOUT=blocks without its kernel for blocks alone. LibTorch is told so by
/// ATEN_CPU_CAPABILITY and its libraries' variables. Throws std::invalid_argument.
inline void leave_out_instructions() {
  const char* const text = std::getenv("KOILA_WITHOUT");
  if (text == nullptr) return;
  const std::string_view without = text;
  using koila::detail::instructions;
  if (without == "avx512") koila::detail::most_instructions = instructions::avx2;
  else if (without == "avx2") koila::detail::most_instructions = instructions::baseline;
  else if (without == "blocks") koila::detail::without_block_kernels = true;
  else throw std::invalid_argument("KOILA_WITHOUT is avx512, avx2 or blocks");
}

}  // namespace bench
