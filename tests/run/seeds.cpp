// SPDX-License-Identifier: MIT
// Random numbers follow koila's seed if it was set. Otherwise they follow LibTorch's generator.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>
#include <koila/ops/custom/custom.hpp>

using namespace koila;
using namespace ::test;

namespace {

/// Restores the state of a process that has not called koila::manual_seed.
void follow_libtorch() { koila::detail::random_numbers().seeded = false; }

/// Returns dropout of ones. Each call builds a new expression.
auto mask(const at::Tensor& ones) -> at::Tensor {
  const input<batch, any> x{"x"};
  return run(dropout(x, 0.5), x = ones);
}

}  // namespace

TEST_CASE("trials A8: masks follow LibTorch's seed where koila's own was not set") {
  follow_libtorch();
  const at::Tensor ones = at::ones({16, 40});
  const auto drawn = [&](const auto& f, std::uint64_t seed) {
    at::manual_seed(seed);
    return f();
  };
  const auto check = [&](const auto& f) {
    const at::Tensor one = drawn(f, 1), two = drawn(f, 2), three = drawn(f, 3);
    CHECK_FALSE(identical(one, two));
    CHECK_FALSE(identical(two, three));
    CHECK_FALSE(identical(one, three));
    for (const int again : {1, 2}) {  // calls in between have no influence
      CAPTURE(again);
      (void)mask(ones);
      CHECK(identical(drawn(f, 1), one));
    }
    at::manual_seed(1);
    CHECK(identical(f(), one));
    CHECK_FALSE(identical(f(), one));  // the next call draws different numbers
  };
  check([&] { return mask(ones); });
  check([&] { return dropout(ones, 0.5); });  // eagerly
  check([&] { return rand_like(ones); });
  check([&] { return randn_like(ones); });
  check([&] { return bernoulli(ones * 0.3); });
  check([&] { return alpha_dropout(ones, 0.5); });
  const input<batch, any> x{"x"};
  const auto y = dropout(x, 0.5);
  check([&] { return run(y, x = ones); });
  check([&] { return run(y, {.chunk = 3}, x = ones); });
  const parameter<40> w{"w"};
  check([&] {
    set(w, at::ones({40}));
    auto train = step(mean(square(dropout(x * w, 0.5))), sgd{.lr = 1});
    (void)train(x = ones), (void)train(x = ones);
    return tensor_of(w).detach().clone();
  });
}

TEST_CASE("trials A8: koila's own seed goes before LibTorch's, and leaves its generator alone") {
  follow_libtorch();
  const at::Tensor ones = at::ones({16, 40});
  manual_seed(7);
  at::manual_seed(1);
  const at::Tensor next = at::randn({3});
  at::manual_seed(1);
  const at::Tensor first = mask(ones);
  CHECK(identical(at::randn({3}), next));
  manual_seed(7);
  at::manual_seed(2);
  CHECK(identical(mask(ones), first));
  manual_seed(8);
  CHECK_FALSE(identical(mask(ones), first));
  follow_libtorch();
}

TEST_CASE("trials A8: the random ops of one program are told apart, whenever they were made") {
  follow_libtorch();
  const at::Tensor ones = at::ones({8, 50});
  const input<batch, 50> x{"x"};
  const auto before = dropout(x, 0.5);
  manual_seed(1);  // both expressions are created after the same number of calls
  const auto after = dropout(x, 0.5);
  CHECK_FALSE(run(eq(before, after), x = ones).all().item<bool>());
  CHECK(run(eq(before, before), x = ones).all().item<bool>());
  follow_libtorch();
}

TEST_CASE("trials A8: a run that fails draws nothing from LibTorch's generator") {
  follow_libtorch();
  const input<batch, 8> x{"x"};
  const parameter<8> w{"w"};
  const at::Tensor t = at::ones({4, 8});
  bool fails = true;
  const auto loss = mean(custom(
      [&](const at::Tensor& v) {
        if (fails) throw std::runtime_error("as asked");
        return v * at::rand_like(v);
      },
      dropout(x * w, 0.5), koila::workspace = 0));
  (void)tensor_of(w);
  const auto state = [] { return at::detail::getDefaultCPUGenerator().get_state(); };
  at::manual_seed(5);
  const at::Tensor before = state();
  CHECK_THROWS(run(loss, x = t));
  CHECK(at::equal(state(), before));
  fails = false;
  const at::Tensor value = run(loss, x = t);
  CHECK_FALSE(at::equal(state(), before));
  at::manual_seed(5);
  CHECK(identical(run(loss, x = t), value));
}
