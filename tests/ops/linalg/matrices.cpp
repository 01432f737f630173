// SPDX-License-Identifier: MIT
#include <koila/ops/linalg/matrices.hpp>

#include "ops/check.hpp"

namespace koila::test {

namespace {
constexpr auto workspace(index_t m, index_t k, index_t n, dtype t) -> index_t {
  return rules::product_cost(dims({extent{m}, extent{k}}, t), dims({extent{k}, extent{n}}, t),
                             dims({extent{m}, extent{n}}, t), k)
      .workspace;
}
static_assert(workspace(3, 4, 5, float32) == 0);
static_assert(workspace(3, 4, 5, bfloat16) == 4 * (12 + 20 + 15));
static_assert(workspace(3, 0, 5, float16) == 0);
}  // namespace

TEST_CASE("products of 16 bits are computed in float32, with the memory that is planned") {
  const auto check = [](const auto& f, const std::vector<at::Tensor>& features, const at::Tensor& want) {
    const at::Tensor y = f(features);
    const double once = y.scalar_type() == at::kHalf ? 5e-4 : 4e-3;  // the error of one rounding
    CHECK((y.to(at::kDouble) - want).norm().item<double>() <= once * want.norm().item<double>());
  };
  for (const auto type : {at::kBFloat16, at::kHalf}) {
    for (const index_t m : {1, 7, 300}) {
      CAPTURE(m, type);
      const at::Tensor a = normal({m, 64}).to(type), b = normal({64, 40}).to(type), w = normal({40, 64}).to(type);
      const at::Tensor bias = normal({40}).to(type), wide = normal({64, m}).to(type);
      const auto exact = [](const at::Tensor& t) { return t.to(at::kDouble); };
      check([](const auto& x) { return mm(x[0], x[1]); }, {a, b}, at::mm(exact(a), exact(b)));
      check([](const auto& x) { return mm(x[0].t(), x[1]); }, {wide, b}, at::mm(exact(wide).t(), exact(b)));
      check([](const auto& x) { return linear(x[0], x[1], x[2]); }, {a, w, bias},
            at::linear(exact(a), exact(w), exact(bias)));
      check([](const auto& x) { return linear(x[0], x[1]); }, {a.view({1, m, 64}), w},
            at::linear(exact(a).view({1, m, 64}), exact(w)));
      const at::Tensor s = normal({3, m, 16}).to(type), t = normal({3, 16, 5}).to(type);
      check([](const auto& x) { return bmm(x[0], x[1]); }, {s, t}, at::bmm(exact(s), exact(t)));
      const at::Tensor image = normal({m, 4, 6, 6}).to(type), k = normal({8, 2, 3, 3}).to(type),
                       c = normal({8}).to(type);
      check([](const auto& x) { return conv2d(x[0], x[1], x[2], groups = 2_c); }, {image, k, c},
            at::conv2d(exact(image), exact(k), exact(c), at::IntArrayRef{1, 1}, at::IntArrayRef{0, 0},
                       at::IntArrayRef{1, 1}, 2));
      const at::Tensor back = normal({4, 8, 3, 3}).to(type);
      check([](const auto& x) { return conv_transpose2d(x[0], x[1], x[2]); }, {image, back, c},
            at::conv_transpose2d(exact(image), exact(back), exact(c)));
    }
    const at::Tensor none = at::empty({3, 0}, type), other = at::empty({0, 5}, type);
    CHECK(at::equal(mm(none, other), at::zeros({3, 5}, type)));
  }
}

}  // namespace koila::test
