// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("mm") {
  const auto f = [](const auto& a, const auto& b) { return mm(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::mm(a, b); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})), whole(normal({3, 4})));
    check(f, g, whole(normal({4, 3})), per_sample(normal({3, n}), 1));
    check(f, g, per_sample(normal({4, n}), 1), per_sample(normal({n, 5})));    // contracted: a partial sum
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({3, n}), 1));    // all pairs of samples
    check(f, g, per_sample(normal({n, 0})), whole(normal({0, 4})));
    check(f, g, per_sample(normal({n, 3})), whole(normal({3, 0})));
    check([](const auto& a) { return mm(a, transpose(a, 0, 1)); }, [](const at::Tensor& a) { return at::mm(a, a.t()); },
          per_sample(normal({n, 3})));
    check([](const auto& a) { return mm(transpose(a, 0, 1), a); }, [](const at::Tensor& a) { return at::mm(a.t(), a); },
          per_sample(normal({n, 3})));
  }
  check(f, g, whole(normal({2, 3})), whole(normal({3, 4})));
  check(f, g, per_sample(normal({37, 19})), whole(normal({19, 23})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{parameter<3, 4>{}, normal({3, 4}).to(at::kFloat)});
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)},
              std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)});

  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({4, 5});
  refused([&] { run(mm(a, b), a = s, b = t); }, "mm: [2, 3] x [4, 5]: inner dimensions differ");
  refused([&] { mm(s, t); }, "mm: [2, 3] x [4, 5]: inner dimensions differ");
}

}  // namespace koila::test
