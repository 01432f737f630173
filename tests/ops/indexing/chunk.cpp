// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("chunk") {
  const auto last = [](const auto& x) {
    const auto [a, b, c] = chunk(x, 3_c, dim = 1);
    return mul(mul(a, b), c);
  };
  const auto want = [](const at::Tensor& x) {
    const auto c = x.chunk(3, 1);
    return c[0] * c[1] * c[2];
  };
  for (const auto n : batches) {
    check(last, want, per_sample(normal({n, 6})));
    check([](const auto& x) { return std::get<1>(chunk(x, 2_c, -1_c)); },
          [](const at::Tensor& x) { return x.chunk(2, -1)[1]; }, per_sample(normal({n, 5})));
  }
  for (const std::int64_t n : {3, 5}) {  // splits the samples
    check([](const auto& x) { return std::get<1>(chunk(x, 2_c)); }, [](const at::Tensor& x) { return x.chunk(2)[1]; },
          per_sample(normal({n, 2})));
    check([](const auto& x) { return std::get<0>(chunk(x, 2_c)); }, [](const at::Tensor& x) { return x.chunk(2)[0]; },
          per_sample(normal({n, 2})));
  }
  check_typed([](const auto& x) { return std::get<1>(chunk(x, 2_c, 1_c)); },
              [](const at::Tensor& x) { return x.chunk(2, 1)[1]; },
              std::pair{input<batch, 5>{}, normal({5, 5}).to(at::kFloat)});
  const auto known = chunk(input<batch, 5>{}, 2_c, 1_c);
  STATIC_REQUIRE(std::is_same_v<shape_t<std::tuple_element_t<1, decltype(known)>>, shape_t<input<batch, 2>>>);
  const at::Tensor t = at::rand({2, 5});
  CHECK(std::get<0>(chunk(t, 2_c)).is_alias_of(t));

  STATIC_REQUIRE(!Accepts<struct chunk_part, shape<batch, 5>, decltype(4_c), decltype(3_c), decltype(1_c)>);
  refused([&] { chunk(t, 4_c, 1); }, "chunk: [2, 5], part 3 of 4, dim 1: the number is larger than the dim");
  refused([&] { chunk(t, 2_c, 2); }, "chunk: [2, 5], part 0 of 2, dim 2: dimension out of range");
}

}  // namespace koila::test
