#include "check_loss.hpp"

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
  STATIC_REQUIRE(!Accepts<struct hinge_embedding_loss, shape<3>, shape<3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
