// SPDX-License-Identifier: MIT
// Programs that run and backward keep for later calls. The programs compute right results after any
// change of tensors and leaves, and keep none of the caller's tensors and leaves alive.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>

#include <c10/core/GradMode.h>

#include <barrier>
#include <optional>
#include <thread>

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

using net = classifier<dtype::float32, 6, 8, 3>;

auto expected(const net& n, const at::Tensor& x) -> at::Tensor {
  const at::NoGradGuard no_grad;
  return at::linear(at::tanh(at::linear(x, tensor_of(n.w1), tensor_of(n.b1))), tensor_of(n.w2), tensor_of(n.b2));
}

/// x minus a running mean, which each run updates.
inline constexpr struct moved_on : op<moved_on> {
  static constexpr std::string_view name = "moved_on";
  static constexpr auto rule(const dims& x, const dims&) -> verdict { return x; }
  static constexpr auto expand(const auto& x, const auto& running) { return x - running; }
  static constexpr auto updates(const auto& x, const auto& running, const no_attributes&) {
    return gradients(no_gradient, running * 0.5 + mean(x, 0_c) * 0.5);
  }
} moved_on;

}  // namespace

TEST_CASE("a call after the first runs the program that is kept, on the tensors of its own") {
  drop_kept_programs();
  const net n;
  input<batch, 6> x{"x"};
  const auto y = n(x);
  std::vector<at::Tensor> values, images;
  for (int i = 0; i < 4; ++i) {
    images.push_back(at::randn({5, 6}));
    values.push_back(run(y, x = images.back()));
    CHECK(kept_programs() == 1);
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(near(values[i], expected(n, images[i])));  // no result was overwritten
  CHECK(near(run(n(x), x = images[0]), values[0]));  // a rebuilt equal expression uses the same program
  CHECK(kept_programs() == 1);
}

TEST_CASE("each shape, stride, dtype and option has a program of its own") {
  drop_kept_programs();
  const net n;
  input<batch, 6> x{"x"};
  const auto y = n(x);
  std::size_t kept = 0;
  for (const std::int64_t samples : {1, 3, 8}) {
    const at::Tensor t = at::randn({samples, 6});
    CHECK(near(run(y, x = t), expected(n, t)));
    CHECK(kept_programs() == ++kept);
  }
  const at::Tensor transposed = at::randn({6, 8}).t(), wide = at::randn({8, 9}).narrow(1, 2, 6);
  CHECK(near(run(y, x = transposed), expected(n, transposed)));
  CHECK(near(run(y, x = wide), expected(n, wide)));
  CHECK(kept_programs() == kept + 2);
  const at::Tensor t = at::randn({8, 6});
  CHECK(near(run(y, {.chunk = 2}, x = t), expected(n, t)));
  CHECK(near(run(y, {.memory = 1_MiB}, x = t), expected(n, t)));
  CHECK(kept_programs() == kept + 4);
  CHECK_THROWS_AS(run(y, {.memory = 8}, x = t), memory_error);
  CHECK_THROWS_AS(run(y, x = t.to(at::kDouble)), shape_error);
  CHECK_THROWS_AS(run(y, x = at::randn({8, 5})), shape_error);
  CHECK_THROWS_AS(run(y), shape_error);
  CHECK_THROWS_AS(run(y, x = t, x = t), shape_error);
  CHECK_THROWS_AS(run(y, x = at::Tensor()), shape_error);
  CHECK_THROWS_AS(run(y, x = t.to_sparse()), shape_error);
  CHECK(kept_programs() == kept + 4);
  CHECK(near(run(y, x = t), expected(n, t)));
}

TEST_CASE("numbers, attributes and constants of an expression count") {
  input<batch, 4> x{"x"};
  const at::Tensor t = at::randn({3, 4});
  for (const double a : {1.0, 2.0, -1.0, 2.0}) {
    CHECK(at::allclose(run(x * a + 1, x = t), t * a + 1));
    CHECK(at::allclose(run(leaky_relu(x, a), x = t), at::leaky_relu(t, a)));
    CHECK(at::allclose(run(sum(x * x, dim = -1) * a, x = t), (t * t).sum(-1) * a));
  }
  for (const int d : {0, 1, 0}) CHECK(at::allclose(run(sum(x, dim = d), x = t), t.sum(d)));
  CHECK(std::signbit(run(x * 0.0, x = at::ones({1, 4})).select(1, 0).item<float>()) == false);
  CHECK(std::signbit(run(x * -0.0, x = at::ones({1, 4})).select(1, 0).item<float>()));
  const at::Tensor other = at::randn({3, 4});
  CHECK(at::allclose(run(x + t, x = other), t + other));
  CHECK(at::allclose(run(x + other, x = other), other + other));  // a different tensor of the same type
}

TEST_CASE("attributes that are 0 and -0 are two, and one that is NaN is known again") {
  const input<batch, 2> x{"x"};
  const at::Tensor t = at::ones({3, 2});
  for (const double zero : {0.0, -0.0, 0.0})
    CHECK(at::equal(run(reciprocal(full_like(x, zero)), x = t), at::full({3, 2}, 1 / zero)));
  CHECK(run(full_like(x, 0.0) / full_like(x, 1.0) + full_like(x, -0.0), x = t)
            .signbit()
            .logical_not()
            .all()
            .item<bool>());
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  STATIC_REQUIRE(attr<double>(none) == attr<double>(none));
  STATIC_REQUIRE(attr<double>(0.0) != attr<double>(-0.0));
  STATIC_REQUIRE(attr<double>(0.5) == attr<double>(0.5));
}

TEST_CASE("shared and erased expressions and gradients count by what they are made of") {
  drop_kept_programs();
  parameter<4> a{"a"}, b{"b"};
  set(a, at::ones({4}));
  set(b, at::full({4}, 3.F));
  input<batch, 4> x{"x"};
  const at::Tensor t = at::randn({3, 4});
  for (int i = 0; i < 3; ++i) {
    const auto h = let(x * a), k = let(x * b);
    CHECK(at::allclose(run(h * h, x = t), t * t));
    CHECK(at::allclose(run(h * k, x = t), 3 * t * t));
    erased<batch, 4> e = x;
    for (int j = 0; j < 3; ++j) e = e * a + (i == 2 && j == 2 ? 2.0 : 1.0);
    CHECK(at::allclose(run(e, x = t), t + (i == 2 ? 4 : 3)));
    CHECK(at::allclose(run(gradient(sum(x * a * b), a), x = t), t.sum(0) * 3));
    CHECK(at::allclose(run(gradient(sum(x * a * b), b), x = t), t.sum(0)));
  }
  CHECK(kept_programs() == 6);
}

TEST_CASE("a parameter's new values and its new tensor are read, and what is frozen is not trained") {
  drop_kept_programs();
  const net n;
  input<batch, 6> x{"x"};
  const auto y = n(x);
  const auto loss = sum(y);
  const at::Tensor t = at::randn({5, 6});
  const auto right = [&] { return near(run(y, x = t), expected(n, t)); };
  CHECK(right());
  {
    const at::NoGradGuard no_grad;
    tensor_of(n.w1).fill_(0.25);
  }
  CHECK(right());
  set(n.w1, at::randn({8, 6}));
  CHECK(right());
  set(n.w1, at::randn({6, 8}).t());
  CHECK(right());

  const auto gradients = [&] {
    return gradients_of(std::vector{tensor_of(n.w1), tensor_of(n.b2)}, [&] { (void)backward(loss, x = t); });
  };
  const auto first = gradients(), second = gradients();
  CHECK(identical(first[0], second[0]));
  CHECK(at::allclose(second[1], at::full({3}, 5.F)));
  tensor_of(n.w1).mutable_grad() = at::Tensor();
  tensor_of(n.w1).set_requires_grad(false);
  (void)backward(loss, x = t);
  CHECK(!tensor_of(n.w1).grad().defined());
  tensor_of(n.w1).set_requires_grad(true);
  (void)backward(loss, x = t);
  CHECK(identical(tensor_of(n.w1).grad(), first[0]));
  CHECK(at::allclose(tensor_of(n.b2).grad(), at::full({3}, 15.F)));
}

TEST_CASE("a leaf at the address of one that is gone is another leaf") {
  drop_kept_programs();
  input<batch, 4> x{"x"};
  const at::Tensor t = at::randn({3, 4});
  for (int i = 0; i < 40; ++i) {
    std::optional<parameter<4>> w(std::in_place, "w");
    set(*w, at::full({4}, static_cast<float>(i)));
    CHECK(at::allclose(run(x * *w, x = t), t * i));
    CHECK(at::allclose(run(x * at::full({4}, static_cast<float>(-i)), x = t), t * -i));
  }
  CHECK(kept_programs() <= koila::detail::most_kept);
}

TEST_CASE("inputs and new lazy tensors of each call are known by where they come up") {
  drop_kept_programs();
  const net n;
  const parameter<6> w{"w"};
  set(w, at::rand({6}));
  const auto made = [&](const at::Tensor& a, const at::Tensor& b) { return run(relu(lazy(a) * w) + exp(lazy(b))); };
  const auto want = [&](const at::Tensor& a, const at::Tensor& b) { return at::relu(a * tensor_of(w)) + at::exp(b); };
  std::size_t kept = 0;
  SECTION("one program, on the tensors of the call, of which none is kept") {
    for (int i = 0; i < 4; ++i) {
      const at::Tensor a = at::randn({5, 6}), b = at::randn({5, 6});
      CHECK(near(made(a, b), want(a, b)));
      CHECK(kept_programs() == 1);
      CHECK(a.storage().use_count() == 1);
    }
    for (int i = 0; i < 3; ++i) {
      const input<batch, 6> x{"x"};
      const at::Tensor t = at::randn({4, 6});
      CHECK(near(run(n(x), x = t), expected(n, t)));
      CHECK(kept_programs() == 2);
    }
  }
  SECTION("not where sizes, strides, dtypes, dims or names differ") {
    const at::Tensor a = at::randn({5, 6}), transposed = at::randn({6, 5}).t(),
                     wide = at::randn({5, 9}).narrow(1, 2, 6);
    for (const at::Tensor& t : {a, transposed, wide, a.narrow(0, 0, 2), a.narrow(0, 0, 1)}) {
      CHECK(near(made(t, t), want(t, t)));
      CHECK(kept_programs() == ++kept);
    }
    CHECK(near(made(a, a.narrow(0, 0, 1)), want(a, a.narrow(0, 0, 1))));
    CHECK(near(made(a.narrow(0, 0, 1), a), want(a.narrow(0, 0, 1), a)));
    CHECK(kept_programs() == (kept += 2));
    CHECK(near(run(lazy(a) * 2.0), a * 2.0));
    CHECK(near(run(lazy(a.to(at::kDouble)) * 2.0), a.to(at::kDouble) * 2.0));
    CHECK(near(run(lazy<batch>(a) * 2.0), a * 2.0));
    CHECK(kept_programs() == (kept += 3));
    const input<batch, 6> x{"x"}, z{"z"};
    CHECK(near(run(n(x), x = a), expected(n, a)));
    CHECK(near(run(n(z), z = a), expected(n, a)));
    CHECK(kept_programs() == kept + 2);
    CHECK_THROWS_WITH(run(n(z), z = at::randn({5, 7})), Catch::Matchers::ContainsSubstring("z: "));
    CHECK_THROWS_AS(run(n(z)), shape_error);
  }
  SECTION("one leaf twice is not two") {
    const at::Tensor a = at::randn({3, 6}), b = at::randn({3, 6});
    const auto x = lazy(a);
    CHECK(near(run(x * x), a * a));
    CHECK(near(run(lazy(a) * lazy(b)), a * b));
    CHECK(near(run(lazy(b) * lazy(a) - lazy(a)), b * a - a));
    CHECK(near(run(lazy(a) * lazy(b) - lazy(b)), a * b - b));
    const auto y = lazy(b);
    CHECK(near(run(y * lazy(a) - y), b * a - b));
    CHECK(near(run(x * lazy(b) - x), a * b - a));
    CHECK(near(run(lazy(b) * x - x), b * a - a));
    CHECK(kept_programs() == 5);
  }
  SECTION("inputs that are bound are not those that are bound in the other order") {
    const input<batch, 6> x{"x"}, z{"z"};
    const at::Tensor a = at::randn({3, 6}), b = at::randn({3, 6});
    for (int i = 0; i < 2; ++i) {
      CHECK(near(run(x - z, x = a, z = b), a - b));
      CHECK(near(run(x - z, z = a, x = b), b - a));
      CHECK(near(run(z - x, x = a, z = b), b - a));
      CHECK(near(run(x * 2.0, x = a), a * 2.0));
      CHECK_THROWS_AS(run(x * 2.0, x = a, z = b), shape_error);  // the expression does not read z
      CHECK_THROWS_AS(run(x * 2.0, x = a, z = at::randn({3, 7})), shape_error);
    }
  }
  SECTION("a tensor that asks for a gradient, or no more") {
    at::Tensor a = at::randn({3, 6});
    CHECK(near(run(lazy(a) * w), a * tensor_of(w).detach()));
    a.requires_grad_();
    CHECK_THROWS_AS(backward(sum(lazy(a) * w)), shape_error);
    a = a.detach();
    (void)backward(sum(lazy(a) * w));
    CHECK(near(tensor_of(w).grad(), a.sum(0)));
    at::Tensor b = at::randn({3, 6});
    (void)backward(sum(lazy(b) * w));
    CHECK(near(tensor_of(w).grad(), (a + b).sum(0)));
  }
  SECTION("after what was changed in place") {
    at::Tensor a = at::randn({3, 6});
    const auto x = lazy(a);
    const auto y = x * 2.0;
    CHECK(near(run(y), a * 2.0));
    a.resize_({2, 6});
    CHECK(near(run(lazy(a) * 2.0), a * 2.0));
    a.mul_(3);
    CHECK(near(run(lazy(a) * 2.0), a * 2.0));
  }
}

TEST_CASE("no tensor is kept: not the arena's, not the caller's, not a leaf's that is gone") {
  drop_kept_programs();
  const measure memory;
  {
    const net n;
    for (const at::Tensor& p : n.tensors()) CHECK(p.defined());
    const auto with_parameters = memory.live();
    input<batch, 6> x{"x"};
    const auto y = n(x);
    for (int i = 0; i < 3; ++i) {
      at::Tensor images = at::randn({50, 6});
      (void)run(y, x = images);
      (void)run(sum(y + lazy(at::randn({3}))), x = images);
      CHECK(images.storage().use_count() == 1);
    }
    CHECK(memory.live() == with_parameters);
    (void)backward(sum(y), x = at::randn({50, 6}));
    for (const at::Tensor& p : n.tensors()) {
      CHECK(p.grad().storage().use_count() == 1);
      p.mutable_grad() = at::Tensor();
    }
    CHECK(memory.live() == with_parameters);
  }
  CHECK(kept_programs() > 0);
  CHECK(memory.live() == 0);
  const at::Tensor left = run(relu(lazy(at::ones({4, 4}))));
  drop_kept_programs();
  CHECK(at::equal(left, at::ones({4, 4})));
}

TEST_CASE("the memory that a kept program takes is what its plan says") {
  const net n;
  input<batch, 6> x{"x"};
  const auto y = n(x);
  const at::Tensor t = at::randn({64, 6});
  const index_t planned = plan(y, {.memory = 1_MiB}, x = t).peak_bytes();
  for (int i = 0; i < 3; ++i) {
    const measure memory;
    (void)run(y, {.memory = 1_MiB}, x = t);
    CHECK(memory.peak() == planned);
    CHECK(memory.live() == 0);
  }
}

TEST_CASE("a budget is asked of each call") {
  drop_kept_programs();
  const net n;
  input<batch, 6> x{"x"};
  const auto y = tanh(exp(n(x) * n(x)) + 1) * n(x);
  const at::Tensor t = at::randn({4096, 6});
  const at::Tensor whole = run(y, x = t);
  const index_t most = plan(y, {.memory = 1_GiB}, x = t).peak_bytes();
  for (int i = 0; i < 2; ++i)
    for (const index_t memory : {most, most - 1, most * 3 / 4, most}) {
      const measure m;
      const at::Tensor value = run(y, {.memory = memory}, x = t);
      CHECK(m.peak() <= memory);
      CHECK(near(value, whole));
    }
}

TEST_CASE("each call draws new random numbers and changes buffers") {
  manual_seed(3);
  input<batch, 8> x{"x"};
  const at::Tensor t = at::ones({64, 8});
  const auto y = dropout(x, 0.5), z = dropout(x, 0.5);
  const at::Tensor first = run(y, x = t), second = run(y, x = t), third = run(z, x = t);
  CHECK(!at::equal(first, second));
  CHECK(!at::equal(first, third));
  manual_seed(3);
  CHECK(at::equal(run(y, x = t), first));
  CHECK(at::equal(run(y, x = t), second));

  const buffer<8> running{"running"};
  double now = 0;
  for (int i = 0; i < 4; ++i) {
    CHECK(at::allclose(run(moved_on(x, running), x = t), t - now));
    now = now * 0.5 + 0.5;
    CHECK(at::allclose(tensor_of(running), at::full({8}, now)));
  }
}

TEST_CASE("after memory has run out in a kept program, values and memory are as before") {
  drop_kept_programs();
  const net n;
  input<batch, 6> x{"x"};
  const auto y = n(x);
  const at::Tensor t = at::randn({64, 6}), right = expected(n, t);
  for (const auto error : {failing_allocator::thrown::out_of_memory, failing_allocator::thrown::bad_alloc})
    for (int k = 1;; ++k) {
      CHECK(near(run(y, x = t), right));
      failing_allocator allocator;
      const measure memory;
      allocator.fail_at(k, error);
      at::Tensor value;
      try {
        value = run(y, x = t);
      } catch (const memory_error&) {}
      const bool failed = allocator.failed();
      allocator.stop();
      if (value.defined()) CHECK(near(value, right));
      value = at::Tensor();
      CHECK(memory.live() == 0);
      CHECK(near(run(y, x = t), right));
      if (!failed) break;
    }
}

TEST_CASE("an exception in a kept program drops it") {
  drop_kept_programs();
  parameter<4> w{"w"};
  input<batch, 4> x{"x"};
  const auto loss = sum(x * w);
  const at::Tensor t = at::randn({3, 4});
  (void)backward(loss, x = t);
  const at::Tensor before = tensor_of(w).grad().clone();
  tensor_of(w).mutable_grad() = at::zeros({1}).expand({4});
  CHECK_THROWS_AS(backward(loss, x = t), shape_error);
  tensor_of(w).mutable_grad() = at::Tensor();
  (void)backward(loss, x = t);
  CHECK(at::equal(tensor_of(w).grad(), before));
}

TEST_CASE("inference mode, a tensor that asks for a gradient and a callable are not mistaken") {
  parameter<4> w{"w"};
  set(w, at::ones({4}));
  input<batch, 4> x{"x"};
  const auto y = x * w;
  at::Tensor t = at::randn({3, 4});
  {
    const c10::InferenceMode inference;
    CHECK(run(y, x = t).is_inference());
  }
  CHECK(!run(y, x = t).is_inference());
  const auto g = gradient(sum(y), w);
  (void)run(g, x = t);
  t.requires_grad_();
  CHECK_THROWS_AS(run(g, x = t), shape_error);
  t = t.detach();
  int calls = 0;
  const std::size_t kept = kept_programs();
  const auto own = custom([&](const at::Tensor& a) { return ++calls, a * 2; }, x, workspace = 1_KiB);
  for (int i = 0; i < 2; ++i) CHECK(at::allclose(run(own, x = t), t * 2));
  CHECK(calls > 0);
  CHECK(kept_programs() == kept);
}

TEST_CASE("two threads run one expression, each with a program of its own") {
  drop_kept_programs();
  const net n;
  input<batch, 6> x{"x"};
  const auto y = n(x);
  std::array<bool, 3> right{true, true, true};
  std::barrier<> begin(3);
  const auto work = [&](std::size_t k) {
    at::set_num_threads(1);
    const at::Tensor t = at::randn({static_cast<std::int64_t>(3 + k % 2), 6}), want = expected(n, t);
    begin.arrive_and_wait();
    for (int i = 0; i < 200; ++i) right[k] = right[k] && near(run(y, x = t), want);
  };
  std::thread one(work, 1), two(work, 2);
  work(0);
  one.join(), two.join();
  CHECK(right == std::array<bool, 3>{true, true, true});
  CHECK(kept_programs() >= 2);
  CHECK(kept_programs() <= 3);
}

TEST_CASE("a few programs are kept, those used last, and none that is large") {
  drop_kept_programs();
  input<batch, 2> x{"x"};
  const auto y = exp(x);
  for (int i = 1; i < 90; ++i) (void)run(y, x = at::ones({i, 2}));
  CHECK(kept_programs() == koila::detail::most_kept);
  drop_kept_programs();
  erased<batch, 2> e = x;
  for (int i = 0; i < 1500; ++i) e = abs(e) + 1.0;
  CHECK(at::equal(run(e, x = at::zeros({1, 2})), at::full({1, 2}, 1500.F)));
  CHECK(kept_programs() == 0);
}

TEST_CASE("what is kept reads what is bound now, through views of all samples too") {
  const input<batch, 3> x{"x"};
  // A view of all samples. The loop reads rows of the view.
  const auto y = expand(reshape(x, -1, 1, 3), -1, 2, 3) * 2.0;
  const parameter<3> w{"w"};
  set(w, at::ones({3}));
  auto train = step(sum(y * y * w), sgd{.lr = 0});
  for (const index_t samples : {1, 4})
    for (int i = 0; i < 3; ++i) {
      const at::Tensor t = at::randn({samples, 3}), want = t.unsqueeze(1).expand({-1, 2, 3}) * 2.0;
      CHECK(identical(run(y, x = t), want));
      CHECK(near(train(x = t), want.square().sum()));
    }
}
