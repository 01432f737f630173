// SPDX-License-Identifier: MIT
// In one program, files with different options get the kernels that were compiled for them. The
// test links this program twice, with the files in both orders.
#include <cstdio>

#include "offers.hpp"

auto main() -> int {
  const std::size_t optimised = test::fused_kernels_when_optimised(), plain = test::fused_kernels_when_plain();
  std::printf("fused kernels: %zu with optimisation, %zu with -ffast-math\n", optimised, plain);
#ifdef __x86_64__
  return optimised == 1 && plain == 0 ? 0 : 1;
#else
  return optimised == 0 && plain == 0 ? 0 : 1;
#endif
}
