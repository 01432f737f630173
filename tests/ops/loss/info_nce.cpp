// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("info_nce") {
  const auto f = [](auto choice, const auto& q, const auto& k) { return info_nce(q, k, 0.5, reduction = choice); };
  const auto g = [](std::int64_t reduction, const at::Tensor& q, const at::Tensor& k) {
    return at::cross_entropy_loss(at::matmul(q, k.t()) / 0.5, at::arange(q.size(0), at::kLong), {}, reduction);
  };
  for (const std::int64_t n : {1, 5, 9}) {
    check_reductions({}, f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})));
    check([](const auto& x, const auto& w) { return info_nce(linear(x, w), tanh(linear(x, w)), temperature = 2); },
          [](const at::Tensor& x, const at::Tensor& w) {
            const at::Tensor z = at::linear(x, w);
            return at::cross_entropy_loss(at::matmul(z, at::tanh(z).t()) / 2, at::arange(x.size(0), at::kLong));
          },
          per_sample(normal({n, 3})), whole(normal({4, 3})));
  }
  check_reductions({}, f, g, whole(normal({4, 3})), whole(normal({4, 3})));
  check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                         std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});

  const input<any, any> q{"q"}, k{"k"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({4, 3}), one = at::rand({3});
  refused([&] { run(info_nce(q, k), q = s, k = t); }, "info_nce: [2, 3] x [4, 3]: shapes differ");
  refused([&] { info_nce(one, one); }, "info_nce: [3] x [3]: no rule for these ranks");
}

}  // namespace koila::test
