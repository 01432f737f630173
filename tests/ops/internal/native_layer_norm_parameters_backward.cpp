// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("native_layer_norm_parameters_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& w) {
    return native_layer_norm_parameters_backward(dy, x, w);
  };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(w.dim()), 1);
    rows[0] = -1;
    std::vector<std::int64_t> sizes = w.sizes().vec();
    sizes.insert(sizes.begin(), -1);
    const at::Tensor y = at::layer_norm(x, w.sizes());
    return at::stack({(dy * y).reshape(sizes).sum(0), dy.reshape(sizes).sum(0)}) + 0 * w;
  };
  for (const auto n : {1, 3, 8})
    check(f, g, per_sample(normal({n, 5})), per_sample(normal({n, 5})), whole(normal({5})));
  check(f, g, per_sample(normal({2, 7, 2, 3}), 1), per_sample(normal({2, 7, 2, 3}), 1), whole(normal({2, 3})));
  check(f, g, per_sample(normal({3, 5}), 1), per_sample(normal({3, 5}), 1), per_sample(normal({5})));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});
  const at::Tensor t = at::rand({2, 3}), three = at::rand({3, 3}), w = at::rand({3});
  same(native_layer_norm_parameters_backward(at::empty({0, 3}), at::empty({0, 3}), w), at::zeros({2, 3}));
  refused([&] { native_layer_norm_parameters_backward(three, t, w); },
          "native_layer_norm_parameters_backward: [3, 3] x [2, 3] x [3]: shapes differ");
}

}  // namespace koila::test
