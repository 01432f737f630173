// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("hinge_embedding_loss") {
  for (const double m : {1.0, 0.4}) {
    const auto f = [=](auto choice, const auto& x, const auto& t) {
      return hinge_embedding_loss(x, t, margin = m, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& t) {
      return at::hinge_embedding_loss(x, t, m, reduction);
    };
    for (const auto& s : loss_sizes())
      check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes).sign(), s.batch));
    check_reductions({}, f, g, per_sample(at::full({4, 2}, m, at::kDouble)),
                     per_sample(at::full({4, 2}, -1)));  // exactly at the margin
    check_reductions({}, f, g, per_sample(normal({5, 3})), whole(at::tensor({1, -1, 0}, at::kLong)));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).sign().to(at::kFloat)});
  }
  check([](const auto& x, const auto& t) { return hinge_embedding_loss(x, t); },
        [](const at::Tensor& x, const at::Tensor& t) { return at::hinge_embedding_loss(x, t); },
        per_sample(normal({5, 3})), per_sample(normal({5, 3}).sign()));
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { hinge_embedding_loss(s, t); }, "hinge_embedding_loss: [2, 3] x [2]: not broadcastable");
  refused([&] { hinge_embedding_loss(whole_numbers, s); },
          "hinge_embedding_loss: int64[2, 3] x [2, 3]: not a floating-point dtype");
}

TEST_CASE("trials A1: hinge_embedding_loss of a number is of float32, and its margin fits the dtype") {
  const at::Tensor t = at::tensor({1.0F, -1.0F, -1.0F}).view({3, 1}), half = at::full({}, 0.5F);
  for (const at::Tensor& target : {t, t.to(at::kDouble)}) {
    same(hinge_embedding_loss(0.5, target), at::hinge_embedding_loss(half, target));
    same(run(hinge_embedding_loss(0.5, lazy<batch>(target), reduction = kNone), {.chunk = 1}),
         at::hinge_embedding_loss(half, target, 1, at::Reduction::None));
  }
  STATIC_REQUIRE(!Accepts<struct hinge_embedding_loss, int, shape<3>>);
  const at::Tensor narrow = t.to(at::kHalf);
  refused([&] { hinge_embedding_loss(narrow, t, margin = 70000.0); },
          "hinge_embedding_loss: float16[3, 1] x [3, 1]: the dtype does not hold the number");
  CHECK_THROWS(at::hinge_embedding_loss(narrow, t, 70000));
}

}  // namespace koila::test
