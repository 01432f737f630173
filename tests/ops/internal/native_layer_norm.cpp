// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <koila/kernels/table.hpp>

namespace koila::test {

TEST_CASE("native_layer_norm") {
  const auto f = [](const auto& x, const auto& w, const auto& b) { return native_layer_norm(x, w, b); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    return at::layer_norm(x, w.sizes(), w, b);
  };
  for (const auto n : {0, 1, 3, 8}) {
    if (n == 0 && detail::by_operators_only) continue;  // LibTorch warns of an empty tensor
    check(f, g, per_sample(normal({n, 5})), whole(normal({5})), whole(normal({5})));
  }
  check(f, g, per_sample(normal({2, 7, 5}), 1), whole(normal({5})), whole(normal({5})));
  // Normalises over the samples.
  check(f, g, per_sample(normal({3, 5}), 1), per_sample(normal({5})), per_sample(normal({5})));
  check(f, g, whole(normal({4})), whole(normal({4})), whole(normal({4})));
  check([](const auto& x, const auto& w, const auto& b) { return native_layer_norm(x, w, b, eps = 0.1); },
        [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
          return at::layer_norm(x, w.sizes(), w, b, 0.1);
        },
        per_sample(normal({3, 2, 4})), whole(normal({2, 4})), whole(normal({2, 4})));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});

  const at::Tensor t = at::rand({2, 3}), three = at::rand({3}), two = at::rand({2});
  refused([&] { native_layer_norm(t, two, two); },
          "native_layer_norm: [2, 3] x [2] x [2]: the last dims are not those of the weight");
  refused([&] { native_layer_norm(t, three, two); }, "native_layer_norm: [2, 3] x [3] x [2]: shapes differ");
  const at::Tensor wide = three.to(at::kDouble);
  refused([&] { native_layer_norm(t, three, wide); }, "native_layer_norm: [2, 3] x [3] x float64[3]: dtypes differ");
}

/// Compares values, and the gradients of all three operands, with LibTorch's results in float64.
TEST_CASE("native_layer_norm: rows short and long, far from 0, of all dtypes") {
  for (const auto type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16})
    for (const std::int64_t rows : {1, 7, 33, 600})
      for (const std::int64_t n : {5, 31, 32, 100, 1000, 1025, 2100})
        for (const double far : {0.0, 1000.0}) {
          if (far > 0 && type != at::kFloat && type != at::kDouble) continue;  // 16 bits round most differences away
          if (far > 0 && detail::by_operators_only) continue;  // LibTorch is less exact for these values
          const at::Tensor x = (normal({rows, n}) + far).to(type), w = normal({n}).to(type), b = normal({n}).to(type),
                           dy = normal({rows, n}).to(type);
          const auto wide = [](const at::Tensor& t) { return t.to(at::kDouble).clone().requires_grad_(); };
          const at::Tensor wx = wide(x), ww = wide(w), wb = wide(b), want = at::layer_norm(wx, {n}, ww, wb);
          want.backward(dy.to(at::kDouble));
          const double unit = type == at::kDouble  ? (far > 0 ? 1e-11 : 1e-12)
                              : type == at::kFloat ? 4e-6
                              : type == at::kHalf  ? 1e-3
                                                   : 8e-3;
          const auto near = [&](const at::Tensor& got, const at::Tensor& reference) {
            CAPTURE(type, rows, n, far);
            CHECK(got.scalar_type() == type);
            CHECK(at::allclose(got.to(at::kDouble), reference, unit, unit * reference.abs().max().item<double>()));
          };
          near(native_layer_norm(x, w, b), want.detach());
          near(native_layer_norm_backward(dy, x, w), wx.grad());
          near(native_layer_norm_parameters_backward(dy, x, w), at::stack({ww.grad(), wb.grad()}));
        }
}

}  // namespace koila::test
