// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/flow.hpp>
#include <koila/shape/rules.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

constexpr extent batch_of(index_t n) { return {n, axis_name<struct batch>}; }
constexpr auto floats(auto... e) -> dims { return dims({extent(e)...}, float32); }
constexpr batch_relation whole{};

constexpr auto elementwise(const value& a, const value& b) -> relations {
  const value features[] = {a, b};
  return flows::elementwise(features, 2, rules::broadcast(a.dims, b.dims).out);
}
constexpr auto needs_rows(const need& n, const batch_relation& r) -> bool {
  return n.kind == need::rows && n.along == r;
}

constexpr value x{floats(batch_of(6), extent{5}), samples_along(0)};
constexpr value bias{floats(extent{5}), whole};

}  // namespace

TEST_CASE("element-wise: rows stay rows") {
  constexpr auto f = elementwise(x, x);
  STATIC_REQUIRE(f.out == samples_along(0));
  STATIC_REQUIRE(needs_rows(f.operand[0], samples_along(0)));
  STATIC_REQUIRE(needs_rows(f.operand[1], samples_along(0)));
}

TEST_CASE("element-wise: what does not depend on the samples is whole") {
  constexpr auto f = elementwise(bias, bias);
  STATIC_REQUIRE(f.out == whole);
  STATIC_REQUIRE(f.operand[0].kind == need::as_is);
}

TEST_CASE("element-wise: what broadcasts along the samples is used whole") {
  constexpr auto f = elementwise(bias, x);
  STATIC_REQUIRE(f.out == samples_along(0));
  STATIC_REQUIRE(f.operand[0].kind == need::whole);
  STATIC_REQUIRE(needs_rows(f.operand[1], samples_along(0)));
  constexpr auto g = elementwise(x, {floats(extent{1}, extent{5}), whole});
  STATIC_REQUIRE(g.operand[1].kind == need::whole);
}

TEST_CASE("element-wise: what is stored whole is sliced along") {
  constexpr auto f = elementwise(x, {floats(batch_of(6), extent{1}), whole});
  STATIC_REQUIRE(needs_rows(f.operand[1], samples_along(0)));
}

TEST_CASE("element-wise: the axis moves where dims are put in front") {
  constexpr value s{floats(batch_of(6)), samples_along(0)};
  constexpr auto f = elementwise(s, {floats(extent{5}, extent{1}), whole});
  STATIC_REQUIRE(f.out == samples_along(1));
  STATIC_REQUIRE(needs_rows(f.operand[0], samples_along(0)));
  STATIC_REQUIRE(f.operand[1].kind == need::whole);
}

TEST_CASE("element-wise: outer and inner stay") {
  constexpr value flat{floats(extent{18}), samples_along(0, 1, 3)};
  STATIC_REQUIRE(elementwise(flat, flat).out == samples_along(0, 1, 3));
}

TEST_CASE("a reduction over the samples is a partial") {
  STATIC_REQUIRE(flows::reduction(x, 0, false, monoid::sum).out == partial(monoid::sum));
  STATIC_REQUIRE(flows::reduction(x, 0, true, monoid::sum).out == partial(monoid::sum));
  STATIC_REQUIRE(flows::reduction(x, -1, false, monoid::sum).out == partial(monoid::sum));
}

TEST_CASE("a reduction over another dim leaves rows") {
  STATIC_REQUIRE(flows::reduction(x, 1, false, monoid::sum).out == samples_along(0));
  constexpr value transposed{floats(extent{5}, batch_of(6)), samples_along(1)};
  STATIC_REQUIRE(flows::reduction(transposed, 0, false, monoid::sum).out == samples_along(0));
  STATIC_REQUIRE(flows::reduction(transposed, 0, true, monoid::sum).out == samples_along(1));
  STATIC_REQUIRE(flows::reduction({floats(extent{5}), whole}, 0, false, monoid::sum).out == whole);
}

TEST_CASE("along the samples everything is gathered, and sliced again") {
  constexpr auto f = flows::along(&x, 1, 0, x.dims);
  STATIC_REQUIRE(f.operand[0].kind == need::whole);
  STATIC_REQUIRE(f.resliced);
  STATIC_REQUIRE(f.again == samples_along(0));
  STATIC_REQUIRE(flows::along(&x, 1, 1, x.dims).out == samples_along(0));
}

TEST_CASE("a gather of what does not depend on the samples is not sliced") {
  STATIC_REQUIRE(!flows::gather(&bias, 1, bias.dims).resliced);
  STATIC_REQUIRE(!flows::gather(&x, 1, floats(extent{5})).resliced);  // the result has no batch dim
}

TEST_CASE("reshape: rows stay rows where the batch is a dim of the result") {
  constexpr value image{floats(batch_of(6), extent{2}, extent{2}), samples_along(0)};
  STATIC_REQUIRE(flows::reshape(image, floats(batch_of(6), extent{4})).out == samples_along(0));
  STATIC_REQUIRE(flows::reshape(image, floats(batch_of(6), extent{1}, extent{4})).out == samples_along(0));
  STATIC_REQUIRE(flows::reshape(image, floats(extent{1}, batch_of(6), extent{4})).out == samples_along(1));
}

TEST_CASE("reshape: dims are merged into the rows, and split off again") {
  constexpr value tokens{floats(batch_of(6), extent{3}, extent{8}), samples_along(0)};
  constexpr auto merged = flows::reshape(tokens, floats(extent{18}, extent{8}));
  STATIC_REQUIRE(merged.out == samples_along(0, 1, 3));
  constexpr auto back = flows::reshape({floats(extent{18}, extent{8}), merged.out}, tokens.dims);
  STATIC_REQUIRE(back.out == samples_along(0));
  constexpr value inner{floats(extent{3}, batch_of(6), extent{8}), samples_along(1)};
  STATIC_REQUIRE(flows::reshape(inner, floats(extent{18}, extent{8})).out == samples_along(0, 3, 1));
}

TEST_CASE("reshape: where rows do not stay rows, everything is gathered") {
  constexpr value transposed{floats(extent{5}, batch_of(6)), samples_along(1)};
  constexpr auto f = flows::reshape(transposed, floats(batch_of(6), extent{5}));
  STATIC_REQUIRE(f.operand[0].kind == need::whole);
  STATIC_REQUIRE(f.resliced);
  // The batch has six samples, and each sample six numbers. The extents match, but a slice of the
  // result would contain elements of different samples.
  constexpr value square{floats(extent{6}, batch_of(6)), samples_along(1)};
  STATIC_REQUIRE(flows::reshape(square, floats(batch_of(6), extent{6})).operand[0].kind == need::whole);
}

TEST_CASE("reshape: an empty batch") {
  constexpr value none{floats(batch_of(0), extent{2}, extent{2}), samples_along(0)};
  STATIC_REQUIRE(flows::reshape(none, floats(batch_of(0), extent{4})).out == samples_along(0));
}
