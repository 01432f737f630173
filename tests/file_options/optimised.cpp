// SPDX-License-Identifier: MIT
// This file is compiled with optimisation, so it compiles fused kernels.
#include "offers.hpp"

auto test::fused_kernels_when_optimised() -> std::size_t { return fused_kernels_of_example(); }
