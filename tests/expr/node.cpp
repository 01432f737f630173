// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "catch.hpp"

#include <koila/ops.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;
using namespace koila::internal;

inline constexpr struct seq : axis<seq> {
  using axis::operator=;
} seq;

namespace {

// Returns true if the compiler knows the shape of an expression, and the shape is exactly this one.
template <auto... D>
constexpr auto has_shape(const auto& e) -> bool {
  return std::same_as<shape_t<std::remove_cvref_t<decltype(e)>>, typename detail::canonical_shape<D...>::type>;
}

}  // namespace

TEST_CASE("a node has its op, its operands and the rule's shape") {
  const input<batch, 784> x{"x"};
  const parameter<512, 784> w{"w"};
  auto y = relu(linear(x, w));
  STATIC_REQUIRE(
      std::same_as<decltype(y), node<struct relu, shape<batch, 512L>,
                                     node<struct linear, shape<batch, 512L>, input<batch, 784>, parameter<512, 784>>>>);
  STATIC_REQUIRE(decltype(y)::size == 4);
  CHECK(hana::at_c<1>(hana::at_c<0>(y.operands).operands).state == w.state);
}

TEST_CASE("shapes of matrix products") {
  const input<batch, 784> x{"x"};
  const input<batch, seq, 64> h{"h"};
  const parameter<512, 784> w{"w"};
  const parameter<512> b{"b"};
  CHECK(has_shape<batch, 512>(linear(x, w)));
  CHECK(has_shape<batch, 512>(linear(x, w, b)));
  CHECK(has_shape<512>(linear(input<784>{"x"}, w)));
  CHECK(has_shape<batch, seq, 32>(linear(h, parameter<32, 64>{"w"})));
  CHECK(has_shape<batch, 3>(matmul(x, parameter<784, 3>{"w"})));
  CHECK(has_shape<batch, batch>(matmul(x, transpose(x, 0_c, 1_c))));
  CHECK(has_shape<batch>(matmul(x, parameter<784>{"w"})));
  CHECK(has_shape<>(matmul(parameter<784>{"v"}, parameter<784>{"w"})));
  CHECK(has_shape<3>(matmul(parameter<784>{"v"}, parameter<784, 3>{"w"})));
  CHECK(has_shape<batch, seq, seq>(matmul(h, transpose(h, 1_c, 2_c))));
  CHECK(has_shape<batch, 8, 5, 6>(matmul(input<batch, 1, 5, 4>{"a"}, parameter<8, 4, 6>{"b"})));
  CHECK(has_shape<batch, seq, seq>(bmm(h, transpose(h, 1_c, 2_c))));
  CHECK(has_shape<784, 784>(mm(transpose(x, 0_c, 1_c), x)));
}

TEST_CASE("shapes of element-wise operations") {
  const input<batch, 3> x{"x"};
  const input<int64, batch, 3> i{"i"};
  const input<boolean, batch, 3> mask{"mask"};
  CHECK(has_shape<batch, 3>(x + parameter<3>{"b"}));
  CHECK(has_shape<batch, 3>(parameter<1, 3>{"b"} * x));
  CHECK(has_shape<batch, seq, 3>(input<batch, 1, 3>{"a"} - input<seq, 1>{"b"}));
  CHECK(has_shape<batch, 3>(x + 1));
  CHECK(has_shape<batch, 3>(1 - x));
  CHECK(has_shape<int64, batch, 3>(i * 2));
  CHECK(has_shape<batch, 3>(i * 2.5));
  CHECK(has_shape<batch, 3>(i / 2));
  CHECK(has_shape<batch, 3>(i + x));
  CHECK(has_shape<float64, batch, 3>(i + input<float64>{"s"}));
  CHECK(has_shape<batch, 3>(x + input<float64>{"s"}));
  CHECK(has_shape<int64, batch, 3>(mask * 2));
  CHECK(has_shape<boolean, batch, 3>(mask * mask));
  CHECK(has_shape<batch, 3>(-x));
  CHECK(has_shape<batch, 3>(exp(i)));
  CHECK(has_shape<float16, batch>(sigmoid(input<float16, batch>{"h"})));
}

TEST_CASE("shapes of reductions") {
  const input<batch, 3, 5> x{"x"};
  CHECK(has_shape<>(sum(x)));
  CHECK(has_shape<>(mean(x)));
  CHECK(has_shape<batch, 3>(sum(x, dim = -1_c)));
  CHECK(has_shape<batch, 5>(sum(x, 1_c)));
  CHECK(has_shape<3, 5>(mean(x, dim = 0_c)));
  CHECK(has_shape<batch, 1, 5>(sum(x, dim = 1_c, keepdim = hana::true_c)));
  CHECK(has_shape<1, 1, 1>(sum(x, keepdim = hana::true_c)));
  CHECK(has_shape<int64>(sum(input<boolean, batch>{"mask"})));
  CHECK(has_shape<batch, 3, 5>(softmax(x, dim = 1_c)));
  CHECK(has_shape<batch, 3, 5>(log_softmax(x, -1_c)));
  STATIC_REQUIRE(shape_t<decltype(sum(x, dim = -1_c))>::value == shape<batch, 3>::value);
}

TEST_CASE("where an attribute is known at run time only, so is what depends on it") {
  const input<batch, 3, 5> x{"x"};
  int d = 1;
  CHECK(has_shape<any, any>(sum(x, dim = d)));
  CHECK(has_shape<any, any>(sum(x, d)));
  CHECK(has_shape<any, any, any>(sum(x, dim = d, keepdim = hana::true_c)));
  CHECK(has_shape<float32, unranked>(sum(x, dim = 1_c, keepdim = true)));
  CHECK(has_shape<float32, unranked>(sum(x, keepdim = true)));
  CHECK(has_shape<batch, 3, 5>(softmax(x, dim = d)));
  CHECK(has_shape<any, any, any>(transpose(x, d, 0_c)));
  CHECK(has_shape<batch, any>(reshape(x, batch, d)));
  CHECK(has_shape<float32, unranked>(flatten(x, d)));
}

TEST_CASE("shapes of views") {
  const input<batch, 28, 28> x{"x"};
  const input<batch, seq, 64> h{"h"};
  CHECK(has_shape<28, 28, batch>(transpose(x, 0_c, -1_c)));
  CHECK(has_shape<batch, 784>(flatten(x, 1_c)));
  CHECK(has_shape<any>(flatten(x)));
  CHECK(has_shape<batch, 28, 28>(flatten(x, 1_c, 1_c)));
  CHECK(has_shape<1>(flatten(input<>{"s"})));
  CHECK(has_shape<batch, 784>(reshape(x, batch, 784_c)));
  CHECK(has_shape<batch, 784>(reshape(x, batch, -1_c)));
  CHECK(has_shape<any, 784>(reshape(x, -1_c, 784_c)));
  CHECK(has_shape<batch, seq, 4, 16>(reshape(h, batch, seq, 4_c, 16_c)));
  CHECK(has_shape<batch, seq, 4, 16>(reshape(h, batch, seq, 4_c, -1_c)));
  CHECK(has_shape<>(reshape(parameter<1, 1>{"w"})));
}

TEST_CASE("a reshape may name an axis where nothing was known") {
  const input<any, 784> x{"x"};
  CHECK(has_shape<batch, 784>(reshape(x, batch, 784_c)));
  CHECK(has_shape<dtype::unknown, seq, batch>(reshape(input<unranked>{"x"}, seq, batch)));
}

TEST_CASE("shapes of losses") {
  const input<batch, 10> x{"x"};
  const input<int64, batch> label{"label"};
  CHECK(has_shape<>(cross_entropy(x, label)));
  CHECK(has_shape<>(cross_entropy(x, label, ignore_index = -1)));
  CHECK(has_shape<float64>(cross_entropy(input<float64, 10>{"x"}, input<int64>{"label"})));
  CHECK(has_shape<batch>(nll(x, label)));
  CHECK(has_shape<>(mse_loss(x, x)));
}

TEST_CASE("where nothing is known, everything is possible") {
  const input<unranked> x{"x"};
  const parameter<512, 784> w{"w"};
  CHECK(has_shape<float32, unranked>(linear(x, w)));
  CHECK(has_shape<unranked>(x + w));
  CHECK(has_shape<unranked>(sum(x, dim = 3_c)));
  CHECK(has_shape<any, 512>(linear(input<any, any>{"x"}, w)));
}

TEST_CASE("an expression of more than 1000 nodes is none") {
  const input<batch> x{"x"};
  const auto twice = [](const auto& e) { return e + e; };
  auto y = twice(twice(twice(twice(twice(twice(twice(twice(x))))))));
  STATIC_REQUIRE(decltype(y)::size == 511);
  STATIC_REQUIRE(decltype(twice(let(y)))::size == 3);
  STATIC_REQUIRE(most_nodes == 1000);
}

namespace {

// The leaves are local variables: they are destroyed before the expression is.
auto local_leaves() {
  const input<batch, 3> x{"x"};
  const parameter<4, 3> w{"w"};
  const auto h = let(linear(x, w));
  return relu(h) * 2 + h;
}
struct model {
  parameter<4, 3> w{"w"};
  auto operator()(const auto& x) const { return relu(linear(x, w)); }
};
auto local_model() { return model{}(input<batch, 3>{"x"}); }

}  // namespace

TEST_CASE("an expression owns what it refers to") {
  const auto y = local_leaves();
  const auto& h = hana::at_c<1>(y.operands);
  CHECK(std::string_view(hana::at_c<1>(h.held->value.operands).state->name) == "w");
  CHECK(h.held->count == 2);
  const auto copy = y;
  CHECK(h.held->count == 4);
  const auto z = local_model();
  CHECK(std::string_view(hana::at_c<1>(hana::at_c<0>(z.operands).operands).state->name) == "w");
}

TEST_CASE("an integer is a constant of an expression where a float64 holds it") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), exact = std::int64_t{1} << 53;
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  const input<int64, batch> id{"id"};
  const auto refusal = [](const std::string& n) {
    return "koila: the integer " + n +
           " is no constant of an expression: beyond 2^53 only those that a float64 holds are; bind it as a tensor";
  };
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, exact, -exact, exact + 2, exact << 9, least})
    CHECK(hana::at_c<1>((id + n).operands).value == static_cast<double>(n));
  for (const std::int64_t n : {exact + 1, -exact - 1, most, -most, least + 1}) {
    CHECK_THROWS_AS(id + n, std::invalid_argument);
    CHECK_THROWS_WITH(n * id, refusal(std::to_string(n)));
  }
  constexpr auto all = std::numeric_limits<std::uint64_t>::max();
  CHECK_THROWS_WITH(id + all, refusal("18446744073709551615"));
  CHECK(hana::at_c<1>((id + 0x1p60).operands).value == 0x1p60);
  STATIC_REQUIRE(number_leaf(exact).value == 0x1p53);
}

TEST_CASE("an expression exists in a constant expression") {
  STATIC_REQUIRE([] {
    const input<batch, 3> x{"x"};
    const auto y = relu(linear(x, parameter<4, 3>{"w"})) + 1;
    return shape_of(y) == shape<batch, 4>::value;
  }());
}
