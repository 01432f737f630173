// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of element-wise ops with one operand.
#include <limits>

#include "check.hpp"

namespace koila::test {

/// `within_one` returns values from -0.9 to 0.9. `above_one` returns values of at least 1.1.
inline auto within_one(at::IntArrayRef sizes) -> at::Tensor { return normal(sizes).tanh() * 0.9; }
inline auto above_one(at::IntArrayRef sizes) -> at::Tensor { return normal(sizes).abs() + 1.1; }

/// Values at which functions have poles, steps, or ends of their domains.
inline auto odd_values() -> at::Tensor {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return at::tensor({std::numeric_limits<double>::quiet_NaN(), inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5,
                     -2.5, 1e30, -1e30, 1e-30},
                    at::kDouble);
}

/// Compares `f` of integers and booleans with `g`. The first dim is the batch dim.
template <class F, class G>
void check_integers(const F& f, const G& g, std::initializer_list<at::ScalarType> types) {
  const reference want = [&](const std::vector<at::Tensor>& t) -> at::Tensor { return g(t[0]); };
  for (const auto type : types) {
    const at::Tensor t = at::arange(12).view({4, 3}).remainder(5).sub(type == at::kByte ? 0 : 2).to(type);
    const bound x = leaf(t, 0);  // (samples, 3)
    const auto y = f(x.leaf);
    compare(shape_t<decltype(y)>::value, y, f(x.value), want, {x}, {});
  }
}

/// Checks a floating-point function: shapes, static shapes, odd values, 16-bit floats, and the
/// refusal of unknown attributes.
template <class Op, class F, class G>
void check_unary(const F& f, const G& g, at::Tensor (*values)(at::IntArrayRef) = normal,
                 const at::Tensor& odd = odd_values(), bool narrow = true) {
  for (const auto& s : some_sizes(1)) check(f, g, per_sample(values(s.sizes), s.batch));
  check(f, g, whole(values({3, 4})));
  check(f, g, whole(values({})));
  check_typed(f, g, std::pair{input<4, batch>{}, values({4, 5}).to(at::kFloat)});
  check_typed(f, g, std::pair{parameter<float64, 3>{}, values({3})});
  // With NaN and infinities, the second derivatives depend on the order of products.
  check({.twice = false}, f, g, per_sample(odd));
  for (const auto type : {at::kHalf, at::kBFloat16}) {
    const at::Tensor t = at::cat({values({5, 3}).flatten(), odd_values()}).to(type);
    if (narrow) same(f(t), g(t));
    else same(f(t), g(t.to(at::kFloat)).to(type));  // LibTorch rounds each step
  }
  STATIC_REQUIRE(!Accepts<Op, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

/// Checks that a dtype is refused in eager calls, and when the input is bound.
template <class F>
void refuses_dtype(const F& f, at::ScalarType type, const std::string& sentence) {
  const input<dtype::unknown, any> x{"x"};
  const at::Tensor t = at::ones({3}, type);
  refused([&] { f(t); }, sentence);
  refused([&] { run(f(x), x = t); }, sentence);
}

/// Checks an op with one bound, which is a number or a value: clamp_max, clamp_min.
template <class Op, class F, class G>
void check_bounded(const F& f, const G& g) {
  SECTION("by a number") {
    const auto half = [&](const auto& x) { return f(x, 0.5); };
    const auto want = [&](const at::Tensor& x) { return g(x, 0.5); };
    check_unary<Op>(half, want);
    check_integers(half, want, {at::kBool, at::kByte, at::kInt, at::kLong});
    check_integers([&](const auto& x) { return f(x, 1); }, [&](const at::Tensor& x) { return g(x, 1); },
                   {at::kBool, at::kByte, at::kInt, at::kLong});
  }
  SECTION("by a value") {
    check({}, f, g, broadcasting_pairs());
    check_promotion(f, g, {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  }
}

}  // namespace koila::test
