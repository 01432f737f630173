// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("layer_norm") {
  const auto f = [](const auto& x, const auto&... wb) { return layer_norm(x, wb...); };
  SECTION("one dim") {
    const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
      return at::layer_norm(x, w.sizes(), w, b);
    };
    for (const auto n : {0, 1, 3, 8}) check(f, g, per_sample(normal({n, 5})), whole(normal({5})), whole(normal({5})));
    check(f, g, per_sample(normal({2, 7, 5}), 1), whole(normal({5})), whole(normal({5})));
    // For a single value, the result is the bias, and LibTorch's gradients are only rounding
    // errors.
    check(ask{.gradients = false}, f, g, per_sample(normal({3, 1})), whole(normal({1})), whole(normal({1})));
    check(f, g, whole(normal({4})), whole(normal({4})), whole(normal({4})));
    check(
        f, [](const at::Tensor& x, const at::Tensor& w) { return at::layer_norm(x, w.sizes(), w); },
        per_sample(normal({5, 4})), whole(normal({4})));
    check_typed(
        f, [=](const auto&... t) { return g(t...); }, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
        std::pair{parameter<4>{}, normal({4}).to(at::kFloat)}, std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  }
  SECTION("several dims") {
    const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
      return at::layer_norm(x, w.sizes(), w, b, 0.01);
    };
    const auto h = [](const auto& x, const auto& w, const auto& b) { return layer_norm(x, w, b, eps = 0.01); };
    check(h, g, per_sample(normal({7, 3, 4})), whole(normal({3, 4})), whole(normal({3, 4})));
    check(h, g, per_sample(normal({2, 7, 3, 2}), 1), whole(normal({3, 2})), whole(normal({3, 2})));
    check(h, g, whole(normal({3, 4})), whole(normal({3, 4})), whole(normal({3, 4})));
  }
  // The results are multiplied by x. Otherwise the sum of squares, which the gradient check uses as
  // its loss, would hardly depend on x.
  SECTION("without weights") {
    check([](const auto& x) { return mul(x, layer_norm(x, normalized_shape = list_of(3_c, 4_c))); },
          [](const at::Tensor& x) { return x * at::layer_norm(x, {3, 4}); }, per_sample(normal({5, 3, 4})));
    check([](const auto& x) { return mul(x, layer_norm(x, list_of(4_c))); },
          [](const at::Tensor& x) { return x * at::layer_norm(x, {4}); }, per_sample(normal({2, 5, 4}), 1));
    // The batch dim is one of the normalised dims, so the statistics are those of the whole batch.
    check([](const auto& x) { return mul(x, layer_norm(x, list_of(5, 4))); },
          [](const at::Tensor& x) { return x * at::layer_norm(x, {5, 4}); }, per_sample(normal({3, 5, 4}), 1));
  }
  SECTION("special values") {
    const at::Tensor x = at::tensor({1.0F, NAN, 2.0F, 3.0F, INFINITY, 1.0F, 4.0F, 4.0F, 4.0F}).view({3, 3});  // (3, 3)
    same(layer_norm(x, list_of(3)), at::layer_norm(x, {3}));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct layer_norm, shape<batch, 3>, shape<4>>);
    STATIC_REQUIRE(!Accepts<struct layer_norm, shape<batch, 3>, decltype(normalized_shape = list_of(4_c))>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3}), four = at::rand({4}), three = at::rand({3});
    refused([&] { run(layer_norm(x, four), x = t); },
            "layer_norm: [2, 3] x [4]: the last dims are not those of the weight");
    refused([&] { layer_norm(t, three, four); }, "layer_norm: [2, 3] x [3] x [4]: shapes differ");
    STATIC_REQUIRE(!Accepts<struct layer_norm, shape<batch, 3>>);
    refused([&] { layer_norm(t, list_of(2)); },
            "layer_norm: [2, 3], normalized_shape 2: the last dims are not those of the weight");
    const at::Tensor integers = at::ones({2, 3}, at::kLong);
    refused([&] { layer_norm(integers, list_of(3)); },
            "layer_norm: int64[2, 3], normalized_shape 3: not a floating-point dtype");
  }
}

}  // namespace koila::test
