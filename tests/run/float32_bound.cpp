// The bound on float32 errors still refuses wrong results.
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
    float serial = 0;
    for (index_t i = 0; i < n; ++i) serial += x[i].item<float>();
    CHECK(error(static_cast<double>(serial)) <= bound);  // any BLAS is more exact
    CHECK(error(exact - x[n - 1].item<double>()) > bound);
    // The mean of two chunks of different sizes, weighted as if they had one size.
    const index_t first = 2 * n / 3;
    const double wrong = (wide.narrow(0, 0, first).mean() + wide.narrow(0, first, n - first).mean()).item<double>() / 2;
    CHECK(error(wrong * static_cast<double>(n)) > bound);
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
