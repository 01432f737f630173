// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("flatten") {
  for (const auto& s : some_sizes(1)) {
    const int rank = static_cast<int>(s.sizes.size());
    const operand x = per_sample(normal(s.sizes), s.batch);
    check([](const auto& t) { return flatten(t); }, [](const at::Tensor& t) { return at::flatten(t); }, x);
    for (const int i : {1, 2, -2})
      for (const int j : {-1, -2, 2})
        if (i >= -rank && i < rank && j >= -rank && j < rank && (i + rank) % rank <= (j + rank) % rank)
          check([=](const auto& t) { return flatten(t, start_dim = i, end_dim = j); },
                [=](const at::Tensor& t) { return at::flatten(t, i, j); }, x);
  }
  check([](const auto& t) { return flatten(t); }, [](const at::Tensor& t) { return at::flatten(t); },
        whole(normal({})));
  check([](const auto& t) { return mul(flatten(koila::exp(t), 1_c), 2); },
        [](const at::Tensor& t) { return at::flatten(t.exp(), 1) * 2; }, whole(normal({2, 3, 4})));
  check_typed([](const auto& t) { return flatten(t, 1_c); }, [](const at::Tensor& t) { return at::flatten(t, 1); },
              std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
  check_typed([](const auto& t) { return flatten(t, start_dim = 0_c, end_dim = 1_c); },
              [](const at::Tensor& t) { return at::flatten(t, 0, 1); },
              std::pair{input<2, batch, 3>{}, normal({2, 5, 3}).to(at::kFloat)});

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3});
  refused([&] { run(flatten(x, 1, 2), x = t); }, "flatten: [2, 3], dims 1 to 2: dimension out of range");
  refused([&] { flatten(t, 1, 0); }, "flatten: [2, 3], dims 1 to 0: dimension out of range");
}

}  // namespace koila::test
