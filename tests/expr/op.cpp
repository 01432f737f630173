// SPDX-License-Identifier: MIT
// Includes C's headers first, as a user's file may do. Some of C's functions have the names of ops.
#include <math.h>
#include <stdlib.h>
#include <cmath>
#include <cstdlib>

#include "catch.hpp"

#include <koila/ops.hpp>

using namespace koila;
using namespace koila::author;

namespace {

// A user's op, defined in the same way as koila's own ops.
inline constexpr struct surrounding : op<surrounding> {
  static constexpr std::string_view name = "surrounding";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if ((a.ranked() && a.rank != 1) || (b.ranked() && b.rank != 1)) return reason::no_rule_for_these_ranks;
    if (!a.ranked() || !b.ranked()) return koila::detail::open_dims(2, result_type(a, b));
    return dims({a[0], b[0]}, result_type(a, b));
  }
} surrounding;

template <class Op, class... Ts>
concept callable = requires(const Op& f, const Ts&... ts) {
  { f(ts...) } -> Expression;
};

template <class E>
constexpr auto is_node_of(const auto& e) -> bool {
  return std::same_as<typename std::remove_cvref_t<decltype(e)>::op_type, E>;
}

}  // namespace

TEST_CASE("ops with C's names are koila's on expressions") {
  const input<batch, 3> x{"x"};
  const parameter<4, 3> w{"w"};
  auto y = relu(linear(x, w));
  CHECK(is_node_of<struct relu>(y));
  CHECK(is_node_of<struct ops::exp>(exp(x)));
  CHECK(is_node_of<struct ops::log>(log(y)));
  CHECK(is_node_of<struct ops::tanh>(tanh(x)));
  CHECK(is_node_of<struct ops::pow>(pow(x, 2)));
  CHECK(is_node_of<struct ops::pow>(pow(2, x)));
  CHECK(is_node_of<struct ops::pow>(pow(x, x)));
  CHECK(is_node_of<struct ops::div>(div(x, 2)));
  CHECK(is_node_of<struct ops::div>(div(x, x)));
  CHECK(is_node_of<struct ops::div>(2 / x));
  CHECK(is_node_of<struct ops::abs>(abs(x)));
  CHECK(is_node_of<struct ops::floor>(floor(x)));
  CHECK(is_node_of<struct ops::ceil>(ceil(x)));
  CHECK(is_node_of<struct ops::round>(round(x)));
  CHECK(is_node_of<struct ops::trunc>(trunc(x)));
  CHECK(is_node_of<struct ops::exp2>(exp2(x)));
  CHECK(is_node_of<struct ops::expm1>(expm1(x)));
  CHECK(is_node_of<struct ops::log2>(log2(x)));
  CHECK(is_node_of<struct ops::log10>(log10(x)));
  CHECK(is_node_of<struct ops::log1p>(log1p(x)));
  CHECK(is_node_of<struct ops::sqrt>(sqrt(x)));
  CHECK(is_node_of<struct ops::sin>(sin(x)));
  CHECK(is_node_of<struct ops::cos>(cos(x)));
  CHECK(is_node_of<struct ops::tan>(tan(x)));
  CHECK(is_node_of<struct ops::asin>(asin(x)));
  CHECK(is_node_of<struct ops::acos>(acos(x)));
  CHECK(is_node_of<struct ops::atan>(atan(x)));
  CHECK(is_node_of<struct ops::sinh>(sinh(x)));
  CHECK(is_node_of<struct ops::cosh>(cosh(x)));
  CHECK(is_node_of<struct ops::asinh>(asinh(x)));
  CHECK(is_node_of<struct ops::acosh>(acosh(x)));
  CHECK(is_node_of<struct ops::atanh>(atanh(x)));
  CHECK(is_node_of<struct ops::erf>(erf(x)));
  CHECK(is_node_of<struct ops::erfc>(erfc(x)));
  CHECK(is_node_of<struct ops::isnan>(isnan(x)));
  CHECK(is_node_of<struct ops::isinf>(isinf(x)));
  CHECK(is_node_of<struct ops::isfinite>(isfinite(x)));
}

TEST_CASE("and C's on numbers") {
  CHECK(exp(0.0) == 1.0);
  CHECK(log(1.0) == 0.0);
  CHECK(tanh(0.0) == 0.0);
  CHECK(pow(2.0, 3) == 8.0);
  CHECK(div(7, 2).quot == 3);
  CHECK(std::exp(0.0F) == 1.0F);
  CHECK(abs(-2) == 2);
  CHECK(floor(2.5) == 2.0);
  CHECK(sqrt(4.0) == 2.0);
  CHECK(!isnan(0.0));
}

TEST_CASE("beside std's too") {
  using namespace std;
  const input<batch, 3> x{"x"};
  CHECK(is_node_of<struct ops::exp>(exp(x)));
  CHECK(is_node_of<struct ops::pow>(pow(x, 2)));
  CHECK(pow(2.0F, 3.0F) == 8.0F);
  CHECK(is_node_of<struct ops::div>(div(x, 2)));
  CHECK(is_node_of<struct ops::abs>(abs(x)));
  CHECK(is_node_of<struct ops::round>(round(x)));
  CHECK(is_node_of<struct ops::isnan>(isnan(x)));
  CHECK(abs(-2.5F) == 2.5F);
}

TEST_CASE("an operator is a node of its op") {
  const input<batch, 3> x{"x"};
  CHECK(is_node_of<struct add>(x + x));
  CHECK(is_node_of<struct sub>(x - 1));
  CHECK(is_node_of<struct mul>(2 * x));
  CHECK(is_node_of<struct ops::div>(x / 2.0));
  CHECK(is_node_of<struct neg>(-x));
}

TEST_CASE("numbers among operands are leaves") {
  const input<batch, 3> x{"x"};
  const auto y = x * 2 + 0.5F;
  CHECK(hana::at_c<1>(y.operands).value == 0.5);
  CHECK(hana::at_c<1>(hana::at_c<0>(y.operands).operands).own_dims == koila::detail::shape_t<int>::value);
}

TEST_CASE("attributes are kept by the node") {
  const input<batch, 3, 5> x{"x"};
  int d = -2;
  CHECK(sum(x, dim = -1_c).attributes.dim[0].value == -1);
  CHECK(sum(x, d).attributes.dim[0].value == -2);
  CHECK(sum(x, dim = d, keepdim = true).attributes.keepdim.value);
  CHECK(sum(x).attributes.all());
  CHECK(transpose(x, 0_c, 2_c).attributes.dim1.value == 2);
  CHECK(cross_entropy(input<batch, 3>{"x"}, input<int64, batch>{"label"}, ignore_index = -1)
            .attributes.ignore_index.value == -1);
}

TEST_CASE("an op of the user's own") {
  const input<batch> s{"s"};
  const input<3> v{"v"};
  STATIC_REQUIRE(koila::detail::shape_t<decltype(surrounding(relu(s), v))>::value == shape<batch, 3>::value);
  STATIC_REQUIRE(!callable<struct surrounding, input<batch, 3>, input<3>>);
  STATIC_REQUIRE(callable<struct surrounding, input<unranked>, input<3>>);
}

TEST_CASE("what is refused is no expression") {
  STATIC_REQUIRE(callable<struct linear, input<batch, 784>, parameter<512, 784>>);
  STATIC_REQUIRE(!callable<struct linear, input<batch, 784>, parameter<784, 512>>);
  STATIC_REQUIRE(!callable<struct linear, input<batch, 784>, int>);
  STATIC_REQUIRE(!callable<struct linear, input<batch, 784>>);
  STATIC_REQUIRE(!callable<struct relu, input<boolean, batch>>);
  STATIC_REQUIRE(!callable<struct matmul, input<boolean, batch, 3>, input<boolean, 3, 4>>);
  STATIC_REQUIRE(!callable<struct softmax, input<batch>>);
  STATIC_REQUIRE(!callable<struct sum, input<batch>, decltype(dim = 1_c), decltype(keepdim = true)>);
  // The compiler does not know the value of a plain 1 (not 1_c), so the error is found at run time.
  STATIC_REQUIRE(callable<struct sum, input<batch>, decltype(dim = 1), decltype(keepdim = true)>);
  STATIC_REQUIRE(!callable<struct reshape, input<4>, decltype(-2_c)>);
  STATIC_REQUIRE(!callable<struct reshape, input<0>, decltype(-1_c), decltype(0_c)>);
  STATIC_REQUIRE(!callable<struct flatten, input<>, decltype(5_c), decltype(6_c)>);
  STATIC_REQUIRE(!callable<struct sum, input<>, decltype(1_c)>);
  STATIC_REQUIRE(callable<struct sum, input<>, decltype(0_c)>);
}

TEST_CASE("gradients are a tuple, with holes") {
  const auto g = gradients(input<3>{"x"}, no_gradient);
  STATIC_REQUIRE(std::same_as<std::remove_cv_t<decltype(g)>, hana::tuple<input<3>, struct no_gradient>>);
}
