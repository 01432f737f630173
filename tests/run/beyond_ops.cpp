// SPDX-License-Identifier: MIT
// Features that the Python package lacked, each listed by its name: ops.
#include "run/beyond.hpp"

#include <koila/nn/convolution.hpp>

using namespace koila;
using namespace ::test;

TEST_CASE("beyond the Python package: operands and products") {
  at::manual_seed(41);
  const at::Tensor t = at::randn({7, 3, 4});  // (samples, 3, 4)
  const input<batch, 3, 4> x{"x"};

  SECTION("any scalar operand") {
    const auto on_both_sides = [](auto n) {
      constexpr bool truth = std::is_same_v<decltype(n), bool>;
      for (const at::Tensor& v : {at::rand({5, 3}) + 0.5, at::randint(1, 6, {5, 3}, at::kLong)}) {  // (samples, 3)
        const auto y = lazy<batch>(v);
        const at::Scalar s(n);
        const at::Tensor number = at::native::wrapped_scalar_tensor(s);
        CAPTURE(s);
        exactly(y + n, at::add(v, s));
        exactly(n + y, at::add(v, s));
        exactly(y * n, at::mul(v, s));
        exactly(n * y, at::mul(v, s));
        exactly(y / n, at::div(v, s));
        exactly(n / y, at::div(number, v));
        exactly(y < n, at::lt(v, s));
        exactly(n <= y, at::ge(v, s));
        exactly(y == n, at::eq(v, s));
        exactly(n != y, at::ne(v, s));
        exactly(maximum(y, n), at::maximum(v, number));
        if constexpr (!truth) {
          exactly(y - n, at::sub(v, s));
          exactly(n - y, at::rsub(v, s));
          exactly(y % n, at::remainder(v, s));
          exactly(n % y, at::remainder(s, v));
          exactly(koila::pow(y, n), at::pow(v, s));
          exactly(koila::pow(n, y), at::pow(s, v));
        }
      }
    };
    on_both_sides(2);
    on_both_sides(index_t{3});
    on_both_sides(2.5);
    on_both_sides(1.5F);
    on_both_sides(true);
    const at::Tensor scalar = at::scalar_tensor(2.5);
    exactly(x + scalar, t + scalar, x = t);
    exactly(scalar * x, t * scalar, x = t);
  }
  SECTION("x @ w with x batched and w not") {
    const parameter<4, 5> w{"w"};
    const input<batch, 2, 3, 4> deep{"deep"};
    const at::Tensor v = tensor_of(w).detach(), u = at::randn({5, 2, 3, 4});
    STATIC_REQUIRE(typed<decltype(matmul(x, w)), batch, 3, 5>);
    STATIC_REQUIRE(typed<decltype(matmul(deep, w)), batch, 2, 3, 5>);
    closely(matmul(x, w), at::matmul(t, v), x = t);
    closely(matmul(deep, w), at::matmul(u, v), deep = u);
    closely(matmul(x, v), at::matmul(t, v), x = t);  // v is a plain tensor
    CHECK(relative_error(matmul(t, v), at::matmul(t, v)) <= 1e-6);
    const auto loss = sum(matmul(x, w) * matmul(x, w));
    const at::Tensor p = v.clone().requires_grad_(), q = t.clone().requires_grad_();
    at::matmul(q, p).square().sum().backward();
    closely(gradient(loss, w), p.grad(), x = t);
    closely(gradient(loss, x), q.grad(), x = t);
  }
  SECTION("3-D by 1-D matmul") {
    const parameter<4> w{"w"};
    const at::Tensor v = tensor_of(w).detach();
    STATIC_REQUIRE(typed<decltype(matmul(x, w)), batch, 3>);
    closely(matmul(x, w), at::matmul(t, v), x = t);
    CHECK(relative_error(matmul(t, v), at::matmul(t, v)) <= 1e-6);
    const at::Tensor p = v.clone().requires_grad_();
    at::matmul(t, p).square().sum().backward();
    closely(gradient(sum(matmul(x, w) * matmul(x, w)), w), p.grad(), x = t);
  }
  SECTION("sum(-1), mean(-1), argmax(-1)") {
    STATIC_REQUIRE(typed<decltype(sum(x, -1_c)), batch, 3>);
    STATIC_REQUIRE(typed<decltype(mean(x, -1_c)), batch, 3>);
    STATIC_REQUIRE(typed<decltype(argmax(x, -1_c)), int64, batch, 3>);
    closely(sum(x, -1_c), t.sum(-1), x = t);
    closely(mean(x, -1_c), t.mean(-1), x = t);
    exactly(argmax(x, -1_c), t.argmax(-1), x = t);
    const int last = -1;  // not known at compile time
    closely(sum(x, last), t.sum(-1), x = t);
    closely(mean(x, dim = last, keepdim = true), t.mean(-1, true), x = t);
    exactly(argmax(x, dim = last), t.argmax(-1), x = t);
    CHECK(identical(sum(t, -1), t.sum(-1)));
    CHECK(identical(argmax(t, -1), t.argmax(-1)));
  }
  SECTION("mixed dtypes") {
    const input<float64, batch, 3, 4> wide{"wide"};
    const input<int64, batch, 3, 4> count{"count"};
    const input<boolean, batch, 3, 4> truth{"truth"};
    const input<bfloat16, batch, 3, 4> half{"half"};
    const at::Tensor d = at::randn({7, 3, 4}, at::kDouble), n = at::randint(9, {7, 3, 4}, at::kLong), b = n.gt(4),
                     h = at::randn({7, 3, 4}).to(at::kBFloat16);
    STATIC_REQUIRE(typed<decltype(x + wide), float64, batch, 3, 4>);
    STATIC_REQUIRE(typed<decltype(count * x), batch, 3, 4>);
    STATIC_REQUIRE(typed<decltype(truth + count), int64, batch, 3, 4>);
    STATIC_REQUIRE(typed<decltype(half - x), batch, 3, 4>);
    STATIC_REQUIRE(typed<decltype(half * count), bfloat16, batch, 3, 4>);
    STATIC_REQUIRE(typed<decltype(count / count), batch, 3, 4>);
    STATIC_REQUIRE(typed<decltype(where(truth, x, wide)), float64, batch, 3, 4>);
    exactly(x + wide, t + d, x = t, wide = d);
    exactly(count * x, n * t, x = t, count = n);
    exactly(truth + count, b + n, truth = b, count = n);
    exactly(half - x, h - t, half = h, x = t);
    exactly(half * count, h * n, half = h, count = n);
    exactly(x < wide, t < d, x = t, wide = d);
    exactly(where(truth, x, wide), at::where(b, t, d), truth = b, x = t, wide = d);
    exactly(cat(x, count, dim = -1_c), at::cat({t, n}, -1), x = t, count = n);
    exactly(to<float64>(x) * wide, t.to(at::kDouble) * d, x = t, wide = d);
    CHECK(identical(add(t, d), t + d));
    const at::Tensor p = t.clone().requires_grad_();  // a gradient has the same dtype as its operand
    (p * d).square().sum().backward();
    closely(gradient(sum((x * wide) * (x * wide)), x), p.grad(), x = t, wide = d);
  }
}

TEST_CASE("beyond the Python package: views") {
  at::manual_seed(42);
  const at::Tensor t = at::randn({7, 3, 4});  // (samples, 3, 4)
  const input<batch, 3, 4> x{"x"};
  const parameter<4, 2> w{"w"};
  const at::Tensor v = tensor_of(w).detach();

  SECTION("reshape with -1 and of tuples") {
    STATIC_REQUIRE(typed<decltype(reshape(x, batch, -1_c)), batch, 12>);
    STATIC_REQUIRE(typed<decltype(reshape(x, list_of(batch, 2_c, 6_c))), batch, 2, 6>);
    STATIC_REQUIRE(typed<decltype(reshape(x, list_of(-1_c, 4_c))), any, 4>);
    exactly(reshape(x, batch, -1_c), t.reshape({7, -1}), x = t);
    exactly(reshape(x, list_of(batch, 2_c, 6_c)), t.reshape({7, 2, 6}), x = t);
    exactly(reshape(x, list_of(-1, 4)), t.reshape({-1, 4}), x = t);
    exactly(relu(reshape(x, -1_c, 4_c)), t.reshape({-1, 4}).relu(), x = t);
    exactly(reshape(relu(reshape(x, -1_c, 4_c)), list_of(batch, 3_c, 4_c)), t.relu(), x = t);
    closely(matmul(reshape(x, -1_c, 4_c), w), at::matmul(t.reshape({-1, 4}), v), x = t);
    exactly(reshape(x, list_of(-1_c)), t.reshape({-1}), x = t);
    CHECK(identical(reshape(t, list_of(7, -1)), t.reshape({7, -1})));
  }
  SECTION("flatten or view keeping the batch axis") {
    STATIC_REQUIRE(typed<decltype(flatten(x, 1_c)), batch, 12>);
    STATIC_REQUIRE(typed<decltype(view(x, batch, 12_c)), batch, 12>);
    STATIC_REQUIRE(batch_of(flatten(input<batch, 3, 4>{}, 1_c)) == 0);
    const parameter<5, 12> u{"u"};
    const at::Tensor a = tensor_of(u).detach();
    for (const auto& y : {erased<batch, 12>(flatten(x, 1_c)), erased<batch, 12>(view(x, batch, 12_c))}) {
      exactly(y, t.flatten(1), x = t);
      closely(linear(y, u), at::linear(t.flatten(1), a), x = t);
      CHECK(plan(linear(relu(y), u), {.chunk = 1}, x = t).peak_bytes() <
            plan(linear(relu(y), u), {.chunk = 7}, x = t).peak_bytes());
    }
    CHECK(plan(linear(flatten(relu(x), 1_c), u), {.chunk = 2}, x = t).order.loops == 1);
  }
  SECTION("permute with negative dims, and the batch axis followed through it") {
    const auto y = permute(x, -1_c, 0_c, -2_c);  // (4, batch, 3)
    STATIC_REQUIRE(typed<decltype(y), 4, batch, 3>);
    STATIC_REQUIRE(batch_of(permute(input<batch, 3, 4>{}, -1_c, 0_c, -2_c)) == 1);
    const at::Tensor want = t.permute({-1, 0, -2});
    exactly(y, want, x = t);
    exactly(permute(x, list_of(-1, -3, -2)), want, x = t);
    const auto back = permute(koila::exp(y) * 2.0, -2_c, -1_c, -3_c);
    STATIC_REQUIRE(typed<decltype(back), batch, 3, 4>);
    closely(back, (t.exp() * 2.0), x = t);
    closely(softmax(y, 0_c), want.softmax(0), x = t);
    closely(sum(y, 1_c), want.sum(1), x = t);        // over the samples
    closely(sum(y, list_of(0_c, 2_c)), at::sum(want, at::IntArrayRef{0, 2}), x = t);
    // Nothing is gathered: there is one loop, and smaller chunks need less memory.
    const auto deep = sum(permute(koila::exp(permute(relu(x), -1_c, 0_c, -2_c)), 1_c, 2_c, 0_c), list_of(1_c, 2_c));
    STATIC_REQUIRE(typed<decltype(deep), batch>);
    CHECK(plan(deep, {.chunk = 1}, x = t).order.loops == 1);
    CHECK(plan(deep, {.chunk = 1}, x = t).peak_bytes() < plan(deep, {.chunk = 7}, x = t).peak_bytes());
    closely(deep, t.relu().exp().sum(at::IntArrayRef{1, 2}), x = t);
    const at::Tensor p = t.clone().requires_grad_();
    p.relu().exp().sum().backward();
    closely(gradient(sum(deep), x), p.grad(), x = t);
  }
  SECTION("transpose of other axes than the batch") {
    STATIC_REQUIRE(typed<decltype(transpose(x, 1_c, 2_c)), batch, 4, 3>);
    STATIC_REQUIRE(typed<decltype(matmul(x, transpose(x, -1_c, -2_c))), batch, 3, 3>);
    exactly(transpose(x, 1_c, 2_c), t.transpose(1, 2), x = t);
    exactly(relu(transpose(x, -1_c, -2_c)), t.transpose(1, 2).relu(), x = t);
    closely(matmul(x, transpose(x, -1_c, -2_c)), at::matmul(t, t.transpose(1, 2)), x = t);
    CHECK(plan(matmul(x, transpose(x, -1_c, -2_c)), {.chunk = 2}, x = t).order.loops == 1);
  }
  SECTION("cat of a list and along -1") {
    const input<batch, 3, 2> y{"y"};
    const at::Tensor u = at::randn({7, 3, 2}), want = at::cat({t, u}, -1);
    STATIC_REQUIRE(typed<decltype(cat(x, y, dim = -1_c)), batch, 3, 6>);
    STATIC_REQUIRE(typed<decltype(cat(std::tuple(x, y), dim = -1_c)), batch, 3, 6>);
    STATIC_REQUIRE(typed<decltype(cat(std::array{x, x, x}, dim = -1_c)), batch, 3, 12>);
    exactly(cat(x, y, dim = -1_c), want, x = t, y = u);
    exactly(cat(std::tuple(x, y), dim = -1_c), want, x = t, y = u);
    exactly(cat(std::array{x, x, x}, dim = -1_c), at::cat({t, t, t}, -1), x = t);
    std::vector<erased<batch, 3, 4>> many;
    std::vector<at::Tensor> wanted;
    for (int i = 0; i < 20; ++i) many.push_back(x * i), wanted.push_back(t * i);
    exactly(cat(many, dim = -1_c), at::cat(wanted, -1), x = t);
    exactly(cat(many, dim = 0_c), at::cat(wanted, 0), x = t);  // along the samples
    CHECK(identical(cat(wanted, dim = -1), at::cat(wanted, -1)));
    exactly(cat(x, u, dim = -1_c), want, x = t);  // with a plain tensor
    const at::Tensor p = t.clone().requires_grad_();
    at::cat({p, u}, -1).square().sum().backward();
    exactly(gradient(sum(square(cat(x, y, dim = -1_c))), x), p.grad(), x = t, y = u);
  }
}

TEST_CASE("beyond the Python package: windows, losses, bfloat16") {
  at::manual_seed(43);
  SECTION("pooling without a stride") {
    const input<batch, 4, 9> line{"line"};
    const input<batch, 4, 9, 6> plane{"plane"};
    const input<batch, 4, 6, 9, 6> space{"space"};
    const at::Tensor a = at::randn({5, 4, 9}), b = at::randn({5, 4, 9, 6}), c = at::randn({5, 4, 6, 9, 6});
    STATIC_REQUIRE(typed<decltype(max_pool2d(plane, 3_c)), batch, 4, 3, 2>);
    STATIC_REQUIRE(typed<decltype(avg_pool2d(plane, list_of(3_c, 2_c))), batch, 4, 3, 3>);
    exactly(max_pool1d(line, 3_c), at::max_pool1d(a, 3), line = a);
    exactly(max_pool2d(plane, 3_c), at::max_pool2d(b, 3), plane = b);
    exactly(max_pool3d(space, 3_c), at::max_pool3d(c, 3), space = c);
    closely(avg_pool1d(line, 3_c), at::avg_pool1d(a, 3), line = a);
    closely(avg_pool2d(plane, list_of(3_c, 2_c)), at::avg_pool2d(b, {3, 2}), plane = b);
    closely(avg_pool3d(space, kernel_size = 3_c), at::avg_pool3d(c, 3), space = c);
    CHECK(identical(max_pool2d(b, 3), at::max_pool2d(b, 3)));
  }
  SECTION("conv with default or same padding and with groups") {
    const input<batch, 4, 9> line{"line"};
    const input<batch, 4, 9, 6> plane{"plane"};
    const at::Tensor a = at::randn({5, 4, 9}), b = at::randn({5, 4, 9, 6});
    const parameter<6, 4, 3> w1{"w1"};
    const parameter<6, 4, 3, 3> w2{"w2"};
    const parameter<6, 2, 3, 3> grouped{"grouped"};
    const parameter<6> bias{"bias"};
    const at::Tensor u1 = tensor_of(w1).detach(), u2 = tensor_of(w2).detach(), u3 = tensor_of(grouped).detach();
    const at::Tensor v = tensor_of(bias).detach();
    STATIC_REQUIRE(typed<decltype(conv2d(plane, w2)), batch, 6, 7, 4>);
    STATIC_REQUIRE(typed<decltype(conv2d(plane, w2, bias, padding = kSame)), batch, 6, 9, 6>);
    STATIC_REQUIRE(typed<decltype(conv2d(plane, grouped, groups = 2_c)), batch, 6, 7, 4>);
    closely(conv1d(line, w1), at::conv1d(a, u1), line = a);
    closely(conv1d(line, w1, bias, padding = kSame), at::conv1d(a, u1, v, 1, "same"), line = a);
    closely(conv2d(plane, w2), at::conv2d(b, u2), plane = b);
    closely(conv2d(plane, w2, bias, padding = kSame), at::conv2d(b, u2, v, 1, "same"), plane = b);
    closely(conv2d(plane, grouped, groups = 2_c), at::conv2d(b, u3, {}, 1, at::IntArrayRef{0}, 1, 2), plane = b);
    closely(conv2d(plane, grouped, bias, padding = kSame, groups = 2_c), at::conv2d(b, u3, v, 1, "same", 1, 2),
            plane = b);
    const nn::conv2d<4, 6, 3, nn::conv_options{.padding = 1, .groups = 2}> layer;
    const at::Tensor lw = tensor_of(layer.weight).detach(), lb = tensor_of(layer.bias).detach();
    closely(layer(plane), at::conv2d(b, lw, lb, 1, 1, 1, 2), plane = b);
    const nn::conv2d<4, 6, 3, nn::conv_options{.padding = kSame}> same;
    STATIC_REQUIRE(typed<decltype(same(plane)), batch, 6, 9, 6>);
    closely(same(plane), at::conv2d(b, tensor_of(same.weight).detach(), tensor_of(same.bias).detach(), 1, "same"),
            plane = b);
    CHECK(relative_error(conv2d(b, u3, v, padding = kSame, groups = 2), at::conv2d(b, u3, v, 1, "same", 1, 2)) <= 1e-6);
    const at::Tensor p = u3.clone().requires_grad_();
    at::conv2d(b, p, {}, 1, "same", 1, 2).square().sum().backward();
    closely(gradient(sum(square(conv2d(plane, grouped, padding = kSame, groups = 2_c))), grouped), p.grad(), plane = b);
  }
  SECTION("cross_entropy with reduction none") {
    const input<batch, 4> x{"x"};
    const input<int64, batch> label{"label"};
    const at::Tensor t = at::randn({7, 4}), l = labels_of(7, 4);  // (samples, classes), (samples)
    const auto y = cross_entropy(x, label, reduction = kNone);
    STATIC_REQUIRE(typed<decltype(y), batch>);
    const at::Tensor want = at::cross_entropy_loss(t, l, {}, at::Reduction::None);
    closely(y, want, x = t, label = l);
    closely(mean(y * y), want.square().mean(), x = t, label = l);
    CHECK(relative_error(cross_entropy(t, l, reduction = kNone), want) <= 1e-6);
    const at::Tensor p = t.clone().requires_grad_();
    at::cross_entropy_loss(p, l, {}, at::Reduction::None).square().sum().backward();
    closely(gradient(sum(y * y), x), p.grad(), x = t, label = l);
  }
  SECTION("bfloat16") {
    const input<bfloat16, batch, 4> x{"x"};
    const parameter<bfloat16, 3, 4> w{"w"};
    const auto integers = [](at::IntArrayRef sizes) { return at::randint(-2, 3, sizes, at::kFloat).to(at::kBFloat16); };
    const at::Tensor t = integers({7, 4}), v = integers({3, 4});  // bfloat16 holds their products exactly
    set(w, v);
    const auto y = relu(linear(x, w));
    STATIC_REQUIRE(typed<decltype(y), bfloat16, batch, 3>);
    exactly(y * 2.0 + y, at::linear(t, v).relu() * 3, x = t);
    exactly(sum(y), at::linear(t, v).relu().sum(), x = t);
    CHECK(identical(relu(linear(t, v)), at::linear(t, v).relu()));
    const at::Tensor p = v.clone().requires_grad_();
    at::linear(t, p).relu().sum().backward();
    exactly(gradient(sum(y), w), p.grad(), x = t);
    // In element-wise ops, every number is rounded in the same way.
    const at::Tensor rough = at::randn({7, 4}).to(at::kBFloat16);
    exactly(koila::exp(x) + x, rough.exp() + rough, x = rough);
    exactly(sigmoid(x), rough.sigmoid(), x = rough);
  }
}
