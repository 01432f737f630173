// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("pow") {
  const ask once{.twice = false};  // LibTorch's second derivatives are NaN at a base of 0
  const auto f = [](const auto& a, const auto& b) { return koila::pow(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::pow(a, b); };
  SECTION("broadcasting") { check({}, f, g, broadcasting_pairs(positive, normal)); }
  SECTION("numbers") {
    for (const auto n : batches)
      for (const operand& x : {per_sample(normal({n, 3})), per_sample(normal({2, n}), 1)}) {
        for (const double e : {0.0, 1.0, 2.0, 3.0, -1.0})
          check([e](const auto& a) { return koila::pow(a, e); }, [e](const at::Tensor& a) { return at::pow(a, e); }, x);
        check([](const auto& a) { return koila::pow(a, 2); }, [](const at::Tensor& a) { return at::pow(a, 2); }, x);
        check([](const auto& a) { return koila::pow(a, 0); }, [](const at::Tensor& a) { return at::pow(a, 0); }, x);
        check([](const auto& a) { return koila::pow(2, a); }, [](const at::Tensor& a) { return at::pow(2, a); }, x);
        check(
            once, [](const auto& a) { return koila::pow(0, a); }, [](const at::Tensor& a) { return at::pow(0, a); }, x);
      }
    check([](const auto& a) { return koila::pow(a, 0.5); }, [](const at::Tensor& a) { return at::pow(a, 0.5); },
          per_sample(positive({7, 2})));
  }
  SECTION("bases and exponents of 0") {
    const at::Tensor zeros = at::tensor({0.0, 0.0, 0.0, 1.0, -2.0}, at::kDouble),
                     e = at::tensor({0.0, 2.0, 1.0, 0.0, 2.0}, at::kDouble);
    check(once, f, g, per_sample(zeros), per_sample(e));
  }
  SECTION("dtypes") { check_promotion(f, g, {at::kInt, at::kLong, at::kFloat, at::kDouble}); }
  SECTION("shapes that the compiler knows") {
    const parameter<float64, 4, 1> w;
    const input<float64, 4, batch> x;
    const at::Tensor s = positive({4, 1}), t = positive({4, 7});
    compare(shape_t<decltype(koila::pow(w, x))>::value, koila::pow(w, x), at::pow(s, t),
            [](const auto& u) { return at::pow(u[0], u[1]); }, {{w, s}, {x, t}}, {});
  }
  SECTION("shapes that do not broadcast") {
    const input<any, any> a{"a"}, b{"b"};
    const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 4});
    refused([&] { run(koila::pow(a, b), a = s, b = t); }, "pow: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::pow(s, t); }, "pow: [2, 3] x [2, 4]: not broadcastable");
  }
}

}  // namespace koila::test
