// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("matmul") {
  const auto f = [](const auto& a, const auto& b) { return matmul(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::matmul(a, b); };
  SECTION("vectors and matrices") {
    for (const auto n : batches) {
      check(f, g, per_sample(normal({n, 3})), whole(normal({3})));
      check(f, g, per_sample(normal({n})), per_sample(normal({n})));
      check(f, g, whole(normal({3})), per_sample(normal({3, n}), 1));
      check(f, g, per_sample(normal({n})), per_sample(normal({n, 4})));
      check(f, g, per_sample(normal({n, 3})), whole(normal({3, 4})));
    }
    check(f, g, whole(normal({3})), whole(normal({3})));
  }
  SECTION("stacks") {
    for (const auto n : batches) {
      check(f, g, per_sample(normal({n, 2, 3})), whole(normal({3, 4})));
      check(f, g, per_sample(normal({n, 2, 3})), whole(normal({3})));
      check(f, g, per_sample(normal({2, n, 3}), 1), whole(normal({3, 4})));
      check(f, g, whole(normal({3})), per_sample(normal({n, 3, 4})));
      check(f, g, per_sample(normal({n, 2, 3})), per_sample(normal({n, 3, 4})));
      check(f, g, whole(normal({2, 3})), per_sample(normal({n, 3, 4})));
      check(f, g, per_sample(normal({2, n, 3}), 1), whole(normal({2, 3, 4})));
    }
  }
  SECTION("leading dims that broadcast") {
    for (const auto n : batches) {
      check(f, g, per_sample(normal({n, 1, 2, 3})), whole(normal({4, 3, 2})));
      check(f, g, per_sample(normal({2, n, 2, 3}), 1), per_sample(normal({n, 3, 2})));
      check(f, g, per_sample(normal({n, 2, 2, 3})), per_sample(normal({n, 1, 3, 2})));
    }
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)},
                std::pair{parameter<3, 4>{}, normal({3, 4}).to(at::kFloat)});
    check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
                std::pair{parameter<3>{}, normal({3}).to(at::kFloat)});
  }
  SECTION("refused") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({4, 5});
    refused([&] { run(matmul(a, b), a = s, b = t); }, "matmul: [2, 3] x [4, 5]: inner dimensions differ");
    refused([&] { matmul(s, t); }, "matmul: [2, 3] x [4, 5]: inner dimensions differ");
  }
}

}  // namespace koila::test
