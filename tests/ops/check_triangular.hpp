// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of tril and triu.
#include "check.hpp"

namespace koila::test {

/// Compares `f` with LibTorch's `g`. Both take a matrix and an optional diagonal, at which the
/// triangle ends.
template <class F, class G>
void check_triangle(const F& f, const G& g) {
  const auto from = [&](auto... k) { return [=](const auto& x) { return f(x, k...); }; };
  const auto want = [&](std::int64_t k) { return [=](const at::Tensor& x) { return g(x, k); }; };
  for (const auto n : batches) check(from(), want(0), per_sample(normal({n, 3, 4})));
  for (const int k : {-1, 0, 2}) {
    check(from(k), want(k), per_sample(normal({5, 3})));
    check(from(k), want(k), per_sample(normal({2, 3, 5}), 2));
    check(from(diagonal = k), want(k), whole(normal({3, 4})));
  }
  check_typed(from(1_c), want(1), std::pair{input<batch, 3, 3>{}, normal({5, 3, 3}).to(at::kFloat)});
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf})
    same(f(at::ones({3, 4}, type)), g(at::ones({3, 4}, type), 0));
  same(f(at::full({2, 2}, NAN)), g(at::full({2, 2}, NAN), 0));
}

}  // namespace koila::test
