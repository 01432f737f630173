// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("bmm") {
  const auto f = [](const auto& a, const auto& b) { return bmm(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::bmm(a, b); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 2, 3})), per_sample(normal({n, 3, 4})));           // the samples are the stack
    check(f, g, per_sample(normal({2, n, 3}), 1), whole(normal({2, 3, 4})));             // the samples are rows
    check(f, g, whole(normal({2, 4, 3})), per_sample(normal({2, 3, n}), 2));             // the samples are columns
    check(f, g, per_sample(normal({2, 4, n}), 2), per_sample(normal({2, n, 3}), 1));     // contracted: a partial sum
    check(f, g, per_sample(normal({2, n, 3}), 1), per_sample(normal({2, 3, n}), 2));     // all pairs of samples
    check([](const auto& a) { return bmm(a, transpose(a, 1, 2)); },
          [](const at::Tensor& a) { return at::bmm(a, a.mT()); }, per_sample(normal({n, 2, 3})));
    check(f, g, per_sample(normal({n, 2, 0})), per_sample(normal({n, 0, 4})));
  }
  check(f, g, whole(normal({2, 3, 4})), whole(normal({2, 4, 1})));
  check(f, g, per_sample(normal({11, 13, 17})), per_sample(normal({11, 17, 7})));
  check_typed(f, g, std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)},
              std::pair{input<batch, 3, 4>{}, normal({5, 3, 4}).to(at::kFloat)});

  const input<any, any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3, 4}), t = at::rand({3, 4, 5});
  refused([&] { run(bmm(a, b), a = s, b = t); }, "bmm: [2, 3, 4] x [3, 4, 5]: batch dimensions differ");
  refused([&] { bmm(s, s); }, "bmm: [2, 3, 4] x [2, 3, 4]: inner dimensions differ");
}

}  // namespace koila::test
