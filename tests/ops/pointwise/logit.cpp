// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>

#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("logit") {
  const auto f = [](const auto& x) { return koila::logit(x); };
  const auto g = [](const at::Tensor& x) { return at::logit(x); };
  const auto between = [](at::IntArrayRef sizes) { return positive(sizes) * 0.45; };  // from 0.2 to 0.9
  // The gradient at 0 and at NaN is not checked: LibTorch's vector code and its scalar code return
  // different infinities at 0, and different values at NaN.
  const at::Tensor odd = at::where((odd_values() == 0).logical_or(odd_values().isnan()), 0.25, odd_values());
  check_unary<struct logit>(f, g, between, odd, detail::by_operators_only);
  check({.gradients = false}, f, g, per_sample(odd_values()));
  check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
  for (const double e : {0.0, 0.3}) {
    const auto put = [=](const auto& x) { return logit(x, eps = e); };
    const auto want = [=](const at::Tensor& x) { return at::logit(x, e); };
    check(put, want, per_sample(between({5, 3})));
    check({.twice = false}, put, want, per_sample(odd));
    check({.gradients = false}, put, want, per_sample(odd_values()));
  }
  check([](const auto& x) { return logit(x, 0.25); }, [](const at::Tensor& x) { return at::logit(x, 0.25); },
        per_sample(between({5, 3})));
}

}  // namespace koila::test
