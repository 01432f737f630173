// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("element-wise ops of one operand") {
  constexpr auto x = [](dtype t) { return dims({extent(5), extent(3)}, t); };
  constexpr auto gives = [](const verdict& v, const dims& d) { return v.accepted() && v.out == d; };

  // `unary` keeps any dtype. `unary_floating` returns a float for any dtype. `unary_number` refuses
  // booleans. `unary_activation` accepts only floats. `unary_predicate` returns booleans for any
  // dtype.
  STATIC_REQUIRE(gives(unary<struct neg>::rule(x(int64)), x(int64)));
  STATIC_REQUIRE(gives(unary<struct neg>::rule(x(boolean)), x(boolean)));
  STATIC_REQUIRE(gives(unary_floating<struct neg>::rule(x(int64)), x(float32)));
  STATIC_REQUIRE(gives(unary_floating<struct neg>::rule(x(float16)), x(float16)));
  STATIC_REQUIRE(gives(unary_number<struct neg>::rule(x(uint8)), x(uint8)));
  STATIC_REQUIRE(unary_number<struct neg>::rule(x(boolean)).reason == reason::no_rule_for_booleans);
  STATIC_REQUIRE(gives(unary_activation<struct neg>::rule(x(bfloat16)), x(bfloat16)));
  STATIC_REQUIRE(unary_activation<struct neg>::rule(x(int64)).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(unary_activation<struct neg>::rule(x(boolean)).reason == reason::not_a_floating_type);
  STATIC_REQUIRE(gives(unary_predicate<struct neg>::rule(x(float64)), x(boolean)));

  // Unknown dims and dtypes are not refused.
  STATIC_REQUIRE(gives(unary<struct neg>::rule(dims()), dims()));
  STATIC_REQUIRE(gives(unary_floating<struct neg>::rule(dims()), dims()));
  STATIC_REQUIRE(gives(unary_number<struct neg>::rule(dims()), dims()));
  STATIC_REQUIRE(gives(unary_activation<struct neg>::rule(dims()), dims()));
  STATIC_REQUIRE(gives(unary_predicate<struct neg>::rule(dims()), dims(boolean)));

  // The result for a per-sample value is a per-sample value, whichever dim the samples lie along.
  // The result for a whole value is a whole value.
  STATIC_REQUIRE(unary<struct neg>::flow({x(float32), samples_along(1, 2, 3)}, x(float32)).out ==
                 samples_along(1, 2, 3));
  STATIC_REQUIRE(unary<struct neg>::flow({x(float32), {}}, x(float32)).out == batch_relation{});

  // LibTorch first converts an operand of a different dtype, but a predicate reads the operand
  // without conversion.
  STATIC_REQUIRE(unary<struct neg>::cost(x(float32), x(float32)).workspace == 0);
  STATIC_REQUIRE(unary<struct neg>::cost(x(int64), x(float32)).workspace == 15 * 4);
  STATIC_REQUIRE(unary_predicate<struct neg>::cost(x(float64), x(boolean)).workspace == 0);
  STATIC_REQUIRE(unary<struct neg>::cost(x(float64), x(float64)).bytes == 2 * 15 * 8);
  STATIC_REQUIRE(unary<struct neg>::cost(x(float64), x(float64)).flops == 15);
}

TEST_CASE("element-wise ops of two operands") {
  constexpr dims a({extent(5), extent(1), extent(3)}, float32), b({extent(2), extent(1)}, int64);
  constexpr dims both({extent(5), extent(2), extent(3)}, float32);
  STATIC_REQUIRE(binary<struct add>::rule(a, b).out == both);
  STATIC_REQUIRE(binary<struct add>::rule(b, a).out == both);
  STATIC_REQUIRE(binary<struct add>::rule(a, dims({extent(4)}, float32)).reason == reason::not_broadcastable);
  STATIC_REQUIRE(!binary<struct add>::rule(a, dims()).out.ranked());
  STATIC_REQUIRE(binary<struct add>::rule(a, dims()).accepted());

  // Only one operand has samples. The op needs the whole other operand, because that operand has no
  // dim at the position of the batch dim, or has extent 1 there.
  constexpr relations left = binary<struct add>::flow({a, samples_along(0)}, {b, {}}, both);
  STATIC_REQUIRE(left.out == samples_along(0));
  STATIC_REQUIRE((left.operand[0].kind == need::rows && left.operand[0].along == samples_along(0)));
  STATIC_REQUIRE(left.operand[1].kind == need::whole);
  constexpr relations right = binary<struct add>::flow({a, {}}, {b, samples_along(0)}, both);
  STATIC_REQUIRE(right.out == samples_along(1));
  STATIC_REQUIRE(right.operand[0].kind == need::whole);
  STATIC_REQUIRE((right.operand[1].kind == need::rows && right.operand[1].along == samples_along(0)));
  constexpr dims c({extent(5), extent(2), extent(3)}, float32);
  constexpr relations same_rows = binary<struct add>::flow({c, samples_along(1)}, {c, samples_along(1)}, c);
  STATIC_REQUIRE((same_rows.out == samples_along(1) && same_rows.operand[1].along == samples_along(1)));
  constexpr relations other_rows = binary<struct add>::flow({c, samples_along(0)}, {c, samples_along(1)}, c);
  STATIC_REQUIRE((other_rows.out == samples_along(0) && other_rows.operand[1].kind == need::rows &&
                  other_rows.operand[1].along == samples_along(0)));
  STATIC_REQUIRE(binary<struct add>::flow({c, {}}, {c, {}}, c).out == batch_relation{});

  STATIC_REQUIRE(binary<struct add>::cost(a, b, both).workspace == 2 * 4);  // b converted to float32
  STATIC_REQUIRE(binary<struct add>::cost(a, a, a).workspace == 0);
  STATIC_REQUIRE(binary<struct add>::cost(a, b, both).bytes == 15 * 4 + 2 * 8 + 30 * 4);
  STATIC_REQUIRE(binary<struct add>::cost(a, b, both).flops == 30);
}

}  // namespace koila::test
