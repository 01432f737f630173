// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("to_dtype") {
  const auto wide = [](const auto& x) { return to<float64>(x); };
  const ask steps{.quotients = false};  // rounded values have no useful difference quotients
  for (const auto& s : some_sizes(1)) {
    check(wide, [](const at::Tensor& x) { return x.to(at::kDouble); }, per_sample(normal(s.sizes), s.batch));
    check(
        steps, [](const auto& x) { return to<float32>(x); }, [](const at::Tensor& x) { return x.to(at::kFloat); },
        per_sample(normal(s.sizes), s.batch));
    check(
        steps,
        [](const auto& x) { return to<float32>(to<bfloat16>(x)); },  // a sum in bfloat16 would depend on its order
        [](const at::Tensor& x) { return x.to(at::kBFloat16).to(at::kFloat); }, per_sample(normal(s.sizes), s.batch));
    check(
        steps, [](const auto& x) { return to<int32>(x); }, [](const at::Tensor& x) { return x.to(at::kInt); },
        per_sample(normal(s.sizes), s.batch));
    check(
        steps, [](const auto& x) { return to<boolean>(x); }, [](const at::Tensor& x) { return x.to(at::kBool); },
        whole(normal(s.sizes)));
  }
  check_typed(
      wide, [](const at::Tensor& x) { return x.to(at::kDouble); },
      std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  check_integers(wide, [](const at::Tensor& x) { return x.to(at::kDouble); },
                 {at::kBool, at::kByte, at::kInt, at::kLong});
  check_integers([](const auto& x) { return to<float16>(x); }, [](const at::Tensor& x) { return x.to(at::kHalf); },
                 {at::kBool, at::kByte, at::kInt, at::kLong});
  check_integers([](const auto& x) { return to<uint8>(to<boolean>(x)); },
                 [](const at::Tensor& x) { return x.to(at::kBool).to(at::kByte); },
                 {at::kBool, at::kByte, at::kInt, at::kLong});

  // A conversion to the same dtype plans no copy.
  const input<batch, 3> x{"x"};
  const at::Tensor t = normal({5, 3}).to(at::kFloat);  // (samples, 3)
  CHECK(plan(sum(to<float32>(x)), {}, x = t).peak_bytes() == plan(sum(x), {}, x = t).peak_bytes());
  STATIC_REQUIRE(shape_t<decltype(wide(x))>::value == shape<float64, batch, 3>::value);
  STATIC_REQUIRE(!Accepts<struct to_dtype, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  same(to<int64>(at::tensor({-1.5, 2.5})), at::tensor({-1, 2}, at::kLong));
}

}  // namespace koila::test
