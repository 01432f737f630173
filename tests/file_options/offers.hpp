// SPDX-License-Identifier: MIT
#pragma once
// Shared by two files that are compiled with different options.
#include <koila/koila.hpp>

#include <ATen/ops/ones.h>

namespace test {

/// Returns the number of fused kernels of an expression that both files contain.
[[maybe_unused]] static auto fused_kernels_of_example() -> std::size_t {
  const auto x = koila::lazy(at::ones({3})), y = koila::lazy(at::ones({3}));  // (3), (3)
  koila::detail::builder b{koila::detail::bindings{}};
  koila::detail::lower_root(b, koila::relu(x * y + x) * koila::tanh(y));
  return b.fused.size();
}

/// fused_kernels_of_example() as the file optimised.cpp and the file plain.cpp compile it.
auto fused_kernels_when_optimised() -> std::size_t;
auto fused_kernels_when_plain() -> std::size_t;

}  // namespace test
