#pragma once
// What the tests of ops on two operands share.
#include "../check.hpp"

namespace koila::test {

/// A number as LibTorch wraps it.
inline auto wrapped(const at::Scalar& v) -> at::Tensor {
  at::Tensor t = at::scalar_tensor(v, v.isFloatingPoint() ? at::kDouble : v.isBoolean() ? at::kBool : at::kLong);
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

/// Whole numbers from -2 to 2 or so: many are equal.
inline auto few(at::IntArrayRef sizes) -> at::Tensor { return normal(sizes).round(); }

/// All pairs of values that are special.
template <class F, class G>
void check_special(const F& f, const G& g) {
  for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) {
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 1e30F, -1e30F, 1.0F, -2.5F}).to(type);
    same(f(odd.view({9, 1}), odd), g(odd.view({9, 1}), odd));
  }
}

/// A tensor and a number on either side.
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

}  // namespace koila::test
