// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/rules.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;
using namespace koila::internal;

namespace {

constexpr extent samples{-1, axis_name<struct batch>}, words{-1, "words"};
constexpr auto floats(auto... e) -> dims { return dims({extent(e)...}, float32); }
constexpr extent unknown{};

// Checks both orders of the operands.
constexpr auto broadcast_to(const dims& a, const dims& b, const dims& expected) -> bool {
  const verdict there = rules::broadcast(a, b), back = rules::broadcast(b, a);
  return there.accepted() && back.accepted() && there.out == expected && back.out == expected;
}
constexpr auto not_broadcastable(const dims& a, const dims& b) -> bool {
  return rules::broadcast(a, b).reason == reason::not_broadcastable &&
         rules::broadcast(b, a).reason == reason::not_broadcastable;
}

}  // namespace

TEST_CASE("broadcasting aligns at the last dim") {
  STATIC_REQUIRE(
      broadcast_to(floats(extent{2}, extent{3}), floats(extent{2}, extent{3}), floats(extent{2}, extent{3})));
  STATIC_REQUIRE(broadcast_to(floats(extent{2}, extent{3}), floats(extent{3}), floats(extent{2}, extent{3})));
  STATIC_REQUIRE(
      broadcast_to(floats(extent{2}, extent{3}), floats(extent{2}, extent{1}), floats(extent{2}, extent{3})));
  STATIC_REQUIRE(
      broadcast_to(floats(extent{2}, extent{1}), floats(extent{1}, extent{3}), floats(extent{2}, extent{3})));
  STATIC_REQUIRE(broadcast_to(floats(extent{0}), floats(extent{1}), floats(extent{0})));
  STATIC_REQUIRE(broadcast_to(scalar(float32), floats(extent{2}), floats(extent{2})));
  STATIC_REQUIRE(broadcast_to(scalar(float32), scalar(float32), scalar(float32)));
  STATIC_REQUIRE(not_broadcastable(floats(extent{2}, extent{3}), floats(extent{2})));
  STATIC_REQUIRE(not_broadcastable(floats(extent{0}), floats(extent{2})));
}

TEST_CASE("an axis broadcasts with 1 and with itself") {
  STATIC_REQUIRE(broadcast_to(floats(samples, extent{3}), floats(extent{3}), floats(samples, extent{3})));
  STATIC_REQUIRE(broadcast_to(floats(samples, extent{3}), floats(extent{1}, extent{3}), floats(samples, extent{3})));
  STATIC_REQUIRE(broadcast_to(floats(samples), floats(samples), floats(samples)));
  STATIC_REQUIRE(broadcast_to(floats(samples, extent{1}), floats(words), floats(samples, words)));
  STATIC_REQUIRE(not_broadcastable(floats(samples), floats(words)));
  STATIC_REQUIRE(not_broadcastable(floats(samples), floats(extent{64})));
}

TEST_CASE("a batch of one sample does not broadcast") {
  constexpr extent one_sample{1, axis_name<struct batch>};
  STATIC_REQUIRE(not_broadcastable(floats(one_sample), floats(extent{64})));
  STATIC_REQUIRE(broadcast_to(floats(one_sample), floats(extent{1}), floats(one_sample)));
}

TEST_CASE("any broadcasts with everything until it is bound") {
  STATIC_REQUIRE(broadcast_to(floats(unknown), floats(extent{64}), floats(extent{64})));
  STATIC_REQUIRE(broadcast_to(floats(unknown), floats(samples), floats(samples)));
  STATIC_REQUIRE(broadcast_to(floats(unknown), floats(extent{1}), floats(unknown)));
  STATIC_REQUIRE(broadcast_to(dims(float32), floats(samples), dims(float32)));
}

TEST_CASE("integers become float32 where the result is floating-point") {
  STATIC_REQUIRE(rules::floating(int64) == float32);
  STATIC_REQUIRE(rules::floating(boolean) == float32);
  STATIC_REQUIRE(rules::floating(float16) == float16);
  STATIC_REQUIRE(rules::floating(dtype::unknown) == dtype::unknown);
}

TEST_CASE("shapes are the same, or not, or maybe") {
  STATIC_REQUIRE(rules::same_shape(floats(samples, extent{3}), floats(samples, extent{3})) == tristate::yes);
  STATIC_REQUIRE(rules::same_shape(floats(samples, extent{3}), floats(samples, unknown)) == tristate::maybe);
  STATIC_REQUIRE(rules::same_shape(floats(samples, unknown), floats(words, extent{3})) == tristate::no);
  STATIC_REQUIRE(rules::same_shape(floats(samples), floats(samples, extent{1})) == tristate::no);
  STATIC_REQUIRE(rules::same_shape(dims(), floats(samples)) == tristate::maybe);
  STATIC_REQUIRE(rules::same_shape(scalar(), scalar()) == tristate::yes);
}

TEST_CASE("what two shapes say together") {
  STATIC_REQUIRE(rules::merged(floats(unknown, extent{3}), floats(samples, unknown)) == floats(samples, extent{3}));
  STATIC_REQUIRE(rules::merged(dims(), floats(samples)) == floats(samples));
  STATIC_REQUIRE(rules::merged(floats(samples), dims(float32)) == floats(samples));
  STATIC_REQUIRE(rules::merged(dims({samples}), floats(samples)).type == float32);
}

TEST_CASE("a dim is dropped, or kept as 1") {
  STATIC_REQUIRE(rules::drop(floats(samples, extent{3}, extent{5}), 1, false) == floats(samples, extent{5}));
  STATIC_REQUIRE(rules::drop(floats(samples, extent{3}, extent{5}), 0, false) == floats(extent{3}, extent{5}));
  STATIC_REQUIRE(rules::drop(floats(samples, extent{3}, extent{5}), 2, true) == floats(samples, extent{3}, extent{1}));
  STATIC_REQUIRE(rules::drop(floats(samples), 0, false) == scalar(float32));
}

TEST_CASE("a declared shape is possible and has the declared dtype") {
  STATIC_REQUIRE(rules::declared(floats(samples, extent{3}), floats(samples, extent{3})).out ==
                 floats(samples, extent{3}));
  STATIC_REQUIRE(rules::declared(floats(samples, unknown), floats(samples, extent{3})).out == floats(samples, unknown));
  STATIC_REQUIRE(rules::declared(floats(samples, extent{3}), dims()).accepted());
  STATIC_REQUIRE(rules::declared(dims(), floats(samples)).accepted());
  STATIC_REQUIRE(rules::declared(floats(samples), floats(extent{3})).reason == reason::declared_shape_differs);
  STATIC_REQUIRE(rules::declared(floats(samples), floats(samples).with(float64)).reason ==
                 reason::declared_dtype_differs);
}
