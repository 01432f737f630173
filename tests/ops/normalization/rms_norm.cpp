// SPDX-License-Identifier: MIT
#include "ops/check_16_bits.hpp"

namespace koila::test {

TEST_CASE("rms_norm") {
  const auto f = [](const auto& x, const auto& w) { return rms_norm(x, w, eps = 1e-3); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w) { return at::rms_norm(x, w.sizes(), w, 1e-3); };
  for (const auto n : {0, 1, 3, 8}) check(f, g, per_sample(normal({n, 5})), whole(normal({5})));
  check(f, g, per_sample(normal({2, 7, 3, 2}), 1), whole(normal({3, 2})));
  check(f, g, whole(normal({3, 4})), whole(normal({3, 4})));
  check([](const auto& x) { return mul(x, rms_norm(x, list_of(4))); },
        [](const at::Tensor& x) { return x * at::rms_norm(x, {4}); }, per_sample(normal({5, 4})));
  check([](const auto& x) { return mul(x, rms_norm(x, normalized_shape = list_of(5, 4))); },
        [](const at::Tensor& x) { return x * at::rms_norm(x, {5, 4}); }, per_sample(normal({3, 5, 4}), 1));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{parameter<4>{}, normal({4}).to(at::kFloat)});

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), four = at::rand({4});
  refused([&] { run(rms_norm(x, four), x = t); }, "rms_norm: [2, 3] x [4]: the last dims are not those of the weight");
  STATIC_REQUIRE(!Accepts<struct rms_norm, shape<batch, 3>>);
}

TEST_CASE("trials H2: rms_norm in 16 bits without eps has that of float32") {
  for (const auto type : {at::kHalf, at::kBFloat16}) {
    const at::Tensor x = (normal({7, 8}) * 1e-3).to(type), w = (normal({8}) + 1).to(type);
    CHECK(error_of(rms_norm(x, list_of(8)), at::rms_norm(x, {8}).to(at::kDouble)) <=
          (type == at::kHalf ? 0x1p-10 : 0x1p-7));
    CHECK(error_of(rms_norm(x, w), at::rms_norm(x, {8}, w).to(at::kDouble)) <= (type == at::kHalf ? 0x1p-9 : 0x1p-6));
  }
  check_16_bits([](const auto& x) { return rms_norm(x, list_of(4)); },
                [](const at::Tensor& x) { return at::rms_norm(x, {4}, {}, 0x1p-23); },
                per_sample(normal({5, 4}) * 1e-3));
}

}  // namespace koila::test
