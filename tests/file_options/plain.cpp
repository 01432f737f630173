// SPDX-License-Identifier: MIT
// This file is compiled with -ffast-math, so it compiles no fused kernels.
#include "offers.hpp"

auto test::fused_kernels_when_plain() -> std::size_t { return fused_kernels_of_example(); }
