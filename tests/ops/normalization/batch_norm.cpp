// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("batch_norm of no samples leaves running statistics as they are") {
  const buffer<float64, 3> mean{"mean", {initial::constant, 0.5}}, var{"var", {initial::constant, 2}};
  const input<float64, batch, 3> x{"x"};
  const parameter<float64, 3> w{"w", {initial::constant, 1}}, b{"b", {initial::constant, 0}};
  const at::Tensor none = at::zeros({0, 3}, at::kDouble);
  CHECK(run(batch_norm(x, w, b, mean, var), x = none).numel() == 0);
  CHECK(tensor_of(mean).eq(0.5).all().item<bool>());
  CHECK(tensor_of(var).eq(2).all().item<bool>());
}

TEST_CASE("batch_norm") {
  SECTION("statistics of the whole batch") {
    const auto f = [](const auto& x, const auto& w, const auto& b) { return mul(x, batch_norm(x, w, b)); };
    // The result is multiplied by x. Otherwise the sum of squares, which the gradient check uses as
    // its loss, would hardly depend on x.
    const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
      return x * at::batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
    };
    for (const auto n : {5, 8}) check(f, g, per_sample(normal({n, 3})), whole(normal({3})), whole(normal({3})));
    check(f, g, per_sample(normal({1, 3, 7})), whole(normal({3})), whole(normal({3})));
    check(f, g, per_sample(normal({5, 2, 3})), whole(normal({2})), whole(normal({2})));
    check(f, g, per_sample(normal({2, 3, 5}), 2), whole(normal({3})), whole(normal({3})));
    check(f, g, per_sample(normal({4, 2, 3, 2})), whole(normal({2})), whole(normal({2})));
    check(f, g, per_sample(normal({4, 5, 2}), 1), per_sample(normal({5})), per_sample(normal({5})));
    check(f, g, whole(normal({3, 2, 4})), whole(normal({2})), whole(normal({2})));
    check([](const auto& x) { return mul(x, batch_norm(x, eps = 0.1)); },
          [](const at::Tensor& x) { return x * at::batch_norm(x, {}, {}, {}, {}, true, 0.1, 0.1, false); },
          per_sample(normal({5, 3, 2})));
    check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{parameter<4>{}, normal({4}).to(at::kFloat)},
                std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  }
  SECTION("running statistics") {
    const ask fixed{.quotients = false};  // the running statistics get no gradient
    for (const bool train : {false, true}) {
      const auto f = [=](const auto& x, const auto& w, const auto& b, const auto& mean, const auto& var) {
        return mul(x, batch_norm(x, w, b, mean, var, training = train, eps = 1e-3));
      };
      const auto g = [=](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, const at::Tensor& mean,
                         const at::Tensor& var) {
        return x * at::batch_norm(x, w, b, mean.detach().clone(), var.detach().clone(), train, 0.1, 1e-3, false);
      };
      for (const auto n : {3, 5})
        check(fixed, f, g, per_sample(normal({n, 3, 2})), whole(normal({3})), whole(normal({3})), whole(normal({3})),
              whole(positive({3})));
    }
    const auto unscaled = [](const auto& x, const auto& mean, const auto& var) {
      return mul(x, batch_norm(x, 1, 0, mean, var, training = false));
    };
    const auto want = [](const at::Tensor& x, const at::Tensor& mean, const at::Tensor& var) {
      return x * at::batch_norm(x, {}, {}, mean.detach(), var.detach(), false, 0.1, 1e-5, false);
    };
    check(fixed, unscaled, want, per_sample(normal({5, 3, 2})), whole(normal({3})), whole(positive({3})));
    check(fixed, unscaled, want, per_sample(normal({3, 5}), 1), per_sample(normal({5})), per_sample(positive({5})));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct batch_norm, shape<batch, 3>, shape<4>, shape<4>>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3}), four = at::rand({4}), three = at::rand({3});
    refused([&] { run(batch_norm(x, four, four), x = t); },
            "batch_norm: [2, 3] x [4] x [4]: the weight is not one number per channel");
    refused([&] { batch_norm(t, three, three, three, four); },
            "batch_norm: [2, 3] x [3] x [3] x [3] x [4]: the weight is not one number per channel");
    const at::Tensor one = at::rand({1, 3});
    refused([&] { batch_norm(one, three, three, three, three); },
            "batch_norm: [1, 3] x [3] x [3] x [3] x [3]: training needs more than one value per channel");
    refused([&] { batch_norm(three); }, "batch_norm: [3]: no rule for these ranks");
    const at::Tensor integers = at::ones({2, 3}, at::kLong);
    refused([&] { batch_norm(integers); }, "batch_norm: int64[2, 3]: not a floating-point dtype");
  }
}

TEST_CASE("trials H5: batch_norm of no samples has gradients of 0") {
  const auto f = [](const auto& x, const auto& w, const auto& b) { return batch_norm(x, w, b); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    return at::batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
  };
  check({.twice = false}, f, g, per_sample(normal({0, 3, 2})), whole(normal({3})), whole(normal({3})));
  check({.twice = false}, f, g, per_sample(normal({2, 3, 0}), 2), whole(normal({3})), whole(normal({3})));
}

TEST_CASE("trials A1: a channel of equal values without eps is its bias") {
  const at::Tensor w = positive({2}), b = normal({2});
  for (const at::Tensor& x :
       {at::ones({4, 2, 3}, at::kDouble), at::stack({at::ones({4, 3}), at::rand({4, 3})}, 1).to(w)}) {
    const at::Tensor batches = at::batch_norm(x, w, b, {}, {}, true, 0.1, 0, false);
    const at::Tensor instances = at::instance_norm(x, w, b, {}, {}, true, 0.1, 0, false);
    for (const index_t chunk : {0, 1}) {
      same(run(batch_norm(lazy<batch>(x), w, b, eps = 0.0), {.chunk = chunk}), batches);
      same(run(instance_norm(lazy<batch>(x), w, b, eps = 0.0), {.chunk = chunk}), instances);
    }
    same(batch_norm(x, w, b, eps = 0.0), batches);
    // LibTorch's gradient of constant values is also 0.
    const bound slope = leaf(x);
    at::Tensor theirs = x.clone().requires_grad_();
    const at::Tensor dy = normal(x.sizes());
    at::batch_norm(theirs, w, b, {}, {}, true, 0.1, 0, false).mul(dy).sum().backward();
    same(run(gradient(sum(mul(batch_norm(slope.leaf, w, b, eps = 0.0), dy)), slope.leaf)), theirs.grad());
  }
  const at::Tensor flat = at::ones({4, 2}, at::kDouble);
  same(instance_norm(flat, w, b, eps = 0.0),
       at::instance_norm(flat.unsqueeze(2), w, b, {}, {}, true, 0.1, 0, false).squeeze(2));
}

}  // namespace koila::test
