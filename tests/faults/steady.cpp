// SPDX-License-Identifier: MIT
// Allocations of steps and runs in steady state. Steps and runs allocate no tensor memory, and
// koila allocates only the results that it returns.
#include "faults/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// A perceptron with three layers.
template <dtype Type = float32>
struct layers {
  parameter<Type, 64, 64> w1{"w1"};
  parameter<Type, 64> b1{"b1"};
  parameter<Type, 64, 64> w2{"w2"};
  parameter<Type, 64> b2{"b2"};
  parameter<Type, 10, 64> w3{"w3"};
  parameter<Type, 10> b3{"b3"};
  auto operator()(const auto& x) const { return linear(relu(linear(relu(linear(x, w1, b1)), w2, b2)), w3, b3); }
};

/// Returns the largest number of operator new calls in one call of f. Makes ten calls after two
/// warm-up calls. Ignores the two highest counts: once per second, a call of f also searches for
/// the files that state the free memory, and so calls operator new more often.
auto most_calls(const std::function<void()>& f) -> heap::calls {
  f(), f();
  std::array<int, 10> koila{}, libtorch{};
  for (std::size_t i = 0; i < koila.size(); ++i) {
    const heap::calls now = heap::calls_in(f);
    koila[i] = now.koila, libtorch[i] = now.libtorch;
  }
  std::sort(koila.begin(), koila.end());
  std::sort(libtorch.begin(), libtorch.end());
  return {koila[koila.size() - 3], libtorch[libtorch.size() - 3]};
}

/// Checks a step from the third call on.
void check_steps(const std::function<void()>& once) {
  once(), once();
  const auto before = tensors.count();
  const heap::calls calls = most_calls(once);
  CHECK(tensors.count() == before);
  CHECK(calls.koila <= 5);
  std::printf("heap: a step calls operator new %d times, LibTorch in it %d times\n", calls.koila, calls.libtorch);
}

}  // namespace

TEST_CASE("row 17: a step takes no tensor memory from the third on, and koila calls operator new five times at most") {
  const layers<> net;
  input<batch, 64> x{"x"};
  input<int64, batch> label{"label"};
  const at::Tensor images = at::randn({32, 64}), labels = labels_of(32, 10);
  const auto check = [&](auto optimizer, const options& o) {
    auto train = step(cross_entropy(net(x), label), optimizer, o);
    const auto once = [&] { (void)train(x = images, label = labels); };
    check_steps(once);
  };
  check(sgd{.lr = 0.01}, {});
  check(sgd{.lr = 0.01, .momentum = 0.9}, {});
  check(adam{.lr = 0.01}, {.memory = 1_GiB});
  check(sgd{.lr = 0.01}, {.chunk = 8});
}

TEST_CASE("row 17: so do steps of 16 bits, whose products, convolutions and attention are computed in float32") {
  const auto check = [](const auto& loss, const auto&... bound) {
    for (const std::int64_t samples : {32, 8}) {
      auto train = step(loss, sgd{.lr = 0.01}, {.chunk = samples});
      check_steps([&] { (void)train(bound...); });
    }
  };
  input<int64, batch> label{"label"};
  const at::Tensor labels = labels_of(32, 10);
  const layers<bfloat16> net;
  input<bfloat16, batch, 64> x{"x"};
  check(cross_entropy(net(x), label), x = at::randn({32, 64}).to(at::kBFloat16), label = labels);
  input<float16, batch, 4, 8, 8> image{"image"};
  const parameter<float16, 6, 4, 3, 3> kernel{"kernel"};
  const parameter<float16, 10, 6> words{"words"};
  const auto rows = transpose(flatten(conv2d(image, kernel, padding = 1_c), 2_c), 1_c, 2_c);  // (batch, 64, 6)
  const auto y = linear(scaled_dot_product_attention(rows, rows, rows), words);
  check(cross_entropy(mean(y, 1_c), label), image = at::randn({32, 4, 8, 8}).to(at::kHalf), label = labels);
}

TEST_CASE("row 17: koila's kernels of 16 bits take none either beside LibTorch's that do") {
  // LibTorch's 16-bit kernels allocate for conversions. The count must be the same with and without
  // a matrix product before these kernels.
  const input<bfloat16, batch, 64> x{"x"};
  const parameter<bfloat16, 64> b{"b"};
  const parameter<bfloat16, 64, 64> w{"w"};
  const at::Tensor t = at::randn({32, 64}).to(at::kBFloat16);
  const auto taken = [&](const auto& y) {
    auto train = step(mean(where(gt(y, 0.0), y * 0.5, 0.25)), sgd{.lr = 0.01}, {.chunk = 8});
    const auto once = [&] { (void)train(x = t); };
    once(), once();
    const auto before = tensors.count();
    once();
    return tensors.count() - before;
  };
  CHECK(taken(linear(x, w, b)) == taken(x * b));
  CHECK(taken(linear(tanh(linear(x, w)), w, b)) == taken(x * b));
}

TEST_CASE(
    "row 17: new calls of random ops put no program out that is found again, and one that is made once is found") {
  drop_kept_programs();
  const at::Tensor t = at::randn({4, 6});
  // Upper bound on the calls of operator new in a run that finds its program in the cache: for lazy
  // tensors, for their expression, and, at the second call, for the check whether a faster plan
  // fits. Planning takes hundreds of calls.
  constexpr int found = 50;
  const auto once = [&] { (void)run(tanh(lazy(t)) * 2.0); };
  CHECK(heap::calls_in(once).koila > 3 * found);
  CHECK(heap::calls_in(once).koila <= found);
  for (int i = 0; i < 100; ++i) (void)run(dropout(lazy(t), 0.5));
  CHECK(heap::calls_in(once).koila <= found);
  const auto made_once = dropout(tanh(lazy(t)) * 2.0, 0.5);
  (void)run(made_once);
  CHECK(heap::calls_in([&] { (void)run(made_once); }).koila <= found);
  // The same must hold after other programs have filled the cache.
  const input<batch, 6> x{"x"};
  for (int again = 0; again < 2; ++again)
    for (int i = 1; i < 70; ++i) (void)run(x * 2.0, x = at::ones({i, 6}));
  const auto another = dropout(exp(lazy(t)), 0.5);
  (void)run(another);
  CHECK(heap::calls_in([&] { (void)run(another); }).koila <= found);
}

TEMPLATE_TEST_CASE("row 17: so do steps of convolutions, recurrent layers and transformers", "", conv, recurrent,
                   transformer) {
  const TestType m;
  const auto check = [&](const options& o) {
    auto train = step(m.loss(), sgd{.lr = 0.01}, o);
    const auto bound = m.bound();
    const auto once = [&] { std::apply([&](const auto&... b) { (void)train(b...); }, bound); };
    check_steps(once);
  };
  check({});
  check({.chunk = 2});
}

TEST_CASE(
    "row 17: a run of what has run takes the tensor memory of its plan, and koila calls operator new five times at most") {
  const layers<> net;
  input<batch, 64> x{"x"};
  const auto y = net(x);
  for (const std::int64_t samples : {1, 32}) {
    const at::Tensor images = at::randn({samples, 64});
    const auto once = [&] { (void)run(y, x = images); };
    once();
    const auto live = tensors.live(), count = tensors.count();
    once();
    CHECK(tensors.live() == live);
    CHECK(tensors.count() == count + 2);  // the arena and the value
    const heap::calls calls = most_calls(once);
    CHECK(calls.koila <= 5);
    std::printf("heap: a run calls operator new %d times, LibTorch in it %d times\n", calls.koila, calls.libtorch);
  }
}

TEST_CASE("row 17: how much memory is free is read without the heap") {
  device::host_memory memory;
  (void)memory.free();
  CHECK(most_calls([&] { (void)memory.free(); }).koila == 0);
}
