// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("l1_loss") {
  const auto f = [](auto choice, const auto& x, const auto& y) { return l1_loss(x, y, reduction = choice); };
  const auto g = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
    return at::l1_loss(x, y, reduction);
  };
  for (const auto& s : loss_sizes())
    check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch));
  check_reductions({}, f, g, whole(normal({3, 4})), whole(normal({3, 4})));
  check_reductions({}, f, g, whole(normal({})), whole(normal({})));
  check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                         std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
  check([](const auto& x, const auto& y) { return l1_loss(x, y); },
        [](const at::Tensor& x, const at::Tensor& y) { return at::l1_loss(x, y); },
        per_sample(at::ones({5, 2}, at::kDouble)), per_sample(at::ones({5, 2}, at::kDouble)));  // at the kink
  const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F}), one = at::ones({4});
  same(f(kNone, odd, one), g(at::Reduction::None, odd, one));

  const input<any, any> x{"x"}, y{"y"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 1}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(l1_loss(x, y), x = s, y = t); }, "l1_loss: [2, 3] x [2, 1]: shapes differ");
  refused([&] { l1_loss(whole_numbers, whole_numbers); },
          "l1_loss: int64[2, 3] x int64[2, 3]: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct l1_loss, shape<batch, 3>, shape<batch, 3>, decltype(reduction = kBatchMean)>);
}

}  // namespace koila::test
