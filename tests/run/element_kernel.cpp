// SPDX-License-Identifier: MIT
// The kernels of element-wise values compute LibTorch's results, for any memory layout of the
// operands.
#include "float32_bound.hpp"
#include "instructions.hpp"
#include "run/support.hpp"

#include <rapidcheck.h>

using namespace koila;
using namespace ::test;

namespace {

constexpr koila::detail::instructions all_sets[] = {
    koila::detail::instructions::baseline, koila::detail::instructions::avx2, koila::detail::instructions::avx512};

/// Returns a random tensor that broadcasts to these sizes. Some dims may have extent 1 or be
/// missing, and the memory order may be reversed or have gaps.
auto operand(const std::vector<std::int64_t>& sizes, at::ScalarType type) -> at::Tensor {
  std::vector<std::int64_t> own = sizes;
  for (auto& n : own)
    if (*rc::gen::inRange(0, 4) == 0) n = 1;
  if (!own.empty() && *rc::gen::inRange(0, 4) == 0)
    own.erase(own.begin(),
              own.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(own.size()) + 1));
  switch (*rc::gen::inRange(0, 4)) {
    case 0: {
      std::vector<std::int64_t> back(own.rbegin(), own.rend()), order;
      for (std::size_t i = own.size(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
      return at::randn(back, type).permute(order);
    }
    case 1: {
      if (own.empty()) return at::randn({}, type);
      std::vector<std::int64_t> wide = own;
      wide.back() *= 2;
      return at::randn(wide, type).slice(-1, 0, wide.back(), 2);
    }
    default: return at::randn(own, type);
  }
}

auto some_sizes() -> std::vector<std::int64_t> {
  const int rank = *rc::gen::inRange(0, 5);
  std::vector<std::int64_t> sizes;
  std::int64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    const std::int64_t n = *rc::gen::element<std::int64_t>(0, 1, 2, 3, 7, 64, 130, 257, 1000);
    sizes.push_back(count * n > 200'000 ? 2 : n);
    count *= std::max<std::int64_t>(1, sizes.back());  // operands that broadcast a dim of extent 0 are not empty
  }
  return sizes;
}

/// A lazy expression of three operands. Most of the expression is one kernel with inner values that
/// no other kernel reads. Two values are read twice.
auto expression(const auto& a, const auto& b, const auto& c) {
  const auto t = a * b + c;
  const auto s = maximum(relu(t), minimum(c, b)) - square(a) * 0.5;
  return addcmul(s, abs(t), b, 0.25) / (square(s) + 1.0) + sqrt(abs(a * c) + 1.0) * leaky_relu(t - c, 0.1) -
         reciprocal(square(c) + 2.0) * -b;
}
auto reference(const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) -> at::Tensor {
  const at::Tensor t = a * b + c;
  const at::Tensor s = at::maximum(at::relu(t), at::minimum(c, b)) - at::square(a) * 0.5;
  return at::addcmul(s, at::abs(t), b, 0.25) / (at::square(s) + 1.0) +
         at::sqrt(at::abs(a * c) + 1.0) * at::leaky_relu(t - c, 0.1) - at::reciprocal(at::square(c) + 2.0) * -b;
}

}  // namespace

TEST_CASE("kernels of elements: operands broadcast, reversed, spread, empty, of every instruction set") {
  for (const auto set : all_sets) {
    const while_set limit(koila::detail::most_instructions, set);
    CHECK(rc::check("float64 and float32", [] {
      const auto sizes = some_sizes();
      for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
        const at::Tensor a = operand(sizes, type), b = operand(sizes, type), c = operand(sizes, type);
        const at::Tensor y = run(expression(lazy(a), lazy(b), lazy(c)));
        const at::Tensor want = reference(a.to(at::kDouble), b.to(at::kDouble), c.to(at::kDouble));
        RC_ASSERT(y.sizes() == want.sizes());
        const double bound = type == at::kDouble ? 1e-12 : 1e-4;  // terms are up to 100, but their sum may be small
        RC_ASSERT(at::allclose(y.to(at::kDouble), want, bound, bound));
      }
    }));
  }
}

TEST_CASE("kernels of elements: of 16 bits each value is rounded, as LibTorch's operators round it") {
  const auto some = [](const auto& a, const auto& b, const auto& c) {
    const auto t = relu(a * b + c) - c;
    return maximum(t, square(a) * 0.5) / (square(t) + 1) + leaky_relu(t * b, 0.25) * sqrt(abs(t)) -
           reciprocal(square(c) + 2);
  };
  const auto theirs = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
    const at::Tensor t = at::relu(a * b + c) - c;
    return at::maximum(t, at::square(a) * 0.5) / (at::square(t) + 1) +
           at::leaky_relu(t * b, 0.25) * at::sqrt(at::abs(t)) - at::reciprocal(at::square(c) + 2);
  };
  for (const auto set : all_sets) {
    const while_set limit(koila::detail::most_instructions, set);
    CHECK(rc::check("bfloat16 and float16", [&] {
      const auto sizes = some_sizes();
      for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        const at::Tensor a = operand(sizes, type), b = operand(sizes, type), c = operand(sizes, type);
        const at::Tensor y = run(some(lazy(a), lazy(b), lazy(c)));
        RC_ASSERT(y.scalar_type() == type);
        RC_ASSERT(at::equal(y, theirs(a, b, c)));
      }
    }));
    for (const at::ScalarType type :
         // For every 16-bit number x, the kernel computes x * x + x.
         {at::kBFloat16, at::kHalf}) {
      const at::Tensor x = at::arange(65536, at::kInt).sub(32768).to(at::kShort).view(type);
      const at::Tensor y = run(square(lazy(x)) + lazy(x)), want = at::square(x) + x;
      CHECK(at::allclose(y.to(at::kDouble), want.to(at::kDouble), 0, 0, true));
    }
  }
}

TEST_CASE("kernels of elements: numbers beside 16 bits, which hold them or not") {
  STATIC_REQUIRE((is_one_of_16_bits(dtype::bfloat16, 1.5) && is_one_of_16_bits(dtype::bfloat16, -0x1p100)));
  STATIC_REQUIRE((is_one_of_16_bits(dtype::float16, 65504) && is_one_of_16_bits(dtype::float16, 0)));
  STATIC_REQUIRE((!is_one_of_16_bits(dtype::bfloat16, 0.1) && !is_one_of_16_bits(dtype::bfloat16, 257)));
  STATIC_REQUIRE((!is_one_of_16_bits(dtype::float16, 70000) && !is_one_of_16_bits(dtype::float16, 2049)));
  STATIC_REQUIRE((!is_one_of_16_bits(dtype::float16, 1e300) && !is_one_of_16_bits(dtype::bfloat16, 1 + 0x1p-40)));
  for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
    const at::Tensor x = at::randn({40, 7}, type).abs() + 0.25;
    const auto y = lazy(x);
    for (const double n : {0.1, 3.0, 0.5, 300.0, 70000.0}) {
      CAPTURE(n);
      CHECK(at::equal(run(relu(y * n) - y), at::relu(x * n) - x));
      CHECK(at::equal(run(relu(y - n) * y), at::relu(x - n) * x));
      CHECK(at::equal(run(relu(y / n) + y), at::relu(x / n) + x));
    }
    for (const int n : {2, 257, -3}) {
      CAPTURE(n);
      CHECK(at::equal(run(relu(y * n) - y), at::relu(x * n) - x));
      CHECK(at::equal(run(relu(n - y) * y), at::relu(n - x) * x));
    }
  }
  const input<bfloat16, batch, 24> x("x");
  const at::Tensor values = at::randn({300, 24}, at::kBFloat16);
  CHECK(plan((1 - tanh(x) * 2) * x, options{.chunk = 300}, x = values).arena_bytes <= 128);  // the numbers' buffers
}

TEST_CASE("kernels of elements: a chain of 16 bits has no buffer in it, and its gradients are eager's") {
  const auto check = [](const auto& x, at::ScalarType type, double bound) {
    const at::Tensor values = at::randn({300, 24}, type);  // (samples, 24)
    const auto chain = gelu(x * 1.5) * tanh(x) + sigmoid(x);
    CHECK(plan(chain, options{.chunk = 300}, x = values).arena_bytes <= 64);  // the number's buffer
    const auto y = sum(to<float32>(chain) * 0.125);
    const at::Tensor leaf = values.to(at::kDouble).requires_grad_();
    const at::Tensor want = ((at::gelu(leaf * 1.5) * at::tanh(leaf) + at::sigmoid(leaf)) * 0.125).sum();
    want.backward();
    for (const index_t chunk : {300, 64, 1}) {
      const options o{.chunk = chunk};
      CHECK(relative_error(run(y, o, x = values), want) < bound);
      CHECK(relative_error(run(gradient(y, x), o, x = values), leaf.grad()) < bound);
    }
  };
  check(input<bfloat16, batch, 24>("x"), at::kBFloat16, 2e-2);
  check(input<float16, batch, 24>("x"), at::kHalf, 2e-3);
}

TEST_CASE("kernels of elements: results that go past the caches are the same") {
  const auto near_and_far = [](const auto& f, const auto&... tensors) {
    const at::Tensor near = run(f(lazy(tensors)...));
    const while_set far(koila::detail::bytes_far, std::int64_t{0});
    const at::Tensor past = run(f(lazy(tensors)...));
    CHECK(relative_error(past, near) <= float32_bound(1));
    return at::equal(past, near);
  };
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
    for (const std::int64_t rows : {1, 50, 2799})
      for (const std::int64_t n : {1, 3, 129, 131, 600}) {
        CAPTURE(rows, n);
        const at::Tensor x = at::randn({rows, n}, type), y = at::randn({rows, n}, type), b = at::randn({n}, type);
        CHECK(near_and_far([](const auto& u, const auto& v) { return relu(u + v); }, x, b));
        CHECK(near_and_far([](const auto& u, const auto& v) { return relu(u * v) - u; }, x, y));
        CHECK(near_and_far([](const auto& u, const auto& v) { return relu(u * v) - u; }, x,
                           at::randn({n, rows}, type).t()));
        CHECK(
            near_and_far([](const auto& u, const auto& v) { return abs(u) * 2.0 - v; }, x, at::randn({rows, 1}, type)));
        CHECK(near_and_far([](const auto& u, const auto& v) { return relu(u + v) * v; },
                           at::randn({rows * n + 1}, type).narrow(0, 1, rows * n), y.view(-1)));
        const auto sums = [](const auto& u, const auto& v) {  // sums read the stored value before it is overwritten
          const auto h = let(exp(u * 0.1) + v);
          return sum(h * h, 0_c) + sum(h) + sum(tanh(h) * v, 0_c);
        };
        (void)near_and_far(sums, x, y);
      }
  const at::Tensor values = at::randn({3000, 24}), weights = at::randn({24});
  const auto gradients_of = [&] {
    const parameter<3000, 24> x{"x"};
    const parameter<24> w{"w"};
    set(x, values), set(w, weights);
    (void)backward(sum(gelu(x * w) * tanh(x) + x));
    return std::pair{tensor_of(x).grad(), tensor_of(w).grad()};
  };
  const auto [dx, dw] = gradients_of();
  const while_set far(koila::detail::bytes_far, std::int64_t{0});
  const auto [far_dx, far_dw] = gradients_of();
  CHECK(at::equal(far_dx, dx));
  CHECK(relative_error(far_dw, dw) <= float32_bound(1000));
}

TEST_CASE("kernels of elements: functions of float32, NaN and infinity among their operands") {
  const float inf = std::numeric_limits<float>::infinity();
  const at::Tensor some = at::tensor({0.F, -0.F, 1e-40F, -1e-40F, 1e-30F, 0.5F, -0.7F, 3.F, -20.F, 90.F, -110.F, 3e38F,
                                      inf, -inf, std::numeric_limits<float>::quiet_NaN()});
  for (const auto set : all_sets) {
    const while_set limit(koila::detail::most_instructions, set);
    const auto same = [&](const auto& f, const auto& want) {
      for (const at::Tensor& x : {some, at::randn({40, 33}) * 4}) {
        const at::Tensor y = run(f(lazy(x))).to(at::kDouble),
                         w = want(x.to(at::kDouble)).to(at::kFloat).to(at::kDouble);
        CHECK(at::allclose(y, w, 1e-6, 1e-44, true));
      }
    };
    same([](auto x) { return exp(x) * 1.0; }, [](auto x) { return at::exp(x); });
    same([](auto x) { return tanh(x) * 1.0; }, [](auto x) { return at::tanh(x); });
    same([](auto x) { return sigmoid(x) * 1.0; }, [](auto x) { return at::sigmoid(x); });
    same([](auto x) { return log(x) * 1.0; }, [](auto x) { return at::log(x); });
    same([](auto x) { return erf(x) * 1.0; }, [](auto x) { return at::erf(x); });
    same([](auto x) { return relu(x) * 1.0; }, [](auto x) { return at::relu(x); });
    same([](auto x) { return rsqrt(x) * 1.0; }, [](auto x) { return at::rsqrt(x); });
  }
}

TEST_CASE("kernels of elements: gradients, in chunks and whole, kept and recomputed") {
  const input<batch, 24> x{"x"};
  const parameter<24> w{"w"}, b{"b"};
  set(w, at::randn({24})), set(b, at::randn({24}));
  const at::Tensor values = at::randn({50, 24});
  const auto h = gelu(x * w + b) + silu(x - b) * tanh(x * 0.5);
  const auto loss = mean(square(h * sigmoid(h)));
  std::vector<at::Tensor> leaves{tensor_of(w).detach().to(at::kDouble).requires_grad_(),
                                 tensor_of(b).detach().to(at::kDouble).requires_grad_()};
  const at::Tensor wide = values.to(at::kDouble),
                   inner = at::gelu(wide * leaves[0] + leaves[1]) + at::silu(wide - leaves[1]) * at::tanh(wide * 0.5);
  const at::Tensor want = (inner * at::sigmoid(inner)).square().mean();
  want.backward();
  for (const index_t chunk : chunks_of(50)) {
    for (const auto& p : {w, b}) tensor_of(p).mutable_grad() = at::Tensor();
    CHECK(relative_error(backward(loss, options{.chunk = chunk}, x = values), want) < float32_bound(1000));
    CHECK(relative_error(tensor_of(w).grad(), leaves[0].grad()) < 2 * float32_bound(1));
    CHECK(relative_error(tensor_of(b).grad(), leaves[1].grad()) < 2 * float32_bound(1));
  }
}

TEST_CASE("kernels of elements: what is read through a view of what is computed beside it") {
  const at::Tensor m = at::randn({40, 40}, at::kDouble), s = m * 2.0;
  const auto doubled = let(lazy(m) * 2.0);
  CHECK(relative_error(run(relu(transpose(doubled, 0_c, 1_c)) * doubled + doubled), at::relu(s.t()) * s + s) < 1e-15);
}

TEST_CASE("kernels of elements take no tensor memory, and what only they read has no buffer") {
  const input<batch, 1000> x{"x"};
  const parameter<1000> c{"c"};
  const at::Tensor values = at::randn({64, 1000});
  const auto y = relu(x * 3.0 + c) * tanh(x - c);
  (void)tensor_of(c);
  const memory_plan p = plan(y, x = values);
  CHECK(p.peak_bytes() == 64 * 1000 * 4 + 64);  // the result, and a number
  const measure m;
  const at::Tensor result = run(y, x = values);
  CHECK(m.peak() == p.peak_bytes());
  CHECK(near(result, at::relu(values * 3.0 + tensor_of(c)) * at::tanh(values - tensor_of(c))));
}

TEST_CASE("kernels of elements: values written over what is read no more, in chunks and whole") {
  const input<float64, batch, 12, 12> x{"x"};
  const parameter<float64, 12, 12> w{"w"};
  set(w, at::randn({12, 12}, at::kDouble));
  const at::Tensor values = at::randn({21, 12, 12}, at::kDouble);
  // Matrix products come before and after each kernel. One operand is read again later, and another
  // operand is read through a view.
  const auto h = let(matmul(x, w));
  const auto g = let(matmul(x, transpose(w, 0_c, 1_c)));
  const auto a = let(matmul(tanh(h) * g + sigmoid(g), w));
  const auto y = matmul(relu(a) * transpose(a, 1_c, 2_c) + g, w) - sum(a, 2_c, keepdim = true);
  const at::Tensor leaf = tensor_of(w).detach().requires_grad_();
  const at::Tensor wide_h = at::matmul(values, leaf), wide_g = at::matmul(values, leaf.t());
  const at::Tensor wide_a = at::matmul(at::tanh(wide_h) * wide_g + at::sigmoid(wide_g), leaf);
  const at::Tensor want = at::matmul(at::relu(wide_a) * wide_a.transpose(1, 2) + wide_g, leaf) - wide_a.sum(2, true);
  want.square().mean().backward();
  CHECK(!plan(y, x = values).buffers.later.empty());
  for (const index_t chunk : chunks_of(21)) {
    CHECK(relative_error(run(y, {.chunk = chunk}, x = values), want) < 1e-13);
    tensor_of(w).mutable_grad() = at::Tensor();
    (void)backward(mean(square(y)), {.chunk = chunk}, x = values);
    CHECK(relative_error(tensor_of(w).grad(), leaf.grad()) < 1e-12);
  }
}
