// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of ops with two operands.
#include "ops/check.hpp"

namespace koila::test {

/// Returns a tensor that is marked as a number (wrapped number), as LibTorch does for a Scalar.
inline auto wrapped(const at::Scalar& v) -> at::Tensor {
  at::Tensor t = at::scalar_tensor(v, v.isFloatingPoint() ? at::kDouble : v.isBoolean() ? at::kBool : at::kLong);
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

/// Returns random integers from about -2 to 2, many of which are equal.
inline auto few(at::IntArrayRef sizes) -> at::Tensor { return normal(sizes).round(); }

/// Checks all pairs of special values.
template <class F, class G>
void check_special(const F& f, const G& g) {
  for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) {
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 1e30F, -1e30F, 1.0F, -2.5F}).to(type);
    same(f(odd.view({9, 1}), odd), g(odd.view({9, 1}), odd));
  }
}

/// Checks a tensor and a number, with the number on either side.
template <class F, class G>
void check_numbers(const F& f, const G& g, std::initializer_list<at::ScalarType> types) {
  for (const auto type : types) {
    const bound x = leaf((positive({4, 3}) * 4).to(type), 0);  // (samples, 3)
    const bool wide = type == at::kFloat || type == at::kDouble;
    const auto one = [&](auto n) {
      const reference right = [&](const auto& t) { return g(t[0], wrapped(n)); };
      const reference left = [&](const auto& t) { return g(wrapped(n), t[0]); };
      compare({}, f(x.leaf, n), f(x.value, n), right, {x}, {.gradients = wide, .twice = false});
      compare({}, f(n, x.leaf), f(n, x.value), left, {x}, {.gradients = wide, .twice = false});
    };
    one(2), one(5), one(true);
    if (at::isFloatingType(type) || type == at::kInt) one(2.5), one(0.1), one(-3);
  }
}

/// A function that makes values of given sizes, and a list of dtypes to test.
using values_of = at::Tensor (*)(at::IntArrayRef);
using scalar_types = std::initializer_list<at::ScalarType>;

/// Checks static shapes, in both dtypes.
template <class F, class G>
void check_known(const F& f, const G& g, values_of a, values_of b) {
  check_typed(f, g, std::pair{input<4, batch>{}, a({4, 7}).to(at::kFloat)},
              std::pair{parameter<4, 1>{}, b({4, 1}).to(at::kFloat)});
  check_typed(f, g, std::pair{input<float64, batch, 3>{}, a({4, 3})}, std::pair{parameter<3>{}, b({3}).to(at::kFloat)});
}

/// Checks an op of two operands: numbers together with tensors of the dtypes `beside`, and all
/// pairs of the dtypes `promoted`.
template <class F, class G>
void check_pairs(const F& f, const G& g, values_of a, values_of b, scalar_types beside, scalar_types promoted) {
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(a, b)); }
  SECTION("special values") { check_special(f, g); }
  SECTION("numbers") { check_numbers(f, g, beside); }
  SECTION("dtypes") { check_promotion(f, g, promoted); }
  SECTION("shapes that the compiler knows") { check_known(f, g, a, b); }
}

/// Checks an op of two operands with a boolean result for all dtypes.
template <class F, class G>
void check_truths(const F& f, const G& g) {
  check_pairs(
      f, g, few, few, {at::kBool, at::kByte, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble},
      {at::kBool, at::kByte, at::kChar, at::kInt, at::kLong, at::kHalf, at::kBFloat16, at::kFloat, at::kDouble});
}

/// Checks a comparison. `op` is the comparison's C++ operator.
template <class F, class G, class Op>
void check_comparison(const F& f, const G& g, const Op& op) {
  check_truths(f, g);
  SECTION("the operator") {
    const input<batch, 2> x{"x"}, z{"z"};
    const at::Tensor t = few({5, 2}).to(at::kFloat), u = few({5, 2}).to(at::kFloat);  // (samples, 2)
    STATIC_REQUIRE(std::same_as<shape_t<decltype(op(x, z))>, shape<boolean, batch, 2L>>);
    same(run(op(x, z), x = t, z = u), op(t, u));
    same(run(op(x, 1), x = t), op(t, 1));
    same(run(op(1, x), x = t), g(wrapped(1), t));
    same(run(op(x, u), x = t), op(t, u));
    same(run(op(t, z), z = u), op(t, u));
  }
}

/// Checks a sum, difference or product. `op` is the C++ operator. For tensors it is LibTorch's
/// operator.
template <class F, class Op>
void check_arithmetic(const F& f, const Op& op, scalar_types promoted) {
  SECTION("broadcasting") { check({}, f, op, broadcasting_pairs()); }
  SECTION("operators and numbers") {
    const operand x = per_sample(normal({5, 2}));
    check([&](const auto& a) { return f(a, 2); }, [&](const at::Tensor& a) { return op(a, 2); }, x);
    check([&](const auto& a) { return f(-0.3, a); }, [&](const at::Tensor& a) { return op(-0.3, a); }, x);

    const input<batch, 2> lazy{"lazy"};
    const at::Tensor t = normal({5, 2}).to(at::kFloat);  // (samples, 2)
    same(run(op(lazy, 2), lazy = t), op(t, 2));
    same(run(op(2.5, lazy), lazy = t), op(2.5, t));
    same(run(op(lazy, t), lazy = t), op(t, t));
    same(run(op(op(t, lazy), lazy), lazy = t), op(op(t, t), t));
  }
  SECTION("dtypes") {
    check_promotion(f, op, promoted);
    const bound x = leaf(at::arange(6).view({3, 2}), 0);  // (samples, 2)
    compare({}, f(x.leaf, 0.5), f(x.value, 0.5), [&](const auto& t) { return op(t[0], 0.5); }, {x}, {});
    compare({}, f(x.leaf, 3), f(x.value, 3), [&](const auto& t) { return op(t[0], 3); }, {x}, {});
  }
  SECTION("shapes that the compiler knows") { check_known(f, op, normal, normal); }
}

/// Checks a bitwise op of integers. `op` is the C++ operator.
template <class F, class G, class Op>
void check_bits(const F& f, const G& g, const Op& op) {
  SECTION("broadcasting") {
    for (const auto type : {at::kBool, at::kLong})
      for (const auto& [a, b] : broadcasting_pairs(few, few))
        check(f, g, operand{a.value.to(type), a.batch}, operand{b.value.to(type), b.batch});
  }
  SECTION("the operator and numbers") {
    for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong}) {
      const bound x = leaf((few({5, 2}) + 3).to(type), 0);  // (samples, 2)
      compare({}, op(x.leaf, 3), f(x.value, 3), [&](const auto& t) { return op(t[0], 3); }, {x}, {});
      compare({}, op(2, x.leaf), f(2, x.value), [&](const auto& t) { return op(t[0], 2); }, {x}, {});
      compare({}, op(x.leaf, x.leaf), f(x.value, x.value), [&](const auto& t) { return op(t[0], t[0]); }, {x}, {});
    }
  }
  SECTION("dtypes") { check_promotion(f, g, {at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong}); }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<int64, 4, batch>{}, few({4, 7}).to(at::kLong)},
                std::pair{input<int64, 4, 1>{}, few({4, 1}).to(at::kLong)});
  }
}

/// Checks the gradient if one operand or both are NaN.
template <class F, class G>
void check_beside_nan(const F& f, const G& g) {
  const at::Tensor a = at::tensor({NAN, 1.0, NAN, 2.0}, at::kDouble), b = at::tensor({1.0, NAN, NAN, 2.0}, at::kDouble);
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    const parameter<float64, 4> p{"p"}, q{"q"};
    const at::Tensor u = x.clone().requires_grad_(), v = y.clone().requires_grad_();
    set(p, x), set(q, y);
    g(u, v).sum().backward();
    same(run(gradient(sum(f(p, q)), p)), u.grad());
    same(run(gradient(sum(f(p, q)), q)), v.grad());
  }
}

/// Checks that operands that do not broadcast are refused, when they are bound and in eager calls.
/// The message must begin with `name`.
template <class F>
void refuses_to_broadcast(const F& f, const std::string& name) {
  const input<any, any> a{"a"}, b{"b"};
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
  refused([&] { run(f(a, b), a = s, b = t); }, name + ": [2, 3] x [2, 4]: not broadcastable");
  refused([&] { f(s, t); }, name + ": [2, 3] x [2, 4]: not broadcastable");
}

}  // namespace koila::test
