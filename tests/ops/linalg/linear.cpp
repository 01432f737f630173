// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("linear") {
  const auto f = [](const auto& x, const auto& w, const auto& b) { return linear(x, w, b); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::linear(x, w, b); };
  const auto no_bias = [](const auto& x, const auto& w) { return linear(x, w); };
  const auto want_no_bias = [](const at::Tensor& x, const at::Tensor& w) { return at::linear(x, w); };
  const operand w = whole(normal({4, 3})), b = whole(normal({4}));
  for (const auto n : batches)
    for (const operand& x :
         {per_sample(normal({n, 3})), per_sample(normal({n, 2, 3})), per_sample(normal({2, n, 3}), 1)}) {
      check(f, g, x, w, b);
      check(no_bias, want_no_bias, x, w);
    }
  check(f, g, whole(normal({3})), w, b);
  check(f, g, whole(normal({2, 3})), w, b);
  for (const auto& sizes : {std::vector<std::int64_t>{5, 0}, {5, 2, 0}, {0, 2, 0}}) {
    check(f, g, per_sample(normal(sizes)), whole(normal({4, 0})), b);
    check(no_bias, want_no_bias, per_sample(normal(sizes)), whole(normal({4, 0})));
  }
  for (const auto& sizes : {std::vector<std::int64_t>{5, 3}, {5, 2, 3}})
    check(f, g, per_sample(normal(sizes)), whole(normal({0, 3})), whole(normal({0})));
  check(f, g, per_sample(normal({33, 29})), whole(normal({31, 29})), whole(normal({31})));
  check(no_bias, want_no_bias, per_sample(normal({5, 3})), per_sample(normal({5, 3})));  // all pairs of samples
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{parameter<4, 3>{}, normal({4, 3}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});

  const input<any, any> x{"x"}, v{"v"};
  const input<any> c{"c"};
  const at::Tensor r = at::rand({2, 3}), s = at::rand({5, 4}), t = at::rand({4, 3}), u = at::rand({3});
  refused([&] { run(linear(x, v), x = r, v = s); }, "linear: [2, 3] x [5, 4]: in_features differ");
  refused([&] { run(linear(x, v, c), x = r, v = t, c = u); },
          "linear: [2, 3] x [4, 3] x [3]: the bias is not (out_features)");
  refused([&] { linear(r, s); }, "linear: [2, 3] x [5, 4]: in_features differ");
}

}  // namespace koila::test
