// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>

#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("gelu_backward") {
  const auto f = [](const auto& dy, const auto& x) { return gelu_backward(dy, x); };
  const auto by_tanh = [](const auto& dy, const auto& x) { return gelu_backward(dy, x, approximate = kTanh); };
  // LibTorch's float32 kernel, from oneDNN, throws if dy is broadcast.
  const bool broadcasts = !detail::by_operators_only;
  const auto g = [](const at::Tensor& dy, const at::Tensor& x) {
    return at::gelu_backward(dy.expand_as(x).contiguous(), x);
  };
  const auto g_tanh = [](const at::Tensor& dy, const at::Tensor& x) { return at::gelu_backward(dy, x, "tanh"); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3}) * 2));
    check(by_tanh, g_tanh, per_sample(normal({n, 3})), per_sample(normal({n, 3})));
    if (broadcasts) check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}), 1));
  }
  check(f, g, whole(normal(kinks().sizes())), whole(kinks()));
  // For larger inputs, the first derivative of LibTorch's gelu_backward loses most bits in float32,
  // and its second derivative is NaN.
  check(by_tanh, g_tanh, whole(normal(kinks().sizes())), whole(kinks().clamp(-3, 3)));
  // dy is broadcast, and x is transposed.
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    const at::Tensor dy = normal({broadcasts ? 1 : 3, 4}).to(type).expand({3, 4}),
                     x = normal({4, 3}).to(type).t();  // (3, 4)
    const at::Tensor want = at::gelu_backward(dy.to(at::kDouble), x.to(at::kDouble)).to(type);
    same(f(dy, x), want);
    same(run(f(lazy(dy), lazy(x))), want);
  }

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(gelu_backward(a, b), a = s, b = t); }, "gelu_backward: [2, 3] x [2, 4]: not broadcastable");
  STATIC_REQUIRE(!Accepts<struct gelu_backward, shape<batch, 3>, shape<batch, 3>, decltype(approximate = kSame)>);
}

}  // namespace koila::test
