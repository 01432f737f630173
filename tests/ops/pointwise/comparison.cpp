// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <vector>

namespace koila::test {

TEST_CASE("comparisons are expressions") {
  const input<batch, 3> x{"x"}, z{"z"};
  const input<boolean, batch, 3> m{"m"};
  const input<int64, batch, 3> i{"i"};
  const auto matches = []<class Op>(const Op&, const auto& e) {
    return std::same_as<typename std::remove_cvref_t<decltype(e)>::op_type, std::remove_const_t<Op>>;
  };
  CHECK(matches(eq, x == z));
  CHECK(matches(ne, x != 1));
  CHECK(matches(lt, x < z));
  CHECK(matches(le, x <= 0.5));
  CHECK(matches(gt, 1 > x));
  CHECK(matches(ge, x + z >= x));
  CHECK(matches(eq, relu(x) == x));
  CHECK(matches(ne, 1 != x));
  CHECK(matches(bitwise_and, (x > 0) & (z > 0)));
  CHECK(matches(bitwise_or, m | m));
  CHECK(matches(bitwise_xor, i ^ 1));
  CHECK(matches(ops::remainder, i % 2));
  CHECK(matches(logical_not, !(x > 0)));
  CHECK(matches(bitwise_not, ~m));
  STATIC_REQUIRE(std::same_as<shape_t<decltype(x > 0)>, shape<boolean, batch, 3L>>);
  STATIC_REQUIRE(std::same_as<shape_t<decltype(x == input<float64, 3>{})>, shape<boolean, batch, 3L>>);
  STATIC_REQUIRE(std::same_as<shape_t<decltype((x > 0) & m)>, shape<boolean, batch, 3L>>);
  STATIC_REQUIRE(std::same_as<shape_t<decltype(i & m)>, shape<int64, batch, 3L>>);
}

TEST_CASE("comparisons leave other types alone, and assignment deleted") {
  using x = input<batch, 3>;
  STATIC_REQUIRE(!std::is_copy_assignable_v<x>);
  STATIC_REQUIRE(!std::equality_comparable<x>);  // a comparison does not return a bool
  STATIC_REQUIRE(float32 != float64);
  STATIC_REQUIRE(attr<index_t>(2) == attr<index_t>(2));
  std::vector<x> inputs{x{"x"}, x{"y"}};
  inputs.push_back(x{"z"});
  CHECK(inputs.size() == 3);
  const auto pair = hana::make_tuple(inputs[0], inputs[1] > 0);
  CHECK(hana::at_c<0>(pair).state == inputs[0].state);
  const std::tuple<x, x> both{inputs[0], inputs[1]};
  CHECK(std::get<0>(both).state == inputs[0].state);
}

TEST_CASE("a comparison states the bytes of operands converted") {
  constexpr dims f4({extent{3}}, float32), i8({extent{3}}, int64), b({extent{3}}, boolean);
  STATIC_REQUIRE(eq.cost(f4, f4, b).workspace == 0);
  STATIC_REQUIRE(eq.cost(f4, i8, b).workspace == 12);
  STATIC_REQUIRE(eq.cost(b, i8, b).workspace == 24);
}

TEST_CASE("numbers are compared in the operands' dtype") {
  const at::Tensor bytes = at::arange(4, at::kByte), longs = at::arange(4), floats = at::rand({4});  // (4)
  const auto lazily = [](const at::Tensor& t) { return lazy<any>(t); };
  same(run(lazily(longs) > 0.5), longs > 0.5);
  same(run(lazily(floats) < 0.5), floats < 0.5);
  same(run(lazily(bytes) == 300), at::eq(bytes, 300));  // uint8 cannot hold 300
  same(run(lazily(bytes) + 300), bytes + 300);
  same(add(bytes, 300), bytes + 300);
}

TEST_CASE("nothing differentiable goes through a comparison") {
  const parameter<float64, 4> w{"w"};
  const at::Tensor t = normal({4});
  set(w, t);
  same(run(gradient(sum(w * (w > 0)), w)), (t > 0).to(at::kDouble));
}

}  // namespace koila::test
