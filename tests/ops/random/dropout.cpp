// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("dropout") {
  SECTION("the same elements for every chunk and in the gradient") {
    for (const double chance : {0.1, 0.5, 0.75})
      for (const int d : {0, 1, 2}) {
        const bound x = some_input({7, 11, 5}, d);
        const auto y = let(dropout(x.leaf, ops::p = chance));
        const at::Tensor value = drawn(y, x), kept = value.ne(0);
        same(value, x.value * kept / (1 - chance));
        same(drawn(gradient(sum(y), x.leaf), x), kept.to(at::kDouble) / (1 - chance));
        // Dropout drops different elements for different samples and positions.
        CHECK(kept.select(d, 0).ne(kept.select(d, 1)).any().item<bool>());
        CHECK(std::abs(kept.to(at::kDouble).mean().item<double>() - 1 + chance) < 0.12);
      }
  }
  SECTION("d - d is zero, two dropouts are two") {
    const bound x = some_input({8, 4}, 0);
    const auto d = dropout(x.leaf);
    CHECK(drawn(sub(d, d), x).eq(0).all().item<bool>());
    const auto shared = let(d);
    CHECK(drawn(gradient(sum(sub(shared, shared)), x.leaf), x).eq(0).all().item<bool>());
    CHECK(drawn(sub(dropout(x.leaf), dropout(x.leaf)), x).ne(0).any().item<bool>());
  }
  SECTION("as it was with another memory: backward in chunks") {
    const bound x = some_input({8, 4}, 0), w = leaf(normal({4, 3}));
    const auto loss = sum(dropout(mm(dropout(x.leaf, 0.3), w.leaf), 0.4));
    at::Tensor want;
    for (const index_t chunk : {100, 1, 2, 3}) {
      tensor_of(*w.leaf.state).mutable_grad().reset();
      manual_seed(9);
      backward(loss, options{.chunk = chunk}, binding<at::Tensor>{x.leaf.state, x.value});
      const at::Tensor got = tensor_of(*w.leaf.state).grad();
      if (chunk == 100) want = got.clone();
      same(got, want);
    }
  }
  SECTION("none and all dropped, inference") {
    for (const auto& s : some_sizes(1, 3)) {
      const operand x = per_sample(normal(s.sizes), s.batch);
      check([](const auto& x) { return dropout(x, 0.0); }, [](const at::Tensor& x) { return x * 1; }, x);
      check([](const auto& x) { return dropout(x, ops::p = 1); },
            [](const at::Tensor& x) { return at::dropout(x, 1, true); }, x);
      check([](const auto& x) { return dropout(x, 0.3, training = false); },
            [](const at::Tensor& x) { return at::dropout(x, 0.3, false) * 1; }, x);
    }
    const at::Tensor t = normal({3, 4});
    CHECK(at::equal(dropout(t, 0.5, false), t));
  }
  SECTION("a run that fails draws nothing") {
    const bound x = some_input({8, 4}, 0);
    const input<int64, batch> label{"label"};
    const auto loss = cross_entropy(dropout(x.leaf), label);
    const binding<at::Tensor> bound_x{x.leaf.state, x.value};
    const at::Tensor good = labels(8, 4), bad = at::full({8}, 4);
    manual_seed(2);
    const at::Tensor first = run(loss, bound_x, label = good), second = run(loss, bound_x, label = good);
    CHECK(!at::equal(first, second));
    manual_seed(2);
    CHECK(at::equal(run(loss, bound_x, label = good), first));
    CHECK_THROWS_AS(run(loss, bound_x, label = bad), c10::IndexError);
    CHECK(at::equal(run(loss, bound_x, label = good), second));
  }
  SECTION("planned by the compiler, where two are two as well") {
    static constexpr auto twice = [] {
      const auto x = let(relu(input<batch, 4>{}));
      return add(dropout(x), dropout(x));
    };
    STATIC_REQUIRE(peak_bytes([] { return dropout(input<batch, 4>{}); }, batch = 8) == 2 * 8 * 4 * 4);
    const auto x = leaf(at::ones({8, 4}), 0);
    const auto e = let(relu(x.leaf));
    CHECK(peak_bytes(twice, batch = 8) ==
          plan(add(dropout(e), dropout(e)), options{.chunk = 8}, binding<at::Tensor>{x.leaf.state, x.value})
              .peak_bytes());
  }
  SECTION("refused") {
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(dropout(x, ops::p = 1.5), x = t); }, "dropout: [2, 3]: the probability is not in [0, 1]");
    refused([&] { dropout(t, -0.5); }, "dropout: [2, 3]: the probability is not in [0, 1]");
    const at::Tensor integers = at::arange(3);
    refused([&] { dropout(integers); }, "dropout: int64[3]: not a floating-point dtype");
  }
}

}  // namespace koila::test
