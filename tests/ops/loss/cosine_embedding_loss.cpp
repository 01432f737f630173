// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("cosine_embedding_loss") {
  for (const double m : {0.0, 0.3}) {
    const auto f = [=](auto choice, const auto& x, const auto& y, const auto& t) {
      return cosine_embedding_loss(x, y, t, margin = m, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y, const at::Tensor& t) {
      return at::cosine_embedding_loss(x, y, t, m, reduction);
    };
    for (const std::int64_t n : {0, 1, 3, 9})
      check_reductions({}, f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})),
                       per_sample(normal({n}).sign()));
    check_reductions({}, f, g, per_sample(normal({5, 3})), per_sample(normal({5, 3})),
                     per_sample(at::tensor({1, -1, 1, -1, 0}, at::kLong)));
    check_reductions({}, f, g, whole(normal({3})), whole(normal({3})), whole(at::full({}, -1)));
    check_reductions({.twice = false}, f, g, per_sample(at::zeros({5, 3}, at::kDouble)), per_sample(normal({5, 3})),
                     per_sample(normal({5}).sign()));  // zero vectors, which have no direction
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch>{}, normal({5}).sign().to(at::kFloat)});
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4}), three = at::rand({3}), deep = at::rand({2, 3, 4});
  refused([&] { cosine_embedding_loss(s, t, three); }, "cosine_embedding_loss: [2, 3] x [2, 4] x [3]: shapes differ");
  refused([&] { cosine_embedding_loss(s, s, three); },
          "cosine_embedding_loss: [2, 3] x [2, 3] x [3]: the labels are not one per sample");
  refused([&] { cosine_embedding_loss(deep, deep, s); },
          "cosine_embedding_loss: [2, 3, 4] x [2, 3, 4] x [2, 3]: no rule for these ranks");
}

}  // namespace koila::test
