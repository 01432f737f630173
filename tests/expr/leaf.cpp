// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/expr/leaf.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

TEST_CASE("an input has a name, dims and no value") {
  const input<batch, 784> x{"x"};
  CHECK(std::string_view(x.state->name) == "x");
  CHECK(x.state->declared == shape<batch, 784>::value);
  CHECK(x.state->kind == leaf_state::input);
  CHECK(!x.state->value);
  CHECK(shape_of(x) == shape<batch, 784>::value);
  CHECK(dtype_of(x) == float32);
  CHECK(batch_of(x) == 0);
}

TEST_CASE("a dtype stands before the dims") {
  STATIC_REQUIRE(shape_t<input<int64, batch>>::value == shape<int64, batch>::value);
  STATIC_REQUIRE(shape_t<input<float64>>::value == scalar(float64));
  STATIC_REQUIRE(shape_t<parameter<bfloat16, 3, 4>>::value.type == bfloat16);
}

TEST_CASE("the batch is where its axis is") {
  CHECK(batch_of(input<3, batch>{"x"}) == 1);
  CHECK(batch_of(parameter<3>{"w"}) == -1);
}

TEST_CASE("copies of a leaf are one leaf") {
  const parameter<3, 4> w{"w"};
  const auto copy = w;
  CHECK(copy.state == w.state);
  const input<batch> x{"x"};
  const auto other = x;
  CHECK(other.state == x.state);
  CHECK(!(input<batch>{"x"}.state == x.state));  // leaves with equal names are different leaves
}

TEST_CASE("leaves exist in constant expressions") {
  STATIC_REQUIRE([] {
    const input<batch, 3> x{"x"};
    const parameter<3> w{"w"};
    const auto copy = w;
    return copy.state->declared.rank == 1 && x.state->declared.rank == 2 && w.state->count == 2;
  }());
}

namespace {

template <class T, class U>
concept assignable = requires(T& t, const U& u) { t = u; };

}  // namespace

TEST_CASE("leaves are not rebound by assignment") {
  STATIC_REQUIRE(!assignable<input<batch>, input<batch>>);
  STATIC_REQUIRE(!assignable<input<batch>, input<3>>);
  STATIC_REQUIRE(!assignable<input<batch>, int>);
  STATIC_REQUIRE(!assignable<parameter<3>, parameter<3>>);
}

TEST_CASE("what is a leaf") {
  STATIC_REQUIRE(Leaf<input<batch>>);
  STATIC_REQUIRE(Leaf<parameter<3>>);
  STATIC_REQUIRE(Leaf<tensor_leaf>);
  STATIC_REQUIRE(Leaf<lazy_leaf<shape<batch, any>>>);
  STATIC_REQUIRE(!Leaf<number_leaf>);
  STATIC_REQUIRE(!Leaf<traced_value>);
  STATIC_REQUIRE(!Leaf<int>);
}

// The concept Expression is the first code that needs parameter<17, 19> as a complete type. To
// complete the class, the compiler must not need Expression<parameter<17, 19>>.
auto first_seen(const parameter<17, 19>& w) -> bool { return Expression<parameter<17, 19>> && shape_of(w).rank == 2; }
TEST_CASE("a parameter may be seen first by a concept") { CHECK(first_seen(parameter<17, 19>{"w"})); }

TEST_CASE("dims are known of operands, and not of what an expansion computes of them") {
  const dims d({extent{3}});
  CHECK(dims_of(traced_value{nullptr, 0, &d}) == d);
  CHECK_THROWS_AS(dims_of(traced_value{}), std::logic_error);
}
