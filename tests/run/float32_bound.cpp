// SPDX-License-Identifier: MIT
// The bound on float32 errors still detects wrong results.
#include "float32_bound.hpp"
#include "run/support.hpp"

using namespace koila;
using namespace ::test;

TEST_CASE(
    "trials A5: the bound on float32 errors takes a serial sum, and refuses a missing term and a wrongly weighted mean") {
  for (const index_t n : {23, 1000, 20000}) {
    CAPTURE(n);
    const at::Tensor x = at::rand({n}) + 0.5, wide = x.to(at::kDouble);
    const double exact = wide.sum().item<double>();
    const auto error = [&](double got) { return std::abs(got - exact) / exact; };
    const double libtorch = error(static_cast<double>(x.sum().item<float>()));
    const double bound = float32_bound(static_cast<double>(n), libtorch);
    CHECK(error(exact - wide.min().item<double>()) > bound);
    // A wrong mean: two chunks of different sizes are weighted as if their sizes were equal. The
    // values are sorted, so that the chunks have different means.
    const at::Tensor sorted = std::get<0>(wide.sort());
    const index_t first = 2 * n / 3;
    const double wrong =
        (sorted.narrow(0, 0, first).mean() + sorted.narrow(0, first, n - first).mean()).item<double>() / 2;
    CHECK(error(wrong * static_cast<double>(n)) > bound);
  }
}

TEST_CASE("trials A5: the bound on float32 errors takes serial sums of any numbers, and refuses sums in float16") {
  constexpr index_t sums = 300;
  for (const index_t n : {23, 1000, 20000}) {
    CAPTURE(n);
    const at::Tensor exact = at::empty({sums}, at::kDouble), got = at::empty({sums});
    for (index_t k = 0; k < sums; ++k) {
      const at::Tensor x = at::rand({n}) + 0.5;
      const float* const terms = static_cast<const float*>(x.const_data_ptr());
      double precise = 0;
      float serial = 0;  // less exact than any BLAS
      for (index_t i = 0; i < n; ++i) precise += static_cast<double>(terms[i]), serial += terms[i];
      exact[k] = precise, got[k] = serial;
    }
    const double bound = float32_bound(static_cast<double>(n));
    CHECK(((got.to(at::kDouble) - exact) / exact).abs().max().item<double>() <= bound);
    const at::Tensor half = exact.to(at::kHalf).to(at::kDouble);  // at most 20,000 * 1.5: in range of float16
    CHECK(((half - exact) / exact).abs().max().item<double>() > 10 * bound);
  }
}

TEST_CASE("trials A5: a result is as exact as LibTorch's where each element is, and what is not finite is the same") {
  const at::Tensor exact = at::randn({100}, at::kDouble) * 10, theirs = exact.to(at::kFloat);
  CHECK(is_as_exact(theirs, theirs, exact, 100, 1));
  CHECK(is_as_exact(theirs * (1 + 2e-7), theirs, exact, 100, 1));
  const auto changed = [&](double to) {
    at::Tensor t = theirs.clone();
    t[7] = to;
    return t;
  };
  CHECK_FALSE(is_as_exact(changed(theirs[7].item<double>() + 1e-3), theirs, exact, 100, 1));
  CHECK_FALSE(is_as_exact(changed(NAN), theirs, exact, 100, 1));
  CHECK_FALSE(is_as_exact(changed(INFINITY), theirs, exact, 100, 1));
  CHECK_FALSE(is_as_exact(theirs, changed(INFINITY), exact, 100, 1));
  CHECK_FALSE(is_as_exact(theirs.narrow(0, 0, 99), theirs, exact, 100, 1));
  CHECK(is_as_exact(changed(NAN), changed(NAN), exact, 100, 1));
  CHECK(is_as_exact(changed(-INFINITY), changed(-INFINITY), exact, 100, 1));
  CHECK_FALSE(is_as_exact(changed(-INFINITY), changed(INFINITY), exact, 100, 1));
}
