// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("mse_loss") {
  const auto f = [](const auto& x, const auto& y) { return mse_loss(x, y); };
  const auto g = [](const at::Tensor& x, const at::Tensor& y) { return at::mse_loss(x, y); };
  for (const auto& s : some_sizes(1))
    check(f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch));
  check(f, g, whole(normal({3, 4})), whole(normal({3, 4})));
  check(f, g, whole(normal({})), whole(normal({})));
  check([](const auto& x, const auto& w, const auto& y) { return mse_loss(linear(x, w), y); },
        [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& y) { return at::mse_loss(at::linear(x, w), y); },
        per_sample(normal({7, 3})), whole(normal({2, 3})), per_sample(normal({7, 2})));
  for (const auto& s : {sizes_with_batch{{5, 3}, 0}, {{3, 2, 8}, 2}, {{0, 2}, 0}}) {
    const operand x = per_sample(normal(s.sizes), s.batch), y = per_sample(normal(s.sizes), s.batch);
    check([](const auto& x, const auto& y) { return mse_loss(x, y, reduction = kSum); },
          [](const at::Tensor& x, const at::Tensor& y) { return at::mse_loss(x, y, at::Reduction::Sum); }, x, y);
    check([](const auto& x, const auto& y) { return mse_loss(x, y, reduction = kNone); },
          [](const at::Tensor& x, const at::Tensor& y) { return at::mse_loss(x, y, at::Reduction::None); }, x, y);
  }
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});

  const input<any, any> x{"x"}, y{"y"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 1});
  refused([&] { run(mse_loss(x, y), x = s, y = t); }, "mse_loss: [2, 3] x [2, 1]: shapes differ");
  refused([&] { mse_loss(s, t); }, "mse_loss: [2, 3] x [2, 1]: shapes differ");
}

TEST_CASE("trials A1: losses of differences take booleans as 0 and 1, as LibTorch's do") {
  const at::Tensor x = normal({5, 3}), y = at::rand({5, 3}) > 0.5;
  const auto both = [&](const auto& f, const auto& g) {
    check([=](const auto& a, const auto& b) { return f(a, gt(b, 0.5)); },
          [=](const at::Tensor& a, const at::Tensor& b) { return g(a, (b > 0.5).to(a.scalar_type())); }, per_sample(x),
          per_sample(normal({5, 3})));
    same(f(x, y), g(x, y));
  };
  both([](const auto& a, const auto& b) { return mse_loss(a, b); },
       [](const at::Tensor& a, const at::Tensor& b) { return at::mse_loss(a, b); });
  both([](const auto& a, const auto& b) { return huber_loss(a, b, delta = 0.7); },
       [](const at::Tensor& a, const at::Tensor& b) { return at::huber_loss(a, b, at::Reduction::Mean, 0.7); });
  both([](const auto& a, const auto& b) { return smooth_l1_loss(a, b, beta = 0.7); },
       [](const at::Tensor& a, const at::Tensor& b) { return at::smooth_l1_loss(a, b, at::Reduction::Mean, 0.7); });
  same(mse_loss(y, x), at::mse_loss(y, x));
  refused([&] { mse_loss(y, y); }, "mse_loss: bool[5, 3] x bool[5, 3]: not a floating-point dtype");
  refused([&] { huber_loss(y, x); }, "huber_loss: bool[5, 3] x float64[5, 3]: dtypes differ");
}

}  // namespace koila::test
