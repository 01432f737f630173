// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("triplet_margin_loss") {
  const auto all = [](double norm, bool nearer, double m) {
    const auto f = [=](auto choice, const auto& x, const auto& y, const auto& z) {
      return triplet_margin_loss(x, y, z, margin = m, ops::p = norm, swap = nearer, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y, const at::Tensor& z) {
      return at::triplet_margin_loss(x, y, z, m, norm, 1e-6, nearer, reduction);
    };
    for (const auto& s : {sizes_with_batch{{5, 3}, 0}, {{0, 3}, 0}, {{2, 9, 3}, 1}})
      check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch),
                       per_sample(normal(s.sizes), s.batch));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
  };
  SECTION("p is 2") { all(2, false, 1); }
  SECTION("p is 1") { all(1, false, 0.5); }
  SECTION("p is 3, swapped") { all(3, true, 1); }
  SECTION("p is infinite") { all(std::numeric_limits<double>::infinity(), false, 1); }
  SECTION("p is 2, swapped") { all(2, true, 1); }
  SECTION("broadcast") {
    check(
        [](const auto& x, const auto& y, const auto& z) { return triplet_margin_loss(x, y, z); },
        [](const at::Tensor& x, const at::Tensor& y, const at::Tensor& z) { return at::triplet_margin_loss(x, y, z); },
        per_sample(normal({5, 3})), whole(normal({1, 3})), per_sample(normal({5, 3})));
  }
  SECTION("refused") {
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4}), one = at::rand({});
    refused([&] { triplet_margin_loss(s, s, t); }, "triplet_margin_loss: [2, 3] x [2, 3] x [2, 4]: not broadcastable");
    refused([&] { triplet_margin_loss(one, one, one); }, "triplet_margin_loss: [] x [] x []: no rule for these ranks");
    refused([&] { triplet_margin_loss(s, s, s, ops::p = -1.0); },
            "triplet_margin_loss: [2, 3] x [2, 3] x [2, 3]: a size is out of range");
  }
}

}  // namespace koila::test
