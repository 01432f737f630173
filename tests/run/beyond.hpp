#pragma once
// What the tests of what the Python package could not do share: tests/run/beyond_*.cpp.
#include "float32_bound.hpp"
#include "run/behaviours.hpp"

namespace test {

/// In chunks of any size and whole: bit for bit.
void exactly(const auto& y, const at::Tensor& want, const auto&... bound) {
  const index_t samples = koila::plan(y, bound...).batch;
  for (const index_t chunk : chunks_of(samples)) {
    CAPTURE(chunk);
    CHECK(identical(run(y, options{.chunk = chunk}, bound...), want));
  }
}
/// To the rounding of products, which kernels of other sizes sum in another order: as LibTorch's,
/// and in chunks as whole.
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
