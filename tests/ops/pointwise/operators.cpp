// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("operators are nodes of their ops") {
  const input<batch, 3> x{"x"};
  const parameter<3> w{"w"};
  const at::Tensor t = at::rand({3});
  const auto same_type = []<class A, class B>(const A&, const B&) { return std::same_as<A, B>; };
  CHECK(same_type(x + w, add(x, w)));
  CHECK(same_type(x - w, sub(x, w)));
  CHECK(same_type(x * w, mul(x, w)));
  CHECK(same_type(x / w, koila::div(x, w)));
  CHECK(same_type(-x, neg(x)));
  // Numbers and tensors on either side.
  CHECK(same_type(x + 2, add(x, 2)));
  CHECK(same_type(2.5 - x, sub(2.5, x)));
  CHECK(same_type(x * true, mul(x, true)));
  CHECK(same_type(t / x, koila::div(t, x)));
  CHECK(same_type(x * t, mul(x, t)));
  // C++'s precedence: * and / before + and -, from left to right.
  CHECK(same_type(x + w * 2 - -x / 3, sub(add(x, mul(w, 2)), koila::div(neg(x), 3))));
}

TEST_CASE("operators on temporaries and on what is named") {
  const input<batch, 3> x{"x"};
  const at::Tensor t = normal({5, 3}).to(at::kFloat);  // (samples, 3)
  auto y = relu(x);
  const auto kept = y + y;  // copies y
  const auto moved = std::move(y) * 2 + relu(x) / 4;
  STATIC_REQUIRE(std::same_as<decltype(relu(x) + relu(x)), std::remove_const_t<decltype(kept)>>);
  same(run(kept, x = t), at::relu(t) * 2);
  same(run(moved, x = t), at::relu(t) * 2 + at::relu(t) / 4);
}

TEST_CASE("operators of a parameter and a tensor run at once") {
  const parameter<3> w{"w"};
  const at::Tensor t = at::ones({3});
  set(w, at::arange(3).to(at::kFloat));
  STATIC_REQUIRE(std::same_as<decltype(w * t), at::Tensor>);
  same(w - t, at::arange(3).to(at::kFloat) - 1);
  same(t / (t + w), 1 / (at::arange(3).to(at::kFloat) + 1));
}

TEST_CASE("operators on traced values are recorded") {
  const dims d({extent(5)}, float32);
  call_trace s;
  const traced_value x{&s, 7, &d};
  STATIC_REQUIRE(std::same_as<decltype(x + x), traced_value>);
  STATIC_REQUIRE(std::same_as<decltype(-x), traced_value>);
  const auto last_is = [&](const traced_value& y, const op_info& op, int first, int second) {
    const auto& call = s.calls.back();
    return y.trace == &s && ~y.id == static_cast<int>(s.calls.size()) - 1 && call.op == &op &&
           call.operands[0] == first && (call.operand_count == 1 || call.operands[1] == second);
  };
  CHECK(last_is(x + x, info_of<struct add, 2>(), 7, 7));
  const traced_value y = x * x;
  CHECK(last_is(y - x, info_of<struct sub, 2>(), y.id, 7));
  CHECK(last_is(x / y, info_of<struct ops::div, 2>(), 7, y.id));
  CHECK(last_is(-y, info_of<struct neg, 1>(), y.id, 0));
  // The expression records a number before the call that uses it.
  const auto count = static_cast<int>(s.calls.size());
  CHECK(last_is(2 * x, info_of<struct mul, 2>(), -count - 1, 7));
  CHECK(s.calls[static_cast<std::size_t>(count)].number == 2);
}

TEST_CASE("operators refuse as their ops do") {
  constexpr auto add_up = [](const auto& a, const auto& b) {
    return requires {
      { a + b } -> Expression;
    };
  };
  constexpr auto negate = [](const auto& a) {
    return requires {
      { -a } -> Expression;
    };
  };
  STATIC_REQUIRE(add_up(input<batch, 3>{}, input<3>{}));
  STATIC_REQUIRE(!add_up(input<batch, 3>{}, input<4>{}));
  STATIC_REQUIRE(add_up(input<any>{}, input<4>{}));
  STATIC_REQUIRE(!negate(input<boolean, 3>{}));
  STATIC_REQUIRE(negate(input<int64, 3>{}));
  const input<any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2}), t = at::rand({3});
  refused([&] { run(a - b, a = s, b = t); }, "sub: [2] x [3]: not broadcastable");
  refused([&] { run(a / b, a = s, b = t); }, "div: [2] x [3]: not broadcastable");
}

}  // namespace koila::test
