// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

inline constexpr struct joined_words : axis<joined_words> {
  using axis::operator=;
} joined_words;

TEST_CASE("cat") {
  const auto f = [](int d) { return [=](const auto&... x) { return cat(x..., dim = d); }; };
  const auto g = [](int d) { return [=](const auto&... x) { return at::cat({x...}, d); }; };
  SECTION("of two and three, the samples on any dim") {
    for (const auto n : batches) {
      check(f(-1), g(-1), per_sample(normal({n, 2})), per_sample(normal({n, 3})));
      check(f(0), g(0), per_sample(normal({3, n}), 1), per_sample(normal({2, n}), 1), per_sample(normal({1, n}), 1));
    }
    for (const std::int64_t n : {1, 5}) {
      check(f(0), g(0), per_sample(normal({n, 2})), per_sample(normal({n, 2})));
      check(f(0), g(0), per_sample(normal({n, 2})), whole(normal({3, 2})));
      check(f(-3), g(-3), per_sample(normal({n, 2, 3})), whole(normal({1, 2, 3})));
    }
    check(f(0), g(0), whole(normal({2, 3})));
    check(f(1), g(1), whole(normal({2, 3})), whole(normal({2, 0})), whole(normal({2, 1})));
  }
  SECTION("of one value with itself, and in a model") {
    check([](const auto& x) { return cat(x, relu(x), mul(x, 2), x, dim = 1_c); },
          [](const at::Tensor& x) { return at::cat({x, x.relu(), x * 2, x}, 1); }, per_sample(normal({5, 3})));
    check([](const auto& x, const auto& w) { return matmul(cat(x, relu(x), dim = -1_c), w); },
          [](const at::Tensor& x, const at::Tensor& w) { return at::cat({x, x.relu()}, -1).matmul(w); },
          per_sample(normal({5, 2})), whole(normal({4, 3})));
  }
  SECTION("of lists") {
    const auto want = [](int n) {
      return [=](const at::Tensor& x) {
        std::vector<at::Tensor> all;
        for (int i = 0; i < n; ++i) all.push_back(x * i);
        return at::cat(all, 1);
      };
    };
    check([](const auto& x) { return cat(std::tuple(mul(x, 0), mul(x, 1), mul(x, 2)), dim = 1); }, want(3),
          per_sample(normal({5, 2})));
    check([](const auto& x) { return cat(std::array{mul(x, 0), mul(x, 1), mul(x, 2)}, dim = 1); }, want(3),
          per_sample(normal({5, 2})));
    check(
        [](const auto& x) {
          return cat(std::array{mul(x, 0), mul(x, 1), mul(x, 2), mul(x, 3), mul(x, 4), mul(x, 5), mul(x, 6), mul(x, 7)},
                     dim = 1);
        },
        want(8), per_sample(normal({5, 1})));
    for (const int n : {1, 6, 7, 40})
      check(
          ask{.twice = n < 7},
          [=](const auto& x) {
            using value = std::conditional_t<PlainTensor<std::remove_cvref_t<decltype(x)>>, at::Tensor, anything>;
            std::vector<value> all;
            for (int i = 0; i < n; ++i) all.push_back(mul(x, i));
            return cat(all, dim = 1_c);
          },
          want(n), per_sample(normal({3, 2})));
  }
  SECTION("dtypes") {
    const at::Tensor a = positive({5, 3}), b = positive({5, 2});
    for (const auto s : {at::kBool, at::kInt, at::kLong, at::kBFloat16, at::kFloat, at::kDouble})
      for (const auto t : {at::kByte, at::kLong, at::kHalf, at::kFloat}) {
        const auto promoted = c10::promoteTypes(s, t);
        const std::vector<bound> xs{leaf(a.to(s), 0), leaf(b.to(t), 0)};
        const reference want = [](const auto& x) { return at::cat({x[0], x[1]}, 1); };
        compare({}, cat(xs[0].leaf, xs[1].leaf, dim = 1), cat(xs[0].value, xs[1].value, dim = 1), want, xs,
                {.gradients = promoted == at::kFloat || promoted == at::kDouble,
                 .twice = false});  // the order of 16-bit sums depends on the chunks
      }
  }
  SECTION("a slice of a concatenation is an operand, or a slice of an operand") {
    const bound x = leaf(normal({5, 4}), 0), w = leaf(normal({5, 3}), 0);
    const auto peak = [&](const anything& e) {
      return plan(e, {}, binding<at::Tensor>{x.leaf.state, x.value}).peak_bytes();
    };
    const auto peak_of_both = [&](const anything& e) {
      return plan(e, {}, binding<at::Tensor>{x.leaf.state, x.value}, binding<at::Tensor>{w.leaf.state, w.value})
          .peak_bytes();
    };
    const auto a = let(exp(x.leaf));
    const auto b = let(tanh(x.leaf));
    const auto c = let(exp(w.leaf));
    const auto one = peak(sum(a));
    CHECK(peak(sum(select(stack(a, b, 1), 1, 0))) == one);
    CHECK(peak(sum(select(stack(b, b, a, 0), 0, -1))) == one);
    CHECK(peak_of_both(sum(narrow(cat(c, a, c, dim = 1), 1, 3, 4))) == one);
    CHECK(peak_of_both(sum(narrow(cat(c, a, c, dim = 1), 1, 2, 2))) > one);  // a slice that covers two operands
    const auto same_as = [&](const auto& f, const auto& g) {
      check([&](const auto& u, const auto& v) { return f(ops::exp(u), ops::exp(v)); },
            [&](const at::Tensor& u, const at::Tensor& v) { return g(at::exp(u), at::exp(v)); },
            per_sample(normal({5, 4})), per_sample(normal({5, 3})));
    };
    for (index_t start = 0; start < 9; ++start) {
      same_as([=](const auto& u, const auto& v) { return narrow(cat(v, u, v, dim = 1), 1, start, 2); },
              [=](const at::Tensor& u, const at::Tensor& v) { return at::cat({v, u, v}, 1).narrow(1, start, 2); });
      same_as([=](const auto& u, const auto& v) { return select(cat(v, u, v, dim = 1), 1, start - 10); },
              [=](const at::Tensor& u, const at::Tensor& v) { return at::cat({v, u, v}, 1).select(1, start - 10); });
      same_as([=](const auto& u, const auto& v) { return slice(cat(v, u, v, dim = 1), 1, start, start + 3, 2); },
              [=](const at::Tensor& u, const at::Tensor& v) {
                return at::cat({v, u, v}, 1).slice(1, start, start + 3, 2);
              });
      same_as(
          [=](const auto& u, const auto& v) { return slice(cat(v, u, v, dim = 1), 1, start, start + 3); },
          [=](const at::Tensor& u, const at::Tensor& v) { return at::cat({v, u, v}, 1).slice(1, start, start + 3); });
    }
    {  // a slice as long as an axis does not get that axis: the compiler does not know the extents
      const input<float64, batch, joined_words, 2> v{"v"};
      const input<float64, batch, 3, 2> u{"u"};
      const parameter<float64, 5, 2> p{"p"};
      const at::Tensor five = normal({4, 5, 2}), three = normal({4, 3, 2});
      same(run(narrow(v, 1_c, 0_c, 5_c) + p, v = five), five + tensor_of(p));
      same(run(narrow(cat(v, u, dim = 1_c), 1_c, 0_c, 5_c) + p, v = five, u = three), five + tensor_of(p));
      same(run(narrow(cat(u, v, dim = 1_c), 1_c, 3_c, 5_c) + p, v = five, u = three), five + tensor_of(p));
    }
    for (const index_t position : {0, 4, 9})  // the index of a sample
      check([=](const auto& u) { return select(cat(u, ops::exp(u), dim = 0), 0, position); },
            [=](const at::Tensor& u) { return at::cat({u, at::exp(u)}, 0).select(0, position); },
            per_sample(normal({5, 4})));
  }
  SECTION("shapes that the compiler knows") {
    check_typed([](const auto& a, const auto& b) { return cat(a, b, dim = -1_c); }, g(-1),
                std::pair{input<batch, 2>{}, normal({5, 2}).to(at::kFloat)},
                std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
    STATIC_REQUIRE(
        std::is_same_v<shape_t<decltype(cat(input<batch, 2>{}, input<batch, 3>{}, -1_c))>, shape_t<input<batch, 5>>>);
    STATIC_REQUIRE(
        std::is_same_v<shape_t<decltype(cat(input<batch, 2>{}, input<batch, 2>{}))>, shape_t<input<any, 2>>>);
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct cat, shape<batch, 3>, shape<7, 3>, decltype(dim = 1_c)>);
    const input<any, any> x{"x"}, y{"y"};
    const at::Tensor t = at::rand({2, 3}), u = at::rand({3, 3});
    refused([&] { run(cat(x, y, dim = 1), x = t, y = u); }, "cat: [2, 3] x [3, 3], dim 1: shapes differ");
    refused([&] { cat(t, u, dim = 2); }, "cat: [2, 3] x [3, 3], dim 2: dimension out of range");
    refused([&] { cat(t, t[0]); }, "cat: [2, 3] x [3], dim 0: no rule for these ranks");
    refused([&] { cat(std::vector<at::Tensor>{}); }, "cat: the list is empty");
  }
}

TEST_CASE("cat of cats: of several dtypes, in chunks, and beside a tensor in a batch of one") {
  const auto cat_of_cat = [](const auto& first, const auto& z) {
    return cumsum(cat(first, cat(z, ops::exp(z), dim = 0_c), dim = 0_c), 2_c);
  };
  const auto want = [](const at::Tensor& first, const at::Tensor& z) {
    return at::cumsum(at::cat({first, at::cat({z, at::exp(z)}, 0)}, 0), 2);
  };
  const input<3, batch, 4> x{"x"};
  const input<int64, 3, batch, 4> i{"i"};
  const input<float64, 1, batch, 4> wide{"wide"};
  const input<1, batch, 4> z{"z"};
  for (const index_t chunk : {2, 5}) {
    const options o{.chunk = chunk};
    const at::Tensor a = normal({3, 5, 4}).to(at::kFloat), b = normal({1, 5, 4}), c = b.to(at::kFloat),
                     n = at::arange(60).view({3, 5, 4});
    CHECK(at::allclose(run(cat_of_cat(x, wide), o, x = a, wide = b), want(a, b)));
    CHECK(at::allclose(run(cat_of_cat(x, z), o, x = a, z = c), want(a, c)));
    CHECK(at::allclose(run(cat_of_cat(i, z), o, i = n, z = c), want(n, c)));
  }
  const at::Tensor t = normal({2, 1, 4}).to(at::kFloat), c = normal({1, 1, 4}).to(at::kFloat);
  CHECK(at::allclose(run(cat_of_cat(t, z), z = c), want(t, c)));
}

}  // namespace koila::test
