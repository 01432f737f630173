// SPDX-License-Identifier: MIT
// A call must bind each input of its expression exactly once, and nothing else.
#include "run/support.hpp"

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr struct beats : axis<beats> {
  using axis::operator=;
} beats;

}  // namespace

TEST_CASE("trials B6: an input that is bound and not in the expression is refused") {
  const input<batch, 4> x{"x"}, extra{"extra"};
  const input<int64, batch> label{"label"};
  const parameter<3, 4> w{"w"};
  const at::Tensor values = at::randn({5, 4}), labels = labels_of(5, 3);  // (batch, 4), (batch)
  const auto y = linear(x, w);
  const auto loss = cross_entropy(y, label);
  (void)tensor_of(w);
  const auto message = ContainsSubstring("extra: [batch=5, 4]: bound, and not in the expression");
  for (int i = 0; i < 2; ++i) {  // in the second round, the program is kept
    const measure m;
    CHECK_THROWS_WITH(run(y, x = values, extra = values), message);
    CHECK_THROWS_WITH(run(y, x = values, label = labels), ContainsSubstring("label: int64[batch=5]: bound, and not"));
    CHECK_THROWS_WITH(backward(loss, x = values, label = labels, extra = values), message);
    CHECK_THROWS_WITH(plan(loss, x = values, label = labels, extra = values), message);
    CHECK_THROWS_WITH(run(gradient(loss, w), x = values, extra = values, label = labels), message);
    CHECK_THROWS_WITH(run(erased<unranked>(y), extra = values, x = values), message);
    CHECK_THROWS_WITH(run(lazy(values) * 2.0, extra = values), message);
    CHECK(m.peak() == 0);
    CHECK(near(run(y, x = values), at::linear(values, tensor_of(w).detach())));
  }
  CHECK(!tensor_of(w).grad().defined());
  SECTION("by a step, before and after it has planned") {
    auto train = step(loss, sgd{.lr = 0.1});
    const at::Tensor before = tensor_of(w).detach().clone();
    CHECK_THROWS_WITH(train(x = values, label = labels, extra = values), message);
    CHECK(at::equal(tensor_of(w), before));
    train(x = values, label = labels);
    const at::Tensor after = tensor_of(w).detach().clone();
    CHECK_THROWS_WITH(train(x = values, extra = values, label = labels), message);
    CHECK_THROWS_WITH(train.plan(x = values, extra = values, label = labels), message);
    CHECK(at::equal(tensor_of(w), after));
    CHECK(train.plans() == 1);
    train(x = values, label = labels);
    CHECK(!at::equal(tensor_of(w), after));
  }
  SECTION("not where it is in the expression as it is written, and its values are not needed") {
    const auto dims_alone = sum(y) + sum(zeros_like(extra));
    CHECK_NOTHROW(run(dims_alone, x = values, extra = values));
    CHECK_NOTHROW(backward(dims_alone, x = values, extra = values));
    CHECK_NOTHROW(run(gradient(sum(y) + sum(extra), w), x = values, extra = values));
    CHECK_NOTHROW(run(gradient(sum(y), extra), x = values, extra = values));  // the gradient is zero
    auto train = step(dims_alone, sgd{.lr = 0.1});
    for (int i = 0; i < 2; ++i) CHECK_NOTHROW(train(x = values, extra = values));
  }
}

TEST_CASE("trials B6: an input is bound once, to what it declares, and a parameter not at all") {
  const input<batch, 4> x{"x"};
  const parameter<4> w{"w"};
  const buffer<4> b{"b"};
  const at::Tensor values = at::randn({5, 4}), four = at::randn({4});  // (batch, 4), (4)
  const auto loss = sum(x * w + b);
  const auto everywhere = [&](const auto& message, const auto&... bound) {
    CHECK_THROWS_WITH(run(loss, bound...), message);
    CHECK_THROWS_WITH(backward(loss, bound...), message);
    CHECK_THROWS_WITH(plan(loss, bound...), message);
    CHECK_THROWS_WITH(run(gradient(loss, w), bound...), message);
    auto train = step(loss, sgd{.lr = 0.1});
    CHECK_THROWS_WITH(train(bound...), message);
    CHECK_THROWS_WITH(train.plan(bound...), message);
  };
  everywhere(ContainsSubstring("x is bound twice"), x = values, x = values);
  everywhere(ContainsSubstring("w is no input: set(leaf, tensor)"), x = values, binding<at::Tensor>{w.state, four});
  everywhere(ContainsSubstring("b is no input: set(leaf, tensor)"), x = values, binding<at::Tensor>{b.state, four});
  const auto held = lazy(values);
  CHECK_THROWS_WITH(run(held * 2.0, binding<at::Tensor>{held.state, values}), ContainsSubstring("tensor is no input"));
}

TEST_CASE("trials B6: a tensor without elements of its own to read is refused") {
  const input<1, 4> x{"x"};
  const parameter<4> w{"w"};
  const at::Tensor zero = at::_efficientzerotensor({1, 4});
  auto train = step(sum(x * w), sgd{.lr = 0});
  for (int again = 0; again < 2; ++again) {  // in the second round, there is a plan for these dims
    for (const at::Tensor& t : {zero, at::ones({1, 4})._neg_view()})
      CHECK_THROWS_WITH(train(x = t), "x: the tensor is not a plain strided one");
    (void)train(x = at::ones({1, 4})), (void)run(x * w, x = at::ones({1, 4}));
  }
  CHECK_THROWS_WITH(run(x * w, x = zero), "x: the tensor is not a plain strided one");
  CHECK_THROWS_WITH(backward(sum(x * w), x = zero), "x: the tensor is not a plain strided one");
  CHECK_THROWS_WITH(lazy(zero), "lazy: the tensor is not a plain strided one");
  const at::Tensor nested = at::_nested_tensor_from_tensor_list({at::ones({2}), at::ones({3})});
  CHECK_THROWS_WITH(run(x * w, x = nested), "x: the tensor is not a plain strided one");
}

TEST_CASE("trials B6: peak_bytes refuses an axis that no value has, and one that is bound twice") {
  const input<batch, 4> x{"x"};
  const parameter<3, 4> w{"w"};
  const auto loss = sum(linear(x, w));
  CHECK(peak_bytes([&] { return loss; }, batch = 5) > 0);
  CHECK_THROWS_WITH(peak_bytes([&] { return loss; }, batch = 5, beats = 3),
                    ContainsSubstring("beats: bound, and not in the expression"));
  CHECK_THROWS_WITH(peak_bytes([&] { return sum(w); }, batch = 5),
                    ContainsSubstring("batch: bound, and not in the expression"));
  CHECK_THROWS_WITH(peak_bytes([&] { return loss; }, batch = 5, batch = 6),
                    ContainsSubstring("batch: one axis has two extents"));
}
