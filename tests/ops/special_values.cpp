// SPDX-License-Identifier: MIT
// Compares many ops with LibTorch's: gradients for infinite, NaN and zero operands, and values and
// gradients for an empty batch.
#include "check.hpp"

namespace koila::test {

namespace {

/// All pairs of special and ordinary values.
struct special_pairs {
  at::Tensor a, b;
  special_pairs() {
    const double inf = INFINITY, nan = NAN;
    const at::Tensor v = at::tensor({inf, -inf, nan, 0.0, 1.0, -2.0, 0.5}, at::kDouble);
    a = v.repeat({7});
    b = v.repeat_interleave(7);
  }
};

constexpr ask once{.twice = false, .quotients = false};

template <class F, class G>
void check_pairs(const char* name, const F& f, const G& g) {
  const special_pairs p;
  INFO(name);
  check(once, f, g, per_sample(p.a), per_sample(p.b));
}
/// Compares `f` of rows of seven elements with `g`. Each row has different special values.
template <class F, class G>
void check_rows(const char* name, const F& f, const G& g) {
  const double inf = INFINITY, nan = NAN;
  at::Tensor rows = normal({9, 7});
  const double special[] = {inf, -inf, nan, 0.0};
  for (int r = 0; r < 8; ++r) {
    rows[r][r % 7] = special[r % 4];
    if (r >= 4) rows[r][(r + 3) % 7] = special[(r + 1) % 4];
  }
  INFO(name);
  check(once, f, g, per_sample(rows));
}

}  // namespace

TEST_CASE("gradients of infinities and NaN are LibTorch's: masks choose, they do not multiply") {
  using at::Tensor;
#define KOILA_PAIRS(ours, theirs)                               \
  check_pairs(                                                  \
      #ours, [](const auto& a, const auto& b) { return ours; }, \
      [](const Tensor& a, const Tensor& b) { return theirs; })
  KOILA_PAIRS(maximum(a, b), at::maximum(a, b));
  KOILA_PAIRS(minimum(a, b), at::minimum(a, b));
  KOILA_PAIRS(fmax(a, b), at::fmax(a, b));
  KOILA_PAIRS(fmin(a, b), at::fmin(a, b));
  KOILA_PAIRS(mul(a, b), a * b);
  KOILA_PAIRS(koila::div(a, b), a / b);
  KOILA_PAIRS(clamp(a, b, 1), at::clamp(a, b, at::ones({}, a.options())));
  KOILA_PAIRS(clamp_min(a, b), at::clamp_min(a, b));
  KOILA_PAIRS(clamp_max(a, b), at::clamp_max(a, b));
  KOILA_PAIRS(where(gt(a, 0), a, b), at::where(a > 0, a, b));
  KOILA_PAIRS(where(gt(a, 0), a * b, b), at::where(a > 0, a * b, b));
  KOILA_PAIRS(masked_fill(a, gt(b, 0), 2), at::masked_fill(a, b > 0, 2));
  KOILA_PAIRS(l1_loss(a, b, reduction = kNone), at::l1_loss(a, b, at::Reduction::None));
  KOILA_PAIRS(mse_loss(a, b, reduction = kNone), at::mse_loss(a, b, at::Reduction::None));
  KOILA_PAIRS(smooth_l1_loss(a, b, reduction = kNone), at::smooth_l1_loss(a, b, at::Reduction::None));
  KOILA_PAIRS(huber_loss(a, b, reduction = kNone), at::huber_loss(a, b, at::Reduction::None));
  KOILA_PAIRS(hinge_embedding_loss(a, b, reduction = kNone), at::hinge_embedding_loss(a, b, 1, at::Reduction::None));
  KOILA_PAIRS(prelu(unsqueeze(a, 1), narrow(detach(b), 0, 0, 1)),
              at::prelu(a.unsqueeze(1), b.detach().narrow(0, 0, 1)));
#undef KOILA_PAIRS
#define KOILA_ROWS(ours, theirs) \
  check_rows(#ours, [](const auto& x) { return ours; }, [](const Tensor& x) { return theirs; })
  KOILA_ROWS(amax(x, 1), at::amax(x, 1));
  KOILA_ROWS(amin(x, 1), at::amin(x, 1));
  KOILA_ROWS(std::get<0>(max(x, 1)), std::get<0>(at::max(x, 1)));
  KOILA_ROWS(std::get<0>(min(x, 1)), std::get<0>(at::min(x, 1)));
  KOILA_ROWS(sum(x, 1), x.sum(1));
  KOILA_ROWS(mean(x, 1), x.mean(1));
  KOILA_ROWS(cumsum(x, 1), at::cumsum(x, 1));
  KOILA_ROWS(var(x, 1), x.var(1));
  KOILA_ROWS(norm(x, 1, 1), at::norm(x, 1, {1}));
  KOILA_ROWS(norm(x, 2, 1), at::norm(x, 2, {1}));
  KOILA_ROWS(softmax(x, 1), at::softmax(x, 1));
  KOILA_ROWS(log_softmax(x, 1), at::log_softmax(x, 1));
  KOILA_ROWS(logsumexp(x, 1), at::logsumexp(x, 1));
  KOILA_ROWS(relu(x) * x, at::relu(x) * x);
  KOILA_ROWS(leaky_relu(x) * x, at::leaky_relu(x) * x);
  KOILA_ROWS(triu(x), at::triu(x));
  KOILA_ROWS(max_pool1d(unsqueeze(x, 1), 2), at::max_pool1d(x.unsqueeze(1), 2));
  KOILA_ROWS(x * layer_norm(x, list_of(7)), x * at::layer_norm(x, {7}));
  KOILA_ROWS(x * rms_norm(x, list_of(7), eps = 1e-5), x * at::rms_norm(x, {7}, {}, 1e-5));
#undef KOILA_ROWS
}

TEST_CASE("trials H5: no samples have LibTorch's values and gradients, of weights too") {
  const ask what{.twice = false, .quotients = false};
  const operand w = whole(normal({4})), b = whole(normal({4}));
  const auto check_of = [&](const char* name, const auto& f, const auto& g, const auto&... xs) {
    INFO(name);
    check(what, f, g, xs...);
  };
  for (const std::int64_t n : {0}) {
    const operand x = per_sample(normal({n, 4, 3})), flat = per_sample(normal({n, 4}));
    check_of(
        "group_norm", [](const auto& x, const auto& w, const auto& b) { return group_norm(x, w, b, num_groups = 2); },
        [](const auto& x, const auto& w, const auto& b) { return at::group_norm(x, 2, w, b); }, x, w, b);
    check_of(
        "batch_norm", [](const auto& x, const auto& w, const auto& b) { return batch_norm(x, w, b); },
        [](const auto& x, const auto& w, const auto& b) {
          return at::batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
        },
        x, w, b);
    check_of(
        "layer_norm", [](const auto& x, const auto& w, const auto& b) { return layer_norm(x, w, b); },
        [](const auto& x, const auto& w, const auto& b) { return at::layer_norm(x, {4}, w, b); }, flat, w, b);
    check_of(
        "layer_norm without a bias", [](const auto& x, const auto& w) { return layer_norm(x, w); },
        [](const auto& x, const auto& w) { return at::layer_norm(x, {4}, w); }, flat, w);
    check_of(
        "rms_norm", [](const auto& x, const auto& w) { return rms_norm(x, w, eps = 1e-5); },
        [](const auto& x, const auto& w) { return at::rms_norm(x, {4}, w, 1e-5); }, flat, w);
    check_of(
        "prelu", [](const auto& x, const auto& w) { return prelu(x, w); },
        [](const auto& x, const auto& w) { return at::prelu(x, w); }, x, w);
    check_of(
        "linear",
        [](const auto& x, const auto& w, const auto& b) { return linear(x, unsqueeze(w, 0), narrow(b, 0, 0, 1)); },
        [](const auto& x, const auto& w, const auto& b) { return at::linear(x, w.unsqueeze(0), b.narrow(0, 0, 1)); },
        flat, w, b);
    check_of(
        "softmax", [](const auto& x, const auto& w) { return sum(softmax(x * w, -1)); },
        [](const auto& x, const auto& w) { return at::softmax(x * w, -1).sum(); }, flat, w);
    check_of(
        "mse_loss", [](const auto& x, const auto& w) { return mse_loss(x, x * w, reduction = kSum); },
        [](const auto& x, const auto& w) { return at::mse_loss(x, x * w, at::Reduction::Sum); }, flat, w);
    check_of(
        "norm", [](const auto& x, const auto& w) { return norm(x * w); },
        [](const auto& x, const auto& w) { return at::norm(x * w); }, flat, w);
    check_of(
        "cosine_similarity", [](const auto& x, const auto& w) { return cosine_similarity(x, x * w); },
        [](const auto& x, const auto& w) { return at::cosine_similarity(x, x * w, 1, 1e-8); }, flat, w);
  }
}

TEST_CASE("rows with NaN and infinities have the same bits whatever the chunk") {
  const at::Tensor rows = [] {
    at::Tensor t = normal({23, 6, 5});
    const double special[] = {INFINITY, -INFINITY, NAN, -0.0, 5e-324, 1e300};
    for (int r = 0; r < 23; ++r) t[r][r % 6][r % 5] = special[r % 6];
    return t;
  }();
  const auto bits = [](const at::Tensor& t) { return at::where(at::isnan(t), 7777, t); };
  const auto check_bits = [&](const char* name, const auto& f) {
    for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
      INFO(name << " of " << type);
      const at::Tensor t = rows.to(type);
      const bound x = leaf(t, 0);
      const auto y = f(x.leaf);
      const auto dx = gradient(sum(to<float64>(anything(y))), x.leaf);
      const binding<at::Tensor> given{x.leaf.state, t};
      const at::Tensor whole = run(y, options{.chunk = 23}, given), slope = run(dx, options{.chunk = 23}, given);
      for (const index_t chunk : {1, 2, 5, 16}) {
        CHECK(at::equal(bits(run(y, options{.chunk = chunk}, given)), bits(whole)));
        CHECK(at::equal(bits(run(dx, options{.chunk = chunk}, given)), bits(slope)));
      }
    }
  };
#define KOILA_BITS(...) check_bits(#__VA_ARGS__, [](const auto& x) { return __VA_ARGS__; })
  KOILA_BITS(softmax(x, -1));
  KOILA_BITS(softmax(x, 1));
  KOILA_BITS(log_softmax(x, -1));
  KOILA_BITS(logsumexp(x, -1));
  KOILA_BITS(layer_norm(x, list_of(5)));
  KOILA_BITS(rms_norm(x, list_of(5)));
  KOILA_BITS(group_norm(x, num_groups = 3));
  KOILA_BITS(instance_norm(x));
  KOILA_BITS(sum(x, -1));
  KOILA_BITS(sum(x, 1));
  KOILA_BITS(mean(x, -1));
  KOILA_BITS(var(x, -1));
  KOILA_BITS(norm(x, 2, -1));
  KOILA_BITS(amax(x, -1));
  KOILA_BITS(amin(x, 1));
  KOILA_BITS(prod(x, -1));
  KOILA_BITS(cumsum(x, -1));
  KOILA_BITS(cumprod(x, -1));
  KOILA_BITS(max_pool1d(x, 2));
  KOILA_BITS(avg_pool1d(x, 2));
  KOILA_BITS(std::get<0>(sort(x, -1)));
#undef KOILA_BITS
}

}  // namespace koila::test
