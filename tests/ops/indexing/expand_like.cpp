// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("expand_like") {
  SECTION("as sum's transpose") {
    for (const auto& s : some_sizes(1))
      for (int d = -2; d < 2; ++d)
        for (const bool keep : {false, true}) {
          const int rank = static_cast<int>(s.sizes.size());
          if (d < -rank || d >= rank) continue;
          const at::Tensor x = normal(s.sizes), dy = x.sum(d, keep);
          const int position = (d + rank) % rank,
                    batch = s.batch == position ? -1 : s.batch - (s.batch > position && !keep ? 1 : 0);
          check([=](const auto& a, const auto& b) { return expand_like(a, b, dim = d, keepdim = keep); },
                [=](const at::Tensor& a, const at::Tensor& b) {
                  return (keep ? a : a.unsqueeze(d)).expand(b.sizes()) + 0 * b;
                },
                operand{dy, batch}, per_sample(x, s.batch));
        }
  }
  SECTION("several dims") {
    const at::Tensor x = normal({3, 5, 2, 4});
    for (const int batch : {0, 1, 2, 3}) {
      const at::Tensor dy = x.sum(at::IntArrayRef{0, 2});
      check([=](const auto& a, const auto& b) { return expand_like(a, b, dim = list_of(2_c, 0_c)); },
            [=](const at::Tensor& a, const at::Tensor& b) {
              return a.unsqueeze(0).unsqueeze(2).expand(b.sizes()) + 0 * b;
            },
            operand{dy, batch == 1   ? 0
                        : batch == 3 ? 1
                                     : -1},
            per_sample(x, batch));
    }
  }
  SECTION("of scalars and what broadcasts") {
    const auto f = [](const auto& a, const auto& b) { return expand_like(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return a.expand(b.sizes()) + 0 * b; };
    for (const auto n : batches) {
      check(f, g, whole(normal({})), per_sample(normal({n, 3})));
      check(f, g, whole(normal({2, 1})), per_sample(normal({2, n}), 1));
      check(f, g, per_sample(normal({n, 1})), per_sample(normal({n, 3})));
      check(f, g, per_sample(normal({n})), per_sample(normal({3, n}), 1));
    }
    check_typed(f, g, std::pair{parameter<>{}, normal({}).to(at::kFloat)},
                std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  }
  STATIC_REQUIRE(!Accepts<struct expand_like, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
