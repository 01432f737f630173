// SPDX-License-Identifier: MIT
#include "measure.hpp"
#include "ops/check.hpp"

#include <koila/kernels/table.hpp>

namespace koila::test {

TEST_CASE("centred_affine") {
  const auto f = [](const auto& x, const auto& m, const auto& s, const auto& b) { return centred_affine(x, m, s, b); };
  const auto g = [](const at::Tensor& x, const at::Tensor& m, const at::Tensor& s, const at::Tensor& b) {
    return (x - m) * s + b;
  };
  for (const auto n : {0, 1, 3, 8}) {
    check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})), per_sample(normal({n, 3})),
          per_sample(normal({n, 3})));
    check(f, g, per_sample(normal({n, 3, 2})), whole(normal({1, 3, 1})), whole(normal({1, 3, 1})),
          whole(normal({1, 3, 1})));
    check(f, g, per_sample(normal({2, n}), 1), whole(normal({2, 1})), whole(normal({})), whole(normal({2, 1})));
    check(f, g, whole(normal({3})), whole(normal({2, 1, 1})), per_sample(normal({n, 1})), whole(normal({3})));
  }
  check([](const auto& x, const auto& s) { return centred_affine(x, 2.0, s, 0.5); },
        [](const at::Tensor& x, const at::Tensor& s) { return (x - 2.0) * s + 0.5; }, per_sample(normal({5, 3})),
        whole(normal({3})));
  check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)},
              std::pair{parameter<4, 1>{}, normal({4, 1}).to(at::kFloat)},
              std::pair{parameter<4, 1>{}, normal({4, 1}).to(at::kFloat)},
              std::pair{parameter<>{}, normal({}).to(at::kFloat)});

  const at::Tensor x = at::rand({2}), y = at::rand({3}), m = x > 0;
  refused([&] { centred_affine(x, x, x, y); }, "centred_affine: [2] x [2] x [2] x [3]: not broadcastable");
  refused([&] { centred_affine(x, y, x, x); }, "centred_affine: [2] x [3] x [2] x [2]: not broadcastable");
  refused([&] { centred_affine(x, m, x, x); }, "centred_affine: [2] x bool[2] x [2] x [2]: no rule for booleans");
  refused([&] { centred_affine(m, m, m, m); },
          "centred_affine: bool[2] x bool[2] x bool[2] x bool[2]: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct centred_affine, shape<3>, shape<4>, shape<3>, shape<3>>);
  STATIC_REQUIRE(!Accepts<struct centred_affine, shape<3>, shape<3>, shape<3>, shape<4>>);
}

TEST_CASE("centred_affine of several dtypes: each gradient has its operand's") {
  const input<float64, batch, 3> x{"x"};
  const parameter<3> mean{"mean"};
  const parameter<float64, 3> scale{"scale"}, shift{"shift"};
  const at::Tensor t = normal({5, 3});
  backward(sum(centred_affine(x, mean, scale, shift)), x = t);
  CHECK(tensor_of(mean).grad().scalar_type() == at::kFloat);
  CHECK(at::allclose(tensor_of(mean).grad().to(at::kDouble), tensor_of(scale).detach() * -5.0, 1e-6));
  CHECK(at::allclose(tensor_of(scale).grad(), (t - tensor_of(mean).detach()).sum(0)));
}

TEST_CASE("centred_affine by LibTorch's operators of a matrix that lies the other way: no buffer that no plan counts") {
  const parameter<70, 64> w{"w"};
  const parameter<float64> scale{"scale"};  // has a different dtype, so that no element-wise kernel computes the op
  const at::Tensor t = tensor_of(w).detach(), by = tensor_of(scale).detach();
  const auto y = centred_affine(transpose(w, 0_c, 1_c), 0.5, scale, 0.25);
  const index_t predicted = plan(y).peak_bytes();
  const bench::measure here;
  const at::Tensor got = run(y);
  CHECK((here.peak() == predicted || detail::by_operators_only));
  CHECK(at::allclose(got, ((t.t() - 0.5) * by + 0.25).to(at::kFloat)));
}

}  // namespace koila::test
