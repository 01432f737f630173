// SPDX-License-Identifier: MIT
// Regression tests: one test for each bug that was found by hand or by the generated calls.
#include "pch.hpp"

namespace koila::test {

using namespace detail;
using namespace internal;

namespace {

constexpr index_t most = std::numeric_limits<index_t>::max(), least = std::numeric_limits<index_t>::min();

auto made(at::IntArrayRef sizes, at::ScalarType type) -> at::Tensor {
  return at::arange(c10::multiply_integers(sizes), at::kDouble).add(1).view(sizes).to(type);
}

/// Checks that a call is refused eagerly, lazily, and with the rows as samples.
template <class F, class... T>
void refuses(const F& f, const T&... t) {
  CHECK_THROWS_AS(f(t...), shape_error);
  CHECK_THROWS_AS(run(f(lazy(t)...)), shape_error);
  CHECK_THROWS_AS(run(f(lazy<batch>(t)...)), shape_error);
}
template <class F, class... T>
void gives(const at::Tensor& want, const F& f, const T&... t) {
  for (const at::Tensor& got :
       {f(t...), run(f(lazy(t)...)), run(f(lazy<batch>(t)...)), run(f(lazy<batch>(t)...), {.chunk = 1})}) {
    CHECK(got.scalar_type() == want.scalar_type());
    CHECK(got.sizes() == want.sizes());
    CHECK(at::equal(got, want));
  }
}

}  // namespace

TEST_CASE("trials A1: expand_like keeps the dtype of what it repeats, which promotes as any value") {
  const input<int64, batch, 1> k{"k"};
  const input<batch, 3> x{"x"};
  STATIC_REQUIRE(shape_t<decltype(expand_like(k, x))>::value.type == dtype::int64);
  const at::Tensor whole = made({2, 1}, at::kLong), real = made({2, 3}, at::kFloat);
  for (const index_t chunk : {0, 1})
    CHECK(at::equal(run(x * expand_like(k, x), {.chunk = chunk}, k = whole, x = real), real * whole.expand({2, 3})));
  const auto like = [](const auto& a, const auto& b) { return expand_like(a, b); };
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kHalf, at::kFloat, at::kDouble})
    for (const auto other : {at::kBool, at::kFloat, at::kDouble})
      gives(made({2, 1}, type).expand({2, 3}), like, made({2, 1}, type), made({2, 3}, other));
  gives(
      made({2, 1}, at::kBool).expand({2, 3}) * made({2, 3}, at::kDouble),
      [](const auto& a, const auto& b) { return expand_like(a, b) * b; }, made({2, 1}, at::kBool),
      made({2, 3}, at::kDouble));
}

TEST_CASE("trials A1: expand_like refuses a value that does not repeat to the dims") {
  const auto like = [](const auto& a, const auto& b) { return expand_like(a, b); };
  refuses(like, made({2, 2}, at::kFloat), made({2, 3}, at::kFloat));
  refuses(like, made({2, 3, 1}, at::kFloat), made({2, 3}, at::kFloat));
  refuses(like, made({3}, at::kFloat), made({3, 2}, at::kFloat));
  const auto summed = [](const auto& a, const auto& b) { return expand_like(a, b, dim = 1); };
  refuses(summed, made({3}, at::kFloat), made({2, 3}, at::kFloat));
  refuses(summed, made({2, 1}, at::kFloat), made({2, 3}, at::kFloat));
  refuses([](const auto& a, const auto& b) { return expand_like(a, b, dim = 2); }, made({2}, at::kFloat),
          made({2, 3}, at::kFloat));
  STATIC_REQUIRE(!Accepts<struct expand_like, shape<2>, shape<3>>);
  STATIC_REQUIRE(!Accepts<struct expand_like, shape<3>, shape<2, 3>, decltype(dim = 1_c)>);
}

TEST_CASE(
    "trials A1: sum_to refuses dims that were not broadcast to the value's, and values that are not floating-point") {
  const auto to = [](const auto& a, const auto& b) { return sum_to(a, b); };
  refuses(to, made({2, 3}, at::kFloat), made({2}, at::kFloat));
  refuses(to, made({2, 3}, at::kFloat), made({2, 2}, at::kFloat));
  refuses(to, made({1, 3}, at::kFloat), made({2, 3}, at::kFloat));  // if accepted, this would repeat the value
  refuses(to, made({3}, at::kFloat), made({2, 3}, at::kFloat));
  refuses(to, made({2, 3}, at::kBool), made({3}, at::kFloat));
  refuses(to, made({2, 3}, at::kLong), made({3}, at::kLong));
  const at::Tensor wide = made({2, 3}, at::kDouble), narrow = made({3}, at::kFloat);
  for (const at::Tensor& got : {to(wide, narrow), run(to(lazy<batch>(wide), lazy(narrow)), {.chunk = 1})})
    CHECK(at::equal(got, wide.sum(0).to(at::kFloat)));
  STATIC_REQUIRE(!Accepts<struct sum_to, shape<2, 3>, shape<2>>);
}

TEST_CASE("trials A1: the pull-backs of pow refuse operands that do not broadcast to dy") {
  const auto base = [](const auto& dy, const auto& a, const auto& b) { return pow_backward_base(dy, a, b); };
  const auto exponent = [](const auto& dy, const auto& y, const auto& a, const auto& b) {
    return pow_backward_exponent(dy, y, a, b);
  };
  const at::Tensor row = made({3}, at::kFloat), both = made({2, 3}, at::kFloat), other = made({2, 2}, at::kFloat);
  refuses(base, row, both, row);
  refuses(base, both, other, row);
  refuses(base, both, row, other);
  refuses(base, both.to(at::kLong), row, row);
  refuses(exponent, row, row, both, row);
  refuses(exponent, both, other, both, row);
  refuses(exponent, both, both, both.to(at::kBool), row);
  STATIC_REQUIRE(!Accepts<struct pow_backward_base, shape<3>, shape<2, 3>, shape<3>>);
  STATIC_REQUIRE(!Accepts<struct pow_backward_exponent, shape<3>, shape<3>, shape<2, 3>, shape<3>>);
}

TEST_CASE("trials A1: pull-backs that read one dtype as another refuse") {
  const at::Tensor x = made({2, 3}, at::kFloat), d = made({2, 3}, at::kDouble), h = made({2, 3}, at::kHalf),
                   i = made({2, 3}, at::kLong);
  const at::Tensor w = made({3}, at::kFloat);
  for (const at::Tensor& dy : {d, h, i}) {
    refuses([](const auto& a, const auto& b, const auto& c) { return native_layer_norm_backward(a, b, c); }, dy, x, w);
    refuses([](const auto& a, const auto& b, const auto& c) { return native_layer_norm_parameters_backward(a, b, c); },
            dy, x, w);
    refuses([](const auto& a, const auto& b) { return cumprod_tangent(a, b, dim = 1); }, dy, x);
    refuses([](const auto& a, const auto& b) { return prod_others_tangent(a, b, dim = 1); }, dy, x);
    refuses([](const auto& a, const auto& b) { return cumprod_backward_tangent(a, b, b, dim = 1); }, dy, x);
    refuses([](const auto& a, const auto& b) { return cumprod_backward_tangent(b, a, b, dim = 1); }, dy, x);
    refuses([](const auto& a, const auto& b) { return repeat_backward(a, b, 1, 1); }, dy, x);
    refuses([](const auto& a, const auto& b) { return slice_backward(a, b, 0, 0); }, dy, x);
    refuses([](const auto& a, const auto& b) { return sigmoid_backward(a, b); }, dy, x);
    refuses([](const auto& a, const auto& b) { return leaky_relu_backward(a, b); }, dy, x);
  }
  // dy has as many elements as the repeated x, but a different shape.
  refuses([](const auto& a, const auto& b) { return repeat_backward(a, b, 2, 1); }, made({2, 6}, at::kFloat), x);
}

TEST_CASE("trials A1: attributes out of range are refused") {
  const at::Tensor x = made({4, 3}, at::kFloat), image = made({2, 16, 2, 2}, at::kFloat);
  refuses([](const auto& a) { return narrow(a, 0, 1, most); }, x);
  refuses([](const auto& a) { return chunk_part(a, 2, -1, 0); }, x);
  refuses([](const auto& a) { return chunk_part(a, most, most - 1, 0); }, x);
  refuses([](const auto& a) { return split_part(a, list_of(2, 2), -1, 0); }, x);
  refuses([](const auto& a) { return split_part(a, list_of(most, most, 6), 0, 0); }, x);
  refuses([](const auto& a) { return pixel_shuffle(a, index_t{1} << 32); },
          image);  // the square of the factor overflows to 0 in 64 bits
  refuses([](const auto& a) { return pixel_unshuffle(a, index_t{1} << 32); }, image);
  refuses([](const auto& a) { return roll(a, least, 0); }, x);
  refuses([](const auto& a) { return repeat(a, most, 2); }, x);
  refuses([](const auto& a) { return pad(a, list_of(most, most)); }, x);
  using eight = decltype(list_of(1, 1, 1, 1, 1, 1, 1, 1));
  STATIC_REQUIRE(!Accepts<struct reshape, shape<4, 3>, eight, eight>);
  refuses([](const auto& a) { return max_pool2d(a, 2, 1, 0, most); }, image);
  refuses([](const auto& a) { return avg_pool2d(a, most, most); }, image);
  refuses([](const auto& a) { return unfold(a, list_of(most, most)); }, image);
  refuses([](const auto& a) { return interpolate(a, scale_factor = std::numeric_limits<double>::quiet_NaN()); }, image);
  refuses([](const auto& a) { return interpolate(a, scale_factor = 1e300); }, image);
  refuses([](const auto& a) { return argmax(a, -1000); }, x);
  refuses([](const auto& a) { return squeeze(a, -1000); }, x);
  refuses([](const auto& a) { return isclose(a, a, std::numeric_limits<double>::quiet_NaN()); }, x);
  refuses([](const auto& a) { return full_like(a, 300); }, made({2}, at::kByte));
  refuses([](const auto& a) { return pad(a, list_of(1, 1), fill_value = 300.0); }, made({2}, at::kByte));
  refuses([](const auto& a) { return hardtanh(a, 0, 1e300); }, x);
  CHECK_THROWS_AS(run(zeros(most, 2)), shape_error);
  CHECK_THROWS_AS(run(arange(least, most)), shape_error);
  CHECK_THROWS_AS(run(full(list_of(2), 1e300)), shape_error);
}

TEST_CASE("trials A1: a number that a narrow dtype has no room for is infinite, as in LibTorch") {
  const auto more = [](const auto& a) { return add(a, 1e300); };
  gives(made({2, 3}, at::kFloat) + 1e300, more, made({2, 3}, at::kFloat));
  gives(made({2, 3}, at::kHalf) + 1e300, more, made({2, 3}, at::kHalf));
}

TEST_CASE("trials A1: attention refuses a number as a mask, which would be added to the scores") {
  STATIC_REQUIRE(!Accepts<struct scaled_dot_product_attention, shape<2, 3>, shape<2, 3>, shape<2, 3>, bool>);
  STATIC_REQUIRE(!Accepts<struct attention, shape<2, 3>, shape<2, 3>, shape<2, 3>, bool>);
}

TEST_CASE("trials A1: a class or an index that is a number stays an integer") {
  const at::Tensor x = made({3}, at::kFloat), w = made({4, 2}, at::kFloat);
  const at::Tensor want = at::cross_entropy_loss(x, at::scalar_tensor(2, at::kLong));
  for (const at::Tensor& got : {cross_entropy(x, 2), run(cross_entropy(lazy(x), 2))}) CHECK(at::allclose(got, want));
  for (const at::Tensor& got : {embedding(3, w), run(embedding(3, lazy(w)))}) CHECK(at::equal(got, w[3]));
}

TEST_CASE("trials A1: a variance that is a number has the dtype of the loss") {
  const at::Tensor whole = made({4}, at::kLong), real = made({4}, at::kFloat);
  const at::Tensor want = ((whole - real).pow(2) / 0.5 + std::log(0.5)).mul(0.5).mean();
  for (const at::Tensor& got :
       {gaussian_nll_loss(whole, real, 0.5), run(gaussian_nll_loss(lazy(whole), lazy(real), 0.5))})
    CHECK(at::allclose(got, want));
}

TEST_CASE("trials A1: pull-backs of activations refuse integers") {
  const at::Tensor i = made({2, 3}, at::kLong), x = made({2, 3}, at::kFloat);
  const auto each = [&](const auto& f) {
    refuses(f, i, i);
    refuses(f, x, i);
    CHECK(f(x, x).scalar_type() == at::kFloat);
  };
  each([](const auto& dy, const auto& v) { return hardsigmoid_backward(dy, v); });
  each([](const auto& dy, const auto& v) { return hardswish_backward(dy, v); });
  each([](const auto& dy, const auto& v) { return hinge_backward(dy, v); });
}

TEST_CASE("trials A1: broadcast_to refuses dims that the value does not repeat to") {
  const at::Tensor x = made({2, 1}, at::kFloat);
  const auto to = [](index_t rows, index_t columns) { return dims({extent{rows}, extent{columns}}, dtype::float32); };
  CHECK_THROWS_AS(run(broadcast_to(lazy(x), to(1, 3))), shape_error);
  CHECK_THROWS_AS(run(broadcast_to(lazy(x), to(3, 1))), shape_error);
  CHECK(at::equal(run(broadcast_to(lazy(x), to(2, 3))), x.expand({2, 3})));
}

TEST_CASE("trials A1: losses and masked_fill refuse dtypes that LibTorch refuses") {
  const at::Tensor i = made({4}, at::kLong), x = made({4}, at::kFloat), h = made({4}, at::kHalf);
  const auto gaussian = [](const auto& a, const auto& b, const auto& v) { return gaussian_nll_loss(a, b, v); };
  refuses(gaussian, i, h, i);
  CHECK(gaussian(i, h, h).scalar_type() == at::kHalf);
  const auto huber = [](const auto& a, const auto& b) { return huber_loss(a, b); };
  refuses(huber, i, x);
  CHECK(huber(x, x).scalar_type() == at::kFloat);
  STATIC_REQUIRE(!Accepts<struct masked_fill, double, shape<boolean, 2>, double>);
  STATIC_REQUIRE(Accepts<struct masked_fill, shape<2>, shape<boolean, 2>, double>);
}

TEST_CASE("trials A1: a number that is not whole is no choice") {
  embedding_bag::attributes a;
  for (const double v : {0.5, 1.0, std::nan("")}) {
    CHECK_THROWS_AS(koila::detail::set_positional(a, 0, v), std::logic_error);
    CHECK_THROWS_AS(koila::detail::assign_member(a.mode, v), std::logic_error);
  }
  CHECK_NOTHROW(koila::detail::set_positional(a, 0, kMean));
  CHECK(a.mode.value == choice::mean);
}

TEST_CASE("trials A1: dropped attention's pull-back refuses a probability that is not in [0, 1]") {
  using pull_back = struct dropout_attention_backward;
  const dims d = shape_of(made({2, 3, 4}, at::kFloat)), mask = shape_of(made({3, 3}, at::kBool));
  const auto with = [](double p) {
    pull_back::attributes a;
    a.dropout_p = p;
    return a;
  };
  for (const double p : {-1.0, 1.5}) {
    CHECK(pull_back::rule(d, d, d, d, d, with(p)).reason == reason::probability_out_of_range);
    CHECK(pull_back::rule(d, d, d, d, d, mask, with(p)).reason == reason::probability_out_of_range);
  }
  CHECK(pull_back::rule(d, d, d, d, d, with(0.5)).accepted());
  CHECK(pull_back::rule(d, d, d, d, d, mask, with(0.5)).accepted());
}

}  // namespace koila::test
