// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("scatter_add") {
  const auto f = [](int d) {
    return [=](const auto& x, const auto& i, const auto& s) { return scatter_add(x, d, i, s); };
  };
  const auto g = [](int d) {
    return [=](const at::Tensor& x, const at::Tensor& i, const at::Tensor& s) { return x.scatter_add(d, i, s); };
  };
  const auto index = [](at::IntArrayRef sizes, std::int64_t n) {
    return labels(c10::multiply_integers(sizes), n).view(sizes);
  };
  for (const auto n : batches) {
    check(f(1), g(1), per_sample(normal({n, 3})), per_sample(index({n, 5}, 3)), per_sample(normal({n, 5})));
    check(f(0), g(0), whole(normal({4, 2})), per_sample(index({n, 2}, 4)), per_sample(normal({n, 2})));
  }
  check(f(0), g(0), per_sample(normal({5, 2})), whole(index({4, 2}, 5)), whole(normal({4, 2})));
  check(f(1), g(1), whole(normal({2, 3})), whole(index({2, 4}, 3)), whole(normal({2, 4})));
  check_typed(f(1), g(1), std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{input<int64, batch, 2>{}, index({5, 2}, 3)},
              std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)});
  for (const auto type : {at::kByte, at::kLong, at::kBFloat16}) {
    const at::Tensor x = at::ones({3, 4}, type), s = at::ones({3, 2}, type), i = index({3, 2}, 4);
    same(scatter_add(x, 1, i, s), x.scatter_add(1, i, s));
  }

  const at::Tensor x = at::rand({2, 3}), i = index({2, 2}, 3);
  refused([&] { scatter_add(x, 1, x, x); }, "scatter_add: [2, 3] x [2, 3] x [2, 3], dim 1: the index is not int64");
  out_of_range([&] { scatter_add(x, 1, i - 5, i.to(at::kFloat)); });
}

}  // namespace koila::test
