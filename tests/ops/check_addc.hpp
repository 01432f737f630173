// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of addcmul and addcdiv.
#include "pairs.hpp"

namespace koila::test {

/// Compares `f` with LibTorch's operator `g`. `mixed`: the reference for numbers and for several
/// dtypes. `last`: makes the values of the last operand. `beside`: the dtypes of tensors that are
/// combined with numbers. Combines all pairs of the dtypes `promoted` that `allowed` accepts.
template <class F, class G, class M, class A>
void check_addc(const F& f, const G& g, const M& mixed, values_of last, scalar_types beside, scalar_types promoted,
                const A& allowed) {
  SECTION("broadcasting") {
    for (const auto n : {0, 1, 3, 8}) {
      check(f, g, per_sample(normal({n, 3})), per_sample(normal({n, 3})), per_sample(last({n, 3})));
      check(f, g, per_sample(normal({2, n}), 1), whole(normal({2, 1})), whole(last({})));
      check(f, g, whole(normal({3})), per_sample(normal({n, 1})), whole(last({3})));
      check(f, g, whole(normal({3})), whole(normal({2, 1, 1})), per_sample(last({n, 1})));
    }
  }
  SECTION("multiplied by a number") {
    for (const double v : {0.0, -0.3, 1.0, 2.0})
      check([=](const auto& x, const auto& a, const auto& b) { return f(x, a, b, v); },
            [=](const at::Tensor& x, const at::Tensor& a, const at::Tensor& b) { return g(x, a, b, v); },
            per_sample(normal({5, 3})), per_sample(normal({5, 1})), whole(last({3})));
    check([&](const auto& x, const auto& a, const auto& b) { return f(x, a, b, 2_c); },
          [&](const at::Tensor& x, const at::Tensor& a, const at::Tensor& b) { return g(x, a, b, 2); },
          per_sample(normal({3, 5}), 1), per_sample(normal({3, 5}), 1), whole(last({3, 1})));
  }
  SECTION("numbers as operands") {
    for (const auto type : beside) {
      const bound x = leaf(positive({5, 3}).to(type), 0);  // (samples, 3)
      const ask what{.gradients = type != at::kBFloat16, .twice = false};
      const at::Tensor half = wrapped(0.5), two = wrapped(2);
      compare(
          {}, f(0.5, x.leaf, 2), f(0.5, x.value, 2), [&](const auto& t) { return mixed(half, t[0], two); }, {x}, what);
      compare(
          {}, f(x.leaf, 2, 0.5), f(x.value, 2, 0.5), [&](const auto& t) { return mixed(t[0], two, half); }, {x}, what);
      compare(
          {}, f(2, 0.5, x.leaf), f(2, 0.5, x.value), [&](const auto& t) { return mixed(two, half, t[0]); }, {x}, what);
    }
  }
  SECTION("special values") {
    check_special([&](const at::Tensor& a, const at::Tensor& b) { return f(a, b, a); },
                  [&](const at::Tensor& a, const at::Tensor& b) { return g(a, b, a); });
  }
  SECTION("dtypes") {
    for (const auto s : promoted)
      for (const auto t : promoted) {
        if (!allowed(s, t)) continue;
        const bound x = leaf((positive({5, 3}) * 2).to(s), 0),
                    y = leaf((positive({5, 3}) * 2).to(t), 0);  // (samples, 3)
        const ask once{.twice = false};
        compare(
            {}, f(x.leaf, x.leaf, y.leaf), f(x.value, x.value, y.value),
            [&](const auto& u) { return mixed(u[0], u[0], u[1]); }, {x, y}, once);
        compare(
            {}, f(y.leaf, x.leaf, y.leaf), f(y.value, x.value, y.value),
            [&](const auto& u) { return mixed(u[1], u[0], u[1]); }, {x, y}, once);
      }
  }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)},
                std::pair{parameter<4, 1>{}, normal({4, 1}).to(at::kFloat)},
                std::pair{parameter<>{}, last({}).to(at::kFloat)});
  }
}

}  // namespace koila::test
