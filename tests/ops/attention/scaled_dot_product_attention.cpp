// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

#include <koila/kernels/table.hpp>

namespace koila::test {

TEST_CASE("scaled_dot_product_attention") {
  const auto f = [](const auto& q, const auto& k, const auto& v) { return scaled_dot_product_attention(q, k, v); };
  const auto g = [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v));
  };
  SECTION("plain") {
    for (const auto n : {1, 3, 8})
      check(f, g, per_sample(normal({n, 4, 3})), per_sample(normal({n, 5, 3})), per_sample(normal({n, 5, 2})));
    check(f, g, per_sample(normal({5, 2, 4, 3})), per_sample(normal({5, 2, 3, 3})), per_sample(normal({5, 2, 3, 2})));
    check(f, g, per_sample(normal({5, 2, 3}), 0), whole(normal({4, 3})), whole(normal({4, 2})));
    check(f, g, per_sample(normal({5, 3}), 0), whole(normal({4, 3})), whole(normal({4, 2})));
    check(f, g, whole(normal({2, 3})), per_sample(normal({5, 3})),
          per_sample(normal({5, 2})));  // only the keys and values have samples
    check_typed(f, g, std::pair{input<batch, 4, 3>{}, normal({5, 4, 3}).to(at::kFloat)},
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)},
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
    const at::Tensor q = normal({2, 3, 4}), k = normal({2, 5, 4}), v = normal({2, 5, 4});
    same(f(q, k, v), at::scaled_dot_product_attention(q, k, v));
  }
  SECTION("causal, scaled") {
    for (const int keys : {2, 4, 6})
      check([](const auto& q, const auto& k,
               const auto& v) { return scaled_dot_product_attention(q, k, v, is_causal = true, scale = 0.3); },
            [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
              return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, {}, 0, true, {}, 0.3));
            },
            per_sample(normal({5, 4, 3})), per_sample(normal({5, keys, 3})), per_sample(normal({5, keys, 2})));
  }
  SECTION("masked") {
    const auto masked = [](const auto& q, const auto& k, const auto& v, const auto& mask) {
      return scaled_dot_product_attention(q, k, v, mask);
    };
    const auto want = [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask) {
      // This operator of LibTorch accepts only masks that are added to the scores, so a boolean
      // mask is converted first.
      const bool is_sum = mask.scalar_type() != at::kBool;
      const at::Tensor added =
          is_sum ? mask : at::zeros(mask.sizes(), q.options()).masked_fill(mask.logical_not(), -INFINITY);
      return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, added));
    };
    const operand q = per_sample(normal({5, 4, 3})), k = per_sample(normal({5, 3, 3})),
                  v = per_sample(normal({5, 3, 2}));
    at::Tensor mask = normal({5, 4, 3}) > 0;
    mask[1][2] = 0;  // this query has no visible key
    mask[0][1] = 1;
    check(masked, want, q, k, v, per_sample(mask));
    check(masked, want, q, k, v, whole(mask[1]));
    check(masked, want, q, k, v, per_sample(normal({5, 1, 3})));
    check(masked, want, q, k, v, whole(normal({4, 3})));
    check(
        ask{.gradients = false}, masked,
        [](const at::Tensor& a, const at::Tensor&, const at::Tensor& c, const at::Tensor&) {
          return at::zeros({a.size(0), a.size(1), c.size(2)}, a.options());
        },
        per_sample(normal({2, 4, 3})), per_sample(normal({2, 0, 3})), per_sample(normal({2, 0, 3})),
        whole(normal({4, 0})));
    at::Tensor hides = normal({4, 3});
    hides[2] = -INFINITY;  // this query has no visible key
    hides[1][0] = -INFINITY;
    check(
        ask{.twice = false}, masked,
        [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& m) {
          const at::Tensor scores = at::matmul(a, b.transpose(-1, -2)) / std::sqrt(a.size(-1)) + m;
          const at::Tensor hidden = scores.eq(-INFINITY).all(-1, true);
          return at::matmul(at::where(hidden, 0.0, at::softmax(at::where(hidden, 0.0, scores), -1)), c);
        },
        q, k, v, whole(hides));
  }
  SECTION("dropout") {
    const bound x = some_input({8, 4, 3}, 0);
    const auto e = scaled_dot_product_attention(x.leaf, x.leaf, x.leaf, dropout_p = 0.5);
    CHECK(
        drawn(e, x).ne(run(f(x.leaf, x.leaf, x.leaf), binding<at::Tensor>{x.leaf.state, x.value})).any().item<bool>());
    CHECK(drawn(sub(e, e), x).eq(0).all().item<bool>());
    const auto again = scaled_dot_product_attention(x.leaf, x.leaf, x.leaf, dropout_p = 0.5);
    CHECK(drawn(sub(e, again), x).ne(0).any().item<bool>());
  }
  SECTION("refused") {
    STATIC_REQUIRE(
        !Accepts<struct scaled_dot_product_attention, shape<batch, 4, 3>, shape<batch, 4, 2>, shape<batch, 4, 3>>);
    const at::Tensor x = at::rand({2, 4, 3}), narrow = at::rand({2, 4, 2}), fewer = at::rand({2, 3, 3});
    const std::string name = "scaled_dot_product_attention: ";
    refused([&] { scaled_dot_product_attention(x, narrow, x); },
            name + "[2, 4, 3] x [2, 4, 2] x [2, 4, 3]: embedding dimensions differ");
    refused([&] { scaled_dot_product_attention(x, fewer, x); },
            name + "[2, 4, 3] x [2, 3, 3] x [2, 4, 3]: shapes differ");
    refused([&] { scaled_dot_product_attention(x, x, x, fewer); },
            name + "[2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 3, 3]: not broadcastable");
    refused([&] { scaled_dot_product_attention(x, x, x, dropout_p = 2); },
            name + "[2, 4, 3] x [2, 4, 3] x [2, 4, 3]: the probability is not in [0, 1]");
  }
}

TEST_CASE("trials H: NaN in a key that is hidden stays hidden; in its value it is multiplied by 0") {
  if (detail::by_operators_only) return;
  for (const std::int64_t n : {4, 8, 40}) {
    CAPTURE(n);
    const at::Tensor q = normal({1, n, 8}), k = normal({1, n, 8}), v = normal({1, n, 8});
    at::Tensor odd_k = k.clone(), odd_v = v.clone(), mask = at::ones({n}, at::kBool);
    odd_k.select(1, n - 1).fill_(NAN), odd_v.select(1, n - 1).fill_(NAN), mask[n - 1] = false;
    const auto causal = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
      return scaled_dot_product_attention(a, b, c, is_causal = true);
    };
    // Only the last query attends to the last key.
    const at::Tensor want = causal(q, k, v).narrow(1, 0, n - 1);
    same(causal(q, odd_k, v).narrow(1, 0, n - 1), want);
    CHECK(causal(q, odd_k, v).select(1, n - 1).isnan().all().item<bool>());
    CHECK(causal(q, k, odd_v).isnan().all().item<bool>());
    CHECK(scaled_dot_product_attention(q, odd_k, v, mask).isfinite().all().item<bool>());
    CHECK(scaled_dot_product_attention(q, k, odd_v, mask).isnan().all().item<bool>());
    // LibTorch's kernel also skips the keys after a query. LibTorch's composed form adds the mask
    // to all scores instead, so NaN in one key reaches all queries.
    const auto theirs = [&](const at::Tensor& key, const at::Tensor& value) {
      return at::scaled_dot_product_attention(q.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0), {}, 0, true)[0];
    };
    same(theirs(odd_k, v).narrow(1, 0, n - 1), want);
    CHECK(theirs(k, odd_v).isnan().all().item<bool>());
    CHECK(std::get<0>(at::_scaled_dot_product_attention_math(q, odd_k, v, {}, 0, true)).isnan().all().item<bool>());
  }
}

TEST_CASE("trials H: scores that float16 cannot hold give the same values whichever dim is the batch") {
  if (detail::by_operators_only) return;
  for (const at::ScalarType type : {at::kHalf, at::kBFloat16}) {
    CAPTURE(type);
    const at::Tensor q = normal({6, 2}).to(type), k = normal({6, 2}).to(type), v = normal({6, 3}).to(type);
    const auto attend = [](const auto& a, const auto& b, const auto& c) {
      return scaled_dot_product_attention(a, b, c, koila::scale = 1e19);
    };
    const at::Tensor whole = attend(q, k, v);  // computed by the kernel
    CHECK(whole.isfinite().all().item<bool>());
    // Here the samples lie along the rows and the columns of the scores. The kernel does not
    // support this, so other ops compute the attention.
    const auto [a, b, c] = lazy<batch>(q, k, v);
    for (const index_t chunk : {6, 3, 1}) CHECK(at::equal(run(attend(a, b, c), {.chunk = chunk}), whole));
    const at::Tensor mask = at::ones({6, 6}, at::kBool).tril();
    const auto shown = [&](const auto& x, const auto& y, const auto& z, const auto& m) {
      return scaled_dot_product_attention(x, y, z, m, koila::scale = 1e19);
    };
    CHECK(at::equal(run(shown(a, b, c, lazy(mask))), shown(q, k, v, mask)));
  }
}

}  // namespace koila::test
