// SPDX-License-Identifier: MIT
#pragma once
// Helpers shared by tests/run/beyond_*.cpp, which test features that the Python package lacked.
#include "float32_bound.hpp"
#include "run/behaviours.hpp"

namespace test {

/// Checks that y has the same bits as `want`, for the whole batch and in chunks of any size.
void exactly(const auto& y, const at::Tensor& want, const auto&... bound) {
  const index_t samples = koila::plan(y, bound...).batch;
  for (const index_t chunk : chunks_of(samples)) {
    CAPTURE(chunk);
    CHECK(identical(run(y, options{.chunk = chunk}, bound...), want));
  }
}
/// Checks that y agrees with LibTorch's result, and that results in chunks agree with the whole
/// batch's result. Products may differ by rounding, because kernels for other sizes sum in a
/// different order.
void closely(const auto& y, const at::Tensor& want, const auto&... bound) {
  const index_t samples = koila::plan(y, bound...).batch;
  const at::Tensor whole = run(y, options{.chunk = std::max<index_t>(samples, 1)}, bound...);
  CHECK(whole.scalar_type() == want.scalar_type());
  const double bound_on_error = want.scalar_type() == at::kDouble ? 1e-14 : float32_bound(1000);
  CHECK(relative_error(whole, want) <= bound_on_error);
  for (const index_t chunk : chunks_of(samples)) {
    CAPTURE(chunk);
    CHECK(relative_error(run(y, options{.chunk = chunk}, bound...), whole) <= bound_on_error);
  }
}

}  // namespace test
