// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of random ops: the numbers must not depend on the chunks.
#include "check.hpp"

namespace koila::test {

/// Calls manual_seed and returns the value of an expression of one input. Checks that the value is
/// the same in chunks of any size.
inline auto drawn(const anything& e, const bound& x) -> at::Tensor {
  const auto value = [&](index_t chunk) {
    manual_seed(20240531);
    return run(e, options{.memory = 1_GiB, .chunk = chunk}, binding<at::Tensor>{x.leaf.state, x.value});
  };
  const at::Tensor whole = value(index_t{1} << 40);
  for (const index_t chunk : {1, 2, 3, 8}) {
    INFO("chunk " << chunk);
    CHECK(at::equal(value(chunk), whole));
  }
  return whole;
}
/// Returns a random input of these sizes.
inline auto some_input(at::IntArrayRef sizes, int batch, at::ScalarType type = at::kDouble) -> bound {
  return leaf(normal(sizes).to(type), batch);
}

/// Checks random numbers in the shape of x: they are the same in chunks of any size, they differ
/// between calls, and they have no gradient.
template <class F>
void check_drawn(const F& f) {
  SECTION("the same for every chunk, whichever dim is the batch, also merged with others") {
    for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16})
      for (const int d : {0, 1, 2}) {
        const bound x = some_input({7, 11, 5}, d, type);
        const at::Tensor y = drawn(f(x.leaf), x);
        CHECK(y.scalar_type() == type);
        CHECK(y.sizes() == x.value.sizes());
        if (type == at::kDouble) CHECK(std::get<0>(at::_unique(y)).numel() == y.numel());  // no number occurs twice
        drawn(f(flatten(x.leaf, 0_c, 1_c)), x);
        drawn(f(flatten(x.leaf, 1_c, 2_c)), x);
        drawn(f(flatten(x.leaf)), x);
      }
    for (const auto& s : some_sizes(1)) {
      const bound x = some_input(s.sizes, s.batch);
      drawn(f(x.leaf), x);
    }
  }
  SECTION("two calls are two, a copy is one, a seed repeats") {
    const bound x = some_input({5, 3}, 0);
    const auto a = f(x.leaf), b = f(x.leaf);
    CHECK(drawn(sub(a, a), x).eq(0).all().template item<bool>());
    CHECK(drawn(sub(a, b), x).ne(0).all().template item<bool>());
    const binding<at::Tensor> bound_x{x.leaf.state, x.value};
    manual_seed(5);
    const at::Tensor first = run(a, bound_x), second = run(a, bound_x);
    CHECK(first.ne(second).all().template item<bool>());
    manual_seed(5);
    CHECK(at::equal(run(a, bound_x), first));
    CHECK(at::equal(run(a, bound_x), second));
    manual_seed(6);
    CHECK(run(a, bound_x).ne(first).all().template item<bool>());
    manual_seed(5);
    const at::Tensor eager = f(x.value);
    CHECK(f(x.value).ne(eager).all().template item<bool>());
    manual_seed(5);
    CHECK(at::equal(f(x.value), eager));
  }
  SECTION("without gradient") {
    check([&](const auto& x) { return mul(x, koila::pow(f(x), 0)); }, [](const at::Tensor& x) { return x * 1; },
          per_sample(normal({5, 3}), 1));
  }
}

/// Checks dropout of whole channels. Calls f(x, p), where x has samples and channels of these
/// sizes.
template <class F>
void check_feature_dropout(const F& f, const std::vector<std::int64_t>& sizes) {
  SECTION("whole channels of each sample") {
    for (int d = 0; d < static_cast<int>(sizes.size()); ++d) {
      const bound x = some_input(sizes, d);
      const auto y = let(f(x.leaf, ops::p = 0.25));
      const at::Tensor value = drawn(y, x), kept = value.ne(0).flatten(2);  // (7, 5, rest)
      CHECK(kept.eq(kept.narrow(2, 0, 1)).all().item<bool>());
      CHECK(kept.any().item<bool>());
      CHECK(kept.logical_not().any().item<bool>());
      same(value, x.value * value.ne(0) / 0.75);
      same(drawn(gradient(sum(y), x.leaf), x), value.ne(0).to(at::kDouble) / 0.75);
    }
  }
  SECTION("none and all dropped, inference") {
    const operand x = per_sample(normal(sizes));
    check([&](const auto& v) { return f(v, 0.0); }, [](const at::Tensor& v) { return v * 1; }, x);
    check([&](const auto& v) { return f(v, ops::p = 1); },
          [](const at::Tensor& v) { return at::feature_dropout(v, 1, true); }, x);
    check([&](const auto& v) { return f(v, 0.3, training = false); }, [](const at::Tensor& v) { return v * 1; }, x);
  }
  SECTION("no such probability") { CHECK_THROWS_AS(f(normal(sizes), 2.0), shape_error); }
}

}  // namespace koila::test
