// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

namespace {

/// Returns LibTorch's gradient of pow with respect to the base or the exponent.
auto pulled_back(const at::Tensor& dy, const at::Tensor& a, const at::Tensor& b, bool base) -> at::Tensor {
  const at::Tensor x = (base ? a : b).detach().clone().expand_as(dy).contiguous().requires_grad_();
  const at::Tensor y = base ? at::pow(x, b.detach()) : at::pow(a.detach(), x);
  y.backward(dy.detach());
  return x.grad();
}

}  // namespace

TEST_CASE("pow_backward") {
  const ask value{.gradients = false};
  const auto base = [](const auto& dy, const auto& a, const auto& b) { return pow_backward_base(dy, a, b); };
  const auto exponent = [](const auto& dy, const auto& a, const auto& b) {
    return pow_backward_exponent(dy, pow(a, b), a, b);
  };
  const auto want_base = [](const auto& dy, const auto& a, const auto& b) { return pulled_back(dy, a, b, true); };
  const auto want_exponent = [](const auto& dy, const auto& a, const auto& b) { return pulled_back(dy, a, b, false); };
  for (const auto n : batches) {
    const operand dy = per_sample(normal({n, 3})), a = per_sample(positive({n, 3})),
                  b = per_sample(normal({n, 3}).round());
    check(value, base, want_base, dy, a, b);
    check(value, exponent, want_exponent, dy, a, b);
    check(value, base, want_base, dy, whole(positive({3})), b);
    check(value, exponent, want_exponent, dy, whole(positive({3})), b);
    check(value, base, want_base, dy, a, whole(normal({3}).round()));
    check(value, exponent, want_exponent, dy, a, whole(normal({3}).round()));
  }
}

TEST_CASE("pow_backward has gradients of its own") {
  const auto base = [](const auto& dy, const auto& a, const auto& b) { return pow_backward_base(dy, a, b); };
  const auto want_base = [](const at::Tensor& dy, const at::Tensor& a, const at::Tensor& b) {
    return at::where(b == 0, 0.0, dy * b * at::pow(a, b - 1));
  };
  const auto exponent = [](const auto& dy, const auto& y, const auto& a, const auto& b) {
    return pow_backward_exponent(dy, y, a, b);
  };
  const auto want_exponent = [](const at::Tensor& dy, const at::Tensor& y, const at::Tensor& a, const at::Tensor&) {
    return dy * y * at::log(a);
  };
  for (const auto n : {0, 1, 3, 8}) {
    const operand dy = per_sample(normal({n, 3})), a = per_sample(positive({n, 3})), b = per_sample(normal({n, 3}));
    check(base, want_base, dy, a, b);
    check(base, want_base, dy, whole(positive({3})), b);
    check(base, want_base, dy, a, whole(normal({1})));
    check(exponent, want_exponent, dy, per_sample(normal({n, 3})), a, b);
    check(exponent, want_exponent, dy, per_sample(normal({n, 3})), whole(positive({3})), whole(normal({1})));
  }
}

TEST_CASE("refusals of pow_backward") {
  STATIC_REQUIRE(!Accepts<struct pow_backward_base, shape<batch, 3>, shape<3>, shape<3>, decltype(kernel_size = 1_c)>);
  STATIC_REQUIRE(!Accepts<struct pow_backward_exponent, shape<batch, 3>, shape<batch, 3>, shape<3>, shape<3>,
                          decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
