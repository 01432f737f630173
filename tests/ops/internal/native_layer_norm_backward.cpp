// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("native_layer_norm_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& w) { return native_layer_norm_backward(dy, x, w); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w) {
    std::vector<std::int64_t> last;
    for (std::int64_t d = -w.dim(); d < 0; ++d) last.push_back(d);
    const at::Tensor scale = (x.var(last, std::optional<at::Scalar>(0), true) + 1e-5).rsqrt();
    const at::Tensor y = (x - x.mean(last, true)) * scale, g = dy * w;
    return scale * (g - g.mean(last, true) - y * (g * y).mean(last, true));
  };
  for (const auto n : {1, 3, 8})
    check(f, g, per_sample(normal({n, 5})), per_sample(normal({n, 5})), whole(normal({5})));
  check(f, g, per_sample(normal({2, 7, 2, 3}), 1), per_sample(normal({2, 7, 2, 3}), 1), whole(normal({2, 3})));
  check(f, g, per_sample(normal({3, 5}), 1), per_sample(normal({3, 5}), 1), per_sample(normal({5})));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3}), three = at::rand({3, 3}), w = at::rand({3});
  refused([&] { native_layer_norm_backward(three, t, w); },
          "native_layer_norm_backward: [3, 3] x [2, 3] x [3]: shapes differ");
}

}  // namespace koila::test
