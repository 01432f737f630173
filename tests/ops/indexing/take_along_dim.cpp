// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("take_along_dim") {
  const auto f = [](auto... d) { return [=](const auto& x, const auto& i) { return take_along_dim(x, i, d...); }; };
  const auto g = [](std::optional<std::int64_t> d) {
    return [=](const at::Tensor& x, const at::Tensor& i) { return x.contiguous().take_along_dim(i, d); };
  };
  const auto index = [](at::IntArrayRef sizes, std::int64_t n) {
    return labels(c10::multiply_integers(sizes), n).view(sizes);
  };
  for (const auto n : batches) {
    check(f(1), g(1), per_sample(normal({n, 3})), whole(index({1, 2}, 3)));
    check(f(-1), g(-1), per_sample(normal({n, 2, 3})), per_sample(index({n, 1, 2}, 3)));
    check(f(1), g(1), whole(normal({1, 3})), per_sample(index({n, 2}, 3)));
  }
  check(f(0), g(0), per_sample(normal({5, 2})), whole(index({4, 1}, 5)));
  check(f(), g(std::nullopt), per_sample(normal({5, 2})), whole(index({4}, 10)));
  check_typed(f(1_c), g(1), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{input<int64, batch, 2>{}, index({5, 2}, 3)});

  const at::Tensor t = at::rand({2, 3}), i = index({3, 1}, 2);
  refused([&] { take_along_dim(t, i, 1); }, "take_along_dim: [2, 3] x int64[3, 1], dim 1: not broadcastable");
  refused([&] { take_along_dim(t, t, 1); }, "take_along_dim: [2, 3] x [2, 3], dim 1: the index is not int64");
}

}  // namespace koila::test
