// SPDX-License-Identifier: MIT
#include <koila/kernels/table.hpp>
#include "ops/check.hpp"

#include "measure.hpp"

#include <koila/kernels/cpu/attention_vectors.ipp>

#include <ATen/Parallel.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>

#include <rapidcheck.h>

#include <cmath>
#include <limits>

namespace koila::test {

namespace attention_in_blocks {

auto by_libtorch(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal) -> at::Tensor {
  return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, {}, 0, causal));
}

/// The value, and the gradients of 0.5 * |y + 3|^2 with respect to q, k and v.
using results = std::vector<at::Tensor>;

auto wanted(const std::array<at::Tensor, 3>& x, bool causal) -> results {
  std::array<at::Tensor, 3> own;
  for (std::size_t i = 0; i < 3; ++i) own[i] = x[i].detach().to(at::kDouble).clone().requires_grad_();
  const at::Tensor y = by_libtorch(own[0], own[1], own[2], causal);
  ((y + 3) * (y + 3) * 0.5).sum().backward();
  results all{y.detach()};
  for (const at::Tensor& t : own) all.push_back(t.grad());
  return all;
}
auto got(const std::array<at::Tensor, 3>& x, bool causal, index_t chunk) -> results {
  const bound q = leaf(x[0], 0), k = leaf(x[1], 0), v = leaf(x[2], 0);
  const anything y = let(attention(q.leaf, k.leaf, v.leaf, is_causal = causal));
  const auto off = let(add(y, 3));
  const auto loss = sum(mul(mul(off, off), 0.5));
  const options o{.memory = 1_GiB, .chunk = chunk};
  const binding<at::Tensor> of_q{q.leaf.state, x[0]}, of_k{k.leaf.state, x[1]}, of_v{v.leaf.state, x[2]};
  results all;
  const auto take = [&](const auto& e) {
    const memory_plan p = plan(e, o, of_q, of_k, of_v);
    const bench::measure m;
    all.push_back(run(e, o, of_q, of_k, of_v));
    CHECK((m.peak() == p.peak_bytes() || detail::by_operators_only));
  };
  take(y);
  for (const bound* b : {&q, &k, &v}) take(gradient(loss, b->leaf));
  return all;
}
/// Returns the largest error. The value's error is relative to the value. The gradients' errors are
/// relative to the largest gradient, because the gradients of the scores mostly cancel. With a
/// single key, the weight is 1, and the gradients of the scores cancel completely.
auto error_of(const results& got, const results& should) -> double {
  double error = 0, scale = 0;
  for (std::size_t i = 1; i < should.size(); ++i) {
    error = std::max(error, (got[i].to(at::kDouble) - should[i]).norm().item<double>());
    scale = std::max(scale, should[i].norm().item<double>());
  }
  return std::max(error / scale, ((got[0].to(at::kDouble) - should[0]).norm() / should[0].norm()).item<double>());
}

/// Returns random rows of `width` elements in one of three layouts: contiguous; slices of wider
/// rows, as the heads of attention are; or transposed.
auto stack(std::int64_t samples, std::int64_t heads, std::int64_t rows, std::int64_t width) -> at::Tensor {
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return at::randn({samples, rows, heads, width}, at::kDouble).transpose(1, 2);
    case 1: return at::randn({samples, heads, width, rows}, at::kDouble).mT();
    default: return at::randn({samples, heads, rows, width}, at::kDouble);
  }
}

}  // namespace attention_in_blocks

TEST_CASE("attention") {
  const auto f = [](const auto& q, const auto& k, const auto& v) { return attention(q, k, v); };
  const auto g = [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    return attention_in_blocks::by_libtorch(q, k, v, false);
  };
  SECTION("plain") {
    for (const auto n : {0, 1, 3, 8})
      check(f, g, per_sample(normal({n, 4, 3})), per_sample(normal({n, 5, 3})), per_sample(normal({n, 5, 2})));
    check(f, g, per_sample(normal({2, 5, 4, 3}), 1), per_sample(normal({2, 5, 3, 3}), 1),
          per_sample(normal({2, 5, 3, 4}), 1));
    check(f, g, whole(normal({4, 3})), whole(normal({5, 3})), whole(normal({5, 2})));
    // Only the queries have samples.
    check(f, g, per_sample(normal({2, 5, 3}), 1), whole(normal({2, 4, 3})), whole(normal({2, 4, 2})));
    // Only the keys and values have samples.
    check(f, g, whole(normal({2, 2, 3})), per_sample(normal({2, 5, 3}), 1), per_sample(normal({2, 5, 2}), 1));
    check_typed(f, g, std::pair{input<batch, 4, 3>{}, normal({5, 4, 3}).to(at::kFloat)},
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)},
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
  }
  SECTION("nothing to attend to, nothing that attends, nothing to compare, no values") {
    const auto none = [](const at::Tensor& q, const at::Tensor&, const at::Tensor& v) {
      return at::zeros({q.size(0), q.size(1), v.size(2)}, q.options());
    };
    check(ask{.gradients = false}, f, none, per_sample(normal({3, 4, 3})), per_sample(normal({3, 0, 3})),
          per_sample(normal({3, 0, 2})));
    check(f, g, per_sample(normal({3, 0, 3})), per_sample(normal({3, 4, 3})), per_sample(normal({3, 4, 2})));
    check(
        ask{.gradients = false}, f,
        [](const at::Tensor& q, const at::Tensor&, const at::Tensor& v) {
          return v.mean(1, true).expand({v.size(0), q.size(1), v.size(2)});
        },
        per_sample(normal({3, 4, 0})), per_sample(normal({3, 5, 0})), per_sample(normal({3, 5, 2})));
    check(f, g, per_sample(normal({3, 4, 3})), per_sample(normal({3, 5, 3})), per_sample(normal({3, 5, 0})));
  }
  SECTION("causal, scaled") {
    for (const int keys : {2, 4, 6})
      check(
          [](const auto& q, const auto& k, const auto& v) { return attention(q, k, v, is_causal = true, scale = 0.3); },
          [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
            return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, {}, 0, true, {}, 0.3));
          },
          per_sample(normal({5, 4, 3})), per_sample(normal({5, keys, 3})), per_sample(normal({5, keys, 2})));
  }
  SECTION("16 bits, computed in float32") {
    for (const auto type : {at::kHalf, at::kBFloat16}) {
      if (detail::by_operators_only) continue;  // LibTorch's operators round every step
      const bound q = leaf(normal({5, 4, 3}).to(type), 0), k = leaf(normal({5, 6, 3}).to(type), 0),
                  v = leaf(normal({5, 6, 2}).to(type), 0);
      compare({}, f(q.leaf, k.leaf, v.leaf), f(q.value, k.value, v.value),
              [](const auto& x) {
                return attention_in_blocks::by_libtorch(x[0].to(at::kFloat), x[1].to(at::kFloat), x[2].to(at::kFloat),
                                                        false)
                    .to(x[0].scalar_type());
              },
              {q, k, v}, {.gradients = false});
    }
  }
  SECTION("refused") {
    const at::Tensor x = at::rand({2, 4, 3}), narrow = at::rand({2, 4, 2}), one = at::rand({1, 4, 3});
    refused([&] { attention(x, narrow, x); },
            "attention: [2, 4, 3] x [2, 4, 2] x [2, 4, 3]: embedding dimensions differ");
    refused([&] { attention(x, one, one); }, "attention: [2, 4, 3] x [1, 4, 3] x [1, 4, 3]: batch dimensions differ");
    refused([&] { attention(x, x[0], x[0]); }, "attention: [2, 4, 3] x [4, 3] x [4, 3]: batch dimensions differ");
  }
}

TEST_CASE("attention's weights: exp(-x), as exact as what they are added to, and 0 where that is no normal number") {
  for (float x = 0; x <= 87; x += 0.0137F) {
    CAPTURE(x);
    CHECK(std::abs(detail::weight_of(x) - std::exp(-static_cast<double>(x))) < 1e-7);
    CHECK(detail::weight_of(x) > 0);
  }
  CHECK(detail::weight_of(0.0F) == 1);
  for (const float x : {87.1F, 1e4F, std::numeric_limits<float>::infinity()}) CHECK(detail::weight_of(x) == 0);
  CHECK(std::isnan(detail::weight_of(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("attention in blocks: any extents, however the operands lie, whatever the threads and the chunk") {
  using namespace attention_in_blocks;
  const int threads = at::get_num_threads();
  CHECK(rc::check("as LibTorch in float64", [] {
    at::manual_seed(*rc::gen::inRange<std::uint64_t>(0, 1'000'000));
    const auto one_of = [](auto... n) { return *rc::gen::element<std::int64_t>(n...); };
    const std::int64_t samples = one_of(1, 3), heads = one_of(1, 2), l = one_of(1, 15, 64, 65, 130),
                       e = one_of(1, 8, 33);
    const std::int64_t s = one_of(1, 16, 128, 129, 300, 1100), w = one_of(1, 8, 33);
    const bool causal = *rc::gen::arbitrary<bool>();
    const std::array<at::Tensor, 3> x{stack(samples, heads, l, e), stack(samples, heads, s, e),
                                      stack(samples, heads, s, w)};
    const std::array<at::Tensor, 3> rounded{x[0].to(at::kFloat), x[1].to(at::kFloat), x[2].to(at::kFloat)};
    const results want = wanted(x, causal), of_rounded = wanted(rounded, causal);
    results first;
    for (const index_t chunk : {samples, index_t{1}})
      for (const int n : {1, 3}) {
        at::set_num_threads(n);
        const results exact = got(x, causal, chunk), single = got(rounded, causal, chunk);
        RC_ASSERT(error_of(exact, want) <= 1e-12);
        RC_ASSERT(error_of(single, of_rounded) <= 1e-5);
        for (std::size_t i = 0; i < first.size(); ++i)
          if (detail::has_brgemm() && !detail::by_operators_only) RC_ASSERT(at::equal(single[i], first[i]));
        if (first.empty()) first = single;
      }
  }));
  at::set_num_threads(threads);
}

TEST_CASE("attention: what is no number or infinite spreads as far as it does in the composed form") {
  const std::int64_t l = 70, s = 140;
  const auto composed = [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    return q.mul(0.5).matmul(k.mT()).softmax(-1).matmul(v);
  };
  const at::Tensor q = normal({2, l, 4}).to(at::kFloat), k = normal({2, s, 4}).to(at::kFloat),
                   v = normal({2, s, 3}).to(at::kFloat);
  for (const float odd : {NAN, INFINITY, -INFINITY})
    for (const int which : {0, 1, 2}) {
      CAPTURE(odd, which);
      std::array<at::Tensor, 3> x{q.clone(), k.clone(), v.clone()};
      x[static_cast<std::size_t>(which)][1][65][2] = odd;
      CHECK(at::allclose(attention(x[0], x[1], x[2], scale = 0.5), composed(x[0], x[1], x[2]), 1e-5, 1e-5, true));
    }
  // First all scores of the first block of keys are minus infinity, then the scores of all blocks.
  at::Tensor far = k.clone(), ones = q.abs();
  far.narrow(1, 0, 130).fill_(-INFINITY);
  CHECK(at::allclose(attention(ones, far, v, scale = 0.5), composed(ones, far, v), 1e-5, 1e-5, true));
  far.fill_(-INFINITY);
  CHECK(attention(ones, far, v, scale = 0.5).isnan().all().item<bool>());
  // A causal call skips blocks of keys that lie after all queries. Large scores do not overflow.
  at::Tensor later = v.clone();
  later.narrow(1, 128, s - 128).fill_(NAN);
  if (!detail::by_operators_only) CHECK(attention(q, k, later, is_causal = true).isfinite().all().item<bool>());
  CHECK(at::allclose(attention(q * 1e4, k, v, scale = 0.5), composed(q * 1e4, k, v), 1e-5, 1e-5));
}

namespace masked {

/// Converts a boolean mask to a mask that is added to the scores, because LibTorch's operator
/// accepts no boolean mask here.
auto added(const at::Tensor& mask) -> at::Tensor {
  if (mask.scalar_type() != at::kBool) return mask;
  return at::zeros(mask.sizes(), at::kDouble).masked_fill(mask.logical_not(), -INFINITY);
}
auto by_libtorch(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask) -> at::Tensor {
  return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, added(mask).to(q.scalar_type())));
}
/// Attention by its definition, with scores scaled by 1 / sqrt(e). If all keys of a query are
/// masked, the query's result is zero.
auto composed(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, bool causal)
    -> at::Tensor {
  at::Tensor s = q.matmul(k.mT()) / std::sqrt(q.size(-1));
  if (causal) s = s.masked_fill(at::ones({s.size(-2), s.size(-1)}, at::kBool).triu(1), -INFINITY);
  s = mask.scalar_type() == at::kBool ? s.masked_fill(mask.logical_not(), -INFINITY) : s + mask;
  const at::Tensor hidden = s.eq(-INFINITY).all(-1, true);
  return s.masked_fill(hidden, 0).softmax(-1).masked_fill(hidden, 0).matmul(v);
}

}  // namespace masked

TEST_CASE("attention with a mask") {
  const auto f = [](const auto& q, const auto& k, const auto& v, const auto& mask) { return attention(q, k, v, mask); };
  const auto g = [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask) {
    return masked::by_libtorch(q, k, v, mask);
  };
  SECTION("boolean, of each sample, of all, of fewer dims; and added, with its gradient") {
    const operand q = per_sample(normal({5, 4, 3})), k = per_sample(normal({5, 3, 3})),
                  v = per_sample(normal({5, 3, 2}));
    at::Tensor mask = normal({5, 4, 3}) > 0;
    mask.select(2, 0).fill_(true);
    check(f, g, q, k, v, per_sample(mask));
    check(f, g, q, k, v, per_sample(mask.narrow(1, 1, 1)));
    check(f, g, q, k, v, whole(mask[1]));
    check(f, g, q, k, v, whole(mask.narrow(0, 2, 1)));
    check(f, g, q, k, v, whole(mask[0][0]));
    check(f, g, q, k, v, per_sample(normal({5, 4, 3})));
    check(f, g, q, k, v, per_sample(normal({5, 1, 3})));
    check(f, g, q, k, v, whole(normal({4, 3})));
    // A mask that adds the same number to all scores of a query has no effect.
    check(ask{.gradients = false}, f, g, q, k, v, whole(normal({4, 1})));
    check(ask{.gradients = false}, f, g, q, k, v, whole(normal({})));
  }
  SECTION("samples in another dim, in none, in the mask alone") {
    check(f, g, per_sample(normal({2, 5, 4, 3}), 1), per_sample(normal({2, 5, 3, 3}), 1),
          per_sample(normal({2, 5, 3, 4}), 1), per_sample(normal({5, 1, 3})));
    check(f, g, whole(normal({4, 3})), whole(normal({5, 3})), whole(normal({5, 2})), whole(normal({4, 5})));
    check(f, g, per_sample(normal({2, 5, 3}), 1), whole(normal({2, 4, 3})), whole(normal({2, 4, 2})),
          per_sample(normal({2, 5, 4}), 1));
    for (const auto n : {0, 1, 8})
      check(f, g, per_sample(normal({n, 2, 3})), per_sample(normal({n, 4, 3})), per_sample(normal({n, 4, 2})),
            per_sample(normal({n, 1, 4})));
  }
  SECTION("a query without keys gives zeros, and so do their gradients") {
    const auto want = [](const auto& q, const auto& k, const auto& v, const auto& mask) {
      return masked::composed(q, k, v, mask, false);
    };
    const operand q = per_sample(normal({5, 4, 3})), k = per_sample(normal({5, 3, 3})),
                  v = per_sample(normal({5, 3, 2}));
    at::Tensor hides = normal({5, 4, 3}) > 0;
    hides[2].fill_(false), hides[0].fill_(true);
    check(f, want, q, k, v, per_sample(hides));
    at::Tensor is_sum = normal({4, 3});
    is_sum[2] = -INFINITY, is_sum[1][0] = -INFINITY;
    check(ask{.twice = false}, f, want, q, k, v, whole(is_sum));
    const auto none = [](const at::Tensor& a, const at::Tensor&, const at::Tensor& c, const at::Tensor&) {
      return at::zeros({a.size(0), a.size(1), c.size(2)}, a.options());
    };
    check(ask{.gradients = false}, f, none, per_sample(normal({2, 4, 3})), per_sample(normal({2, 0, 3})),
          per_sample(normal({2, 0, 3})), whole(normal({4, 0})));
  }
  SECTION("causal, scaled") {
    check([](const auto& q, const auto& k, const auto& v,
             const auto& mask) { return attention(q, k, v, mask, is_causal = true, scale = 1 / std::sqrt(3.0)); },
          [](const auto& q, const auto& k, const auto& v, const auto& mask) {
            return masked::composed(q, k, v, mask, true);
          },
          per_sample(normal({5, 4, 3})), per_sample(normal({5, 6, 3})), per_sample(normal({5, 6, 2})),
          whole(normal({4, 6}) > 0));
  }
  SECTION("16 bits, computed in float32") {
    for (const auto type : {at::kHalf, at::kBFloat16}) {
      if (detail::by_operators_only) continue;  // LibTorch's operators round every step
      const bound q = leaf(normal({5, 4, 3}).to(type), 0), k = leaf(normal({5, 6, 3}).to(type), 0),
                  v = leaf(normal({5, 6, 2}).to(type), 0), mask = leaf(normal({5, 4, 6}).to(type), 0);
      compare({}, f(q.leaf, k.leaf, v.leaf, mask.leaf), f(q.value, k.value, v.value, mask.value),
              [](const auto& x) {
                return masked::composed(x[0].to(at::kFloat), x[1].to(at::kFloat), x[2].to(at::kFloat),
                                        x[3].to(at::kFloat), false)
                    .to(x[0].scalar_type());
              },
              {q, k, v, mask}, {.gradients = false});
    }
  }
  SECTION("refused") {
    const at::Tensor x = at::rand({2, 4, 3}), one = at::rand({1, 4, 3}), square = at::rand({4, 4}),
                     flat = at::rand({4, 3}), more = at::rand({3, 2, 4, 4}), numbers = at::ones({4, 4}, at::kLong);
    const std::string name = "attention: [2, 4, 3] x ";
    refused([&] { attention(x, one, one, square); }, name + "[1, 4, 3] x [1, 4, 3] x [4, 4]: batch dimensions differ");
    refused([&] { attention(x, x, x, flat); }, name + "[2, 4, 3] x [2, 4, 3] x [4, 3]: not broadcastable");
    refused([&] { attention(x, x, x, more); }, name + "[2, 4, 3] x [2, 4, 3] x [3, 2, 4, 4]: not broadcastable");
    refused([&] { attention(x, x, x, numbers); },
            name + "[2, 4, 3] x [2, 4, 3] x int64[4, 4]: the mask is not of booleans");
  }
}

TEST_CASE(
    "attention with a mask in blocks: any extents, however the mask lies, and nothing of the size of the scores") {
  CHECK(rc::check("as its definition in float64", [] {
    at::manual_seed(*rc::gen::inRange<std::uint64_t>(0, 1'000'000));
    const auto one_of = [](auto... n) { return *rc::gen::element<std::int64_t>(n...); };
    const std::int64_t samples = one_of(1, 3), heads = one_of(1, 2), l = one_of(1, 15, 64, 65, 130),
                       e = one_of(1, 8, 33);
    const std::int64_t s = one_of(1, 16, 128, 129, 300, 1100), w = one_of(1, 8, 33);
    const bool causal = *rc::gen::arbitrary<bool>(), boolean = *rc::gen::arbitrary<bool>();
    const at::Tensor q = at::randn({samples, heads, l, e}, at::kDouble),
                     k = at::randn({samples, heads, s, e}, at::kDouble),
                     v = at::randn({samples, heads, s, w}, at::kDouble);
    at::Tensor mask = at::randn({one_of(1, samples), one_of(1, heads), one_of(1, l), s}, at::kDouble);
    if (*rc::gen::arbitrary<bool>()) mask = mask.transpose(2, 3).contiguous().transpose(2, 3);
    if (*rc::gen::arbitrary<bool>()) mask = mask[0];
    if (boolean) mask = mask > 0;
    std::array<at::Tensor, 3> own{q.clone().requires_grad_(), k.clone().requires_grad_(), v.clone().requires_grad_()};
    const at::Tensor y = masked::composed(own[0], own[1], own[2], mask, causal);
    (y + 3).square().sum().backward();
    for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
      const bool narrow = type == at::kHalf || type == at::kBFloat16;
      if (narrow && detail::by_operators_only) continue;  // LibTorch's operators round every step
      const double most = type == at::kDouble ? 1e-12 : narrow ? 3e-2 : 1e-5;
      const bound a = leaf(q.to(type), 0), b = leaf(k.to(type), 0), c = leaf(v.to(type), 0);
      const at::Tensor m = boolean ? mask : mask.to(type);
      const anything x = let(attention(a.leaf, b.leaf, c.leaf, m, is_causal = causal));
      const auto loss = sum(square(add(x, 3)));
      for (const index_t chunk : {samples, index_t{1}}) {
        const options o{.memory = 1_GiB, .chunk = chunk};
        // Compares gradients relative to the largest gradient. With a single key the weight is 1,
        // and the gradients of the scores cancel completely.
        const auto take = [&](const auto& expression, const at::Tensor& want, double largest) {
          const binding<at::Tensor> of_q{a.leaf.state, a.value}, of_k{b.leaf.state, b.value},
              of_v{c.leaf.state, c.value};
          const memory_plan p = plan(expression, o, of_q, of_k, of_v);
          const bench::measure now;
          const at::Tensor got = run(expression, o, of_q, of_k, of_v);
          RC_ASSERT(now.peak() == p.peak_bytes() || detail::by_operators_only);
          RC_ASSERT((got.to(at::kDouble) - want).norm().item<double>() <= most * largest);
        };
        take(x, y.detach(), y.norm().item<double>());
        double largest = 0;
        for (const at::Tensor& t : own) largest = std::max(largest, t.grad().norm().item<double>());
        take(gradient(loss, a.leaf), own[0].grad(), largest);
        take(gradient(loss, b.leaf), own[1].grad(), largest);
        take(gradient(loss, c.leaf), own[2].grad(), largest);
      }
    }
  }));
  // The scores of 1,024 queries and keys would take 4 MiB.
  const input<batch, 1024, 8> x{"x"};
  const at::Tensor t = at::randn({1, 1024, 8}), mask = at::ones({1024}, at::kBool);
  CHECK(plan(scaled_dot_product_attention(x, x, x, mask), x = t).peak_bytes() < 1_MiB);
  CHECK(plan(gradient(sum(scaled_dot_product_attention(x, x, x, mask)), x), x = t).peak_bytes() < 2_MiB);
}

TEST_CASE("attention with a mask: what a boolean mask hides may be no number") {
  if (detail::by_operators_only) return;
  const at::Tensor q = normal({2, 70, 4}).to(at::kFloat), v = normal({2, 140, 3}).to(at::kFloat);
  at::Tensor k = normal({2, 140, 4}).to(at::kFloat), mask = at::ones({140}, at::kBool);
  const at::Tensor want = attention(q, k.narrow(1, 0, 139), v.narrow(1, 0, 139), mask.narrow(0, 0, 139));
  for (const float odd : {NAN, INFINITY}) {
    k.select(1, 139).fill_(odd), mask[139] = false;
    CHECK(at::allclose(attention(q, k, v, mask), want, 1e-5, 1e-5));
  }
}

}  // namespace koila::test
