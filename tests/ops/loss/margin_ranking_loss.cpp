// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("margin_ranking_loss") {
  for (const double m : {0.0, 0.5}) {
    const auto f = [=](auto choice, const auto& x, const auto& y, const auto& t) {
      return margin_ranking_loss(x, y, t, margin = m, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y, const at::Tensor& t) {
      return at::margin_ranking_loss(x, y, t, m, reduction);
    };
    for (const auto& s : loss_sizes())
      check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch),
                       per_sample(normal(s.sizes).sign(), s.batch));
    const operand x = per_sample(normal({5, 3}));
    check_reductions({}, f, g, x, x, per_sample(normal({5, 3}).sign()));  // at the margin if the margin is 0
    check_reductions({}, f, g, x, per_sample(normal({5, 1})), whole(normal({3}).sign().to(at::kLong)));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).sign().to(at::kFloat)});
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { margin_ranking_loss(s, s, t); }, "margin_ranking_loss: [2, 3] x [2, 3] x [2]: not broadcastable");
  refused([&] { margin_ranking_loss(whole_numbers, whole_numbers, whole_numbers); },
          "margin_ranking_loss: int64[2, 3] x int64[2, 3] x int64[2, 3]: not a floating-point dtype");
  const at::Tensor bytes = at::ones({2, 3}, at::kByte);  // trials A1: LibTorch negates 1 to 255
  refused([&] { margin_ranking_loss(s, s, bytes); },
          "margin_ranking_loss: [2, 3] x [2, 3] x uint8[2, 3]: no rule for these dtypes");
  // trials A1: the loss of integers and a number is float32, for any dtype of the target.
  const at::Tensor integers = at::randint(-3, 3, {2, 3}, at::kChar), half = at::ones({2, 3}, at::kHalf);
  const at::Tensor got = margin_ranking_loss(integers, 0.5, half);
  CHECK(got.scalar_type() == at::kFloat);
  CHECK(at::allclose(got, (half.neg() * (integers - 0.5)).clamp_min(0).mean()));
}

}  // namespace koila::test
