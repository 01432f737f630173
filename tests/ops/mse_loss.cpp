#include "check.hpp"

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

}  // namespace koila::test
