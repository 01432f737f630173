// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>
#include "ops/drawn.hpp"

#include "measure.hpp"

#include <koila/kernels/cpu/brgemm.ipp>

#include <rapidcheck.h>

namespace koila::test {

namespace dropped_weights {

inline constexpr struct by_parts : attribute_name<by_parts> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.by_parts)) { return a.by_parts; }
} by_parts;
inline constexpr struct number : attribute_name<number> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.number)) { return a.number; }
} number;

/// Attention with dropout, in two forms: in blocks, or with all weights computed before dropout.
/// Both forms drop the same weights if `number` is the same.
inline constexpr struct either : op<either, 4> {
  static constexpr std::string_view name = "either";
  struct attributes {
    static constexpr std::size_t positional = 4;
    attr<double> dropout_p = 0.5;
    attr<bool> is_causal = false, by_parts = false;
    attr<index_t> number = 1;
    constexpr void set(std::size_t i, const auto& v) {
      detail::assign_at(i, v, dropout_p, is_causal, by_parts, number);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const attributes&) -> verdict {
    return rules::attention_of_stacks(q, k, v);
  }
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const dims& mask, const attributes&)
      -> verdict {
    return rules::attention_of_stacks(q, k, v, mask);
  }
  static constexpr auto expand(const auto& q, const auto& k, const auto& v, const attributes& a) {
    return weighted(detail::attention_weights_of(q, k, drawn(a)), a, q, k, v);
  }
  static constexpr auto expand(const auto& q, const auto& k, const auto& v, const auto& mask, const attributes& a) {
    return weighted(detail::attention_weights_of(q, k, mask, drawn(a)), a, q, k, v, mask);
  }

 private:
  static constexpr auto drawn(const attributes& a) -> dropout_attention_attributes {
    dropout_attention_attributes made;
    made.dropout_p = a.dropout_p, made.is_causal = a.is_causal;
    made.call.id = static_cast<std::uint64_t>(a.number.value);
    return made;
  }
  static constexpr auto weighted(const auto& weights, const attributes& a, const auto& q, const auto& k, const auto& v,
                                 const auto&... mask) {
    if (a.by_parts.value) return matmul(detail::weights_kept(weights, drawn(a)), v);
    return detail::call_with<struct dropout_attention>(drawn(a), q, k, v, mask...);
  }
} either;

}  // namespace dropped_weights

TEST_CASE("dropout_attention") {
  using namespace dropped_weights;
  SECTION("the same weights for every chunk, other ones at every call") {
    const bound x = some_input({8, 2, 5, 3}, 0);
    const auto f = [&] { return dropout_attention(x.leaf, x.leaf, x.leaf, dropout_p = 0.3); };
    const anything a = f(), b = f();
    CHECK(drawn(a, x).isfinite().all().item<bool>());
    CHECK(drawn(sub(a, a), x).eq(0).all().item<bool>());
    CHECK(drawn(sub(a, b), x).ne(0).any().item<bool>());
    drawn(dropout_attention(transpose(x.leaf, 0_c, 1_c), transpose(x.leaf, 0_c, 1_c), transpose(x.leaf, 0_c, 1_c),
                            dropout_p = 0.5),
          x);
  }
  SECTION("nothing dropped, all dropped, at once") {
    const at::Tensor q = normal({2, 4, 3}), k = normal({2, 5, 3}), v = normal({2, 5, 2});
    same(dropout_attention(q, k, v, dropout_p = 0.0), attention(q, k, v));
    CHECK(dropout_attention(q, k, v, dropout_p = 1.0).eq(0).all().item<bool>());
    CHECK(dropout_attention(q, k, v, dropout_p = 0.5).ne(attention(q, k, v)).any().item<bool>());
    CHECK(dropout_attention(q, normal({2, 0, 3}), normal({2, 0, 2})).eq(0).all().item<bool>());
  }
  SECTION("refused") {
    const at::Tensor x = at::rand({2, 4, 3}), narrow = at::rand({2, 4, 2});
    refused([&] { dropout_attention(x, narrow, x); },
            "dropout_attention: [2, 4, 3] x [2, 4, 2] x [2, 4, 3]: embedding dimensions differ");
    refused([&] { dropout_attention(x, x, x, narrow); },
            "dropout_attention: [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 2]: not broadcastable");
    refused([&] { dropout_attention(x, x, x, dropout_p = 1.5); },
            "dropout_attention: [2, 4, 3] x [2, 4, 3] x [2, 4, 3]: the probability is not in [0, 1]");
  }
}

TEST_CASE("dropout_attention in blocks: what dropout of all weights gives, once and twice differentiated") {
  using namespace dropped_weights;
  CHECK(rc::check("in float64", [] {
    const std::uint64_t seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    at::manual_seed(seed);
    const auto one_of = [](auto... n) { return *rc::gen::element<std::int64_t>(n...); };
    const std::int64_t samples = one_of(1, 3), heads = one_of(1, 2), l = one_of(1, 15, 64, 65, 130),
                       e = one_of(1, 8, 33);
    const std::int64_t s = one_of(1, 3, 128, 129, 300), w = one_of(1, 8, 33);
    const bool causal = *rc::gen::arbitrary<bool>();
    const double p = *rc::gen::element(0.1, 0.5, 0.9);
    const bound q = leaf(at::randn({samples, heads, l, e}, at::kDouble), 0),
                k = leaf(at::randn({samples, heads, s, e}, at::kDouble), 0),
                v = leaf(at::randn({samples, heads, s, w}, at::kDouble), 0);
    const auto call = static_cast<index_t>(seed + 1);
    const auto both = [&](const auto&... mask) {
      const auto y = [&](bool parts) {
        return anything(let(either(q.leaf, k.leaf, v.leaf, mask..., dropout_p = p, is_causal = causal, by_parts = parts,
                                   number = call)));
      };
      const anything by_blocks = y(false), of_all = y(true);
      const auto value = [&](const auto& x, index_t chunk) {
        const options o{.memory = 1_GiB, .chunk = chunk};
        const binding<at::Tensor> of_q{q.leaf.state, q.value}, of_k{k.leaf.state, k.value}, of_v{v.leaf.state, v.value};
        const memory_plan predicted = plan(x, o, of_q, of_k, of_v);
        manual_seed(seed);
        const bench::measure now;
        const at::Tensor got = run(x, o, of_q, of_k, of_v);
        RC_ASSERT(now.peak() == predicted.peak_bytes() || detail::by_operators_only);
        return got;
      };
      const auto near = [](const at::Tensor& got, const at::Tensor& want, double largest) {
        RC_ASSERT((got - want).norm().item<double>() <= 1e-12 * largest);
      };
      const at::Tensor want = value(of_all, samples);
      const auto loss = [](const auto& y) { return sum(square(add(y, 3))); };
      const bound* const operands[] = {&q, &k, &v};
      double largest = 0;
      std::vector<at::Tensor> slopes;
      for (const bound* x : operands) {
        slopes.push_back(value(gradient(loss(of_all), x->leaf), samples));
        largest = std::max(largest, slopes.back().norm().item<double>());
      }
      for (const index_t chunk : {samples, index_t{1}}) {
        near(value(by_blocks, chunk), want, want.norm().item<double>());
        for (std::size_t i = 0; i < 3; ++i)
          near(value(gradient(loss(by_blocks), operands[i]->leaf), chunk), slopes[i], largest);
      }
      if (l * s > 1000) return;
      const auto twice = [&](const auto& y, const bound& x) {
        return gradient(sum(square(gradient(loss(y), q.leaf))), x.leaf);
      };
      largest = 1, slopes.clear();  // with a single key all slopes are 0
      for (const bound* x : operands) {
        slopes.push_back(value(twice(of_all, *x), samples));
        largest = std::max(largest, slopes.back().norm().item<double>());
      }
      for (std::size_t i = 0; i < 3; ++i) near(value(twice(by_blocks, *operands[i]), 1), slopes[i], largest);
    };
    at::Tensor mask = at::randn({heads, l, s}, at::kDouble);
    mask.select(1, 0).fill_(-INFINITY);  // this query has no visible key
    switch (*rc::gen::inRange(0, 3)) {
      case 0: return both(mask > -1);
      case 1: return both(mask);
      default: return both();
    }
  }));
}

TEST_CASE("dropout_attention: in float32 and 16 bits, and nothing of the size of the weights") {
  using namespace dropped_weights;
  for (const auto type : {at::kFloat, at::kBFloat16})
    for (const std::int64_t rows : {70, 300}) {  // one block of keys, or several
      const bound x = some_input({3, 2, rows, 8}, 0, type);
      const auto y = [&](const auto& v, bool parts) {
        return either(v, v, v, dropout_p = 0.25, by_parts = parts, number = 7);
      };
      const at::Tensor got = drawn(y(x.leaf, false), x);
      manual_seed(20240531);
      const at::Tensor want = run(y(to<float64>(x.leaf), true), binding<at::Tensor>{x.leaf.state, x.value});
      CHECK(
          at::allclose(got.to(at::kDouble), want, type == at::kFloat ? 1e-5 : 1e-2, type == at::kFloat ? 1e-5 : 3e-2));
    }
  const input<batch, 1024, 8> x{"x"};
  const at::Tensor t = at::randn({1, 1024, 8});
  const auto y = scaled_dot_product_attention(x, x, x, dropout_p = 0.1);
  CHECK(plan(y, x = t).peak_bytes() < 1_MiB);  // the weights alone would take 4 MiB
  CHECK(plan(gradient(sum(y), x), x = t).peak_bytes() < 2_MiB);
}

}  // namespace koila::test
