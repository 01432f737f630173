// SPDX-License-Identifier: MIT
// Memory problems that users of comparable tools have reported. The numbers in the test names are
// rows of the list of failure cases.
#include "faults/support.hpp"

#include <koila/tools/report.hpp>

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

using thrown = tensor_memory::thrown;

/// Refuses allocations of `bytes` or more while this object exists.
struct refusing {
  explicit refusing(std::int64_t bytes, thrown e = thrown::as_libtorch) { tensors.fail_from(1, bytes, e); }
  ~refusing() { tensors.stop(); }
  refusing(const refusing&) = delete;
  auto operator=(const refusing&) -> refusing& = delete;
};

}  // namespace

TEST_CASE("row 4: where the system has no memory for the smallest plan, that is the error, and nothing has changed") {
  const mlp m;
  (void)m.leaves();
  const auto loss = m.loss();
  const auto train = [&](const auto& x, const auto& label) {
    auto once = step(loss, sgd{.lr = 0.1});
    return once(x, label);
  };
  const index_t whole = plan(loss, m.x = m.images, m.label = m.labels).peak_bytes();
  const at::Tensor before = tensor_of(m.net.a.weight).detach().clone();
  const auto live = tensors.live();
  for (const thrown e : {thrown::as_libtorch, thrown::bad_alloc, thrown::out_of_memory}) {
    const refusing all(64, e);
    const auto check = [&](const auto& f) {
      try {
        (void)f();
        FAIL("it ran");
      } catch (const memory_error& what) {
        CHECK(what.needed > 0);
        CHECK(what.needed < whole);
        CHECK(what.allowed >= what.needed);
        CHECK_THAT(what.what(), Catch::Matchers::ContainsSubstring(std::to_string(what.needed) + " bytes"));
      }
    };
    check([&] { return run(loss, m.x = m.images, m.label = m.labels); });
    check([&] { return backward(loss, m.x = m.images, m.label = m.labels); });
    CHECK(tensors.live() == live);
    check([&] { return train(m.x = m.images, m.label = m.labels); });
    CHECK(tensors.live() == live);
  }
  CHECK(identical(tensor_of(m.net.a.weight), before));
  CHECK_NOTHROW(train(m.x = m.images, m.label = m.labels));
  CHECK_FALSE(identical(tensor_of(m.net.a.weight), before));
}

TEST_CASE("row 16: values lie in one block, and nothing is left between them that could not be used") {
  const mlp m;
  (void)m.leaves();
  auto train = step(m.loss(), sgd{.lr = 0.1});
  const auto before = tensors.count(), live = tensors.live();
  (void)train(m.x = m.images, m.label = m.labels);
  CHECK(tensors.count() - before == 2);  // the arena and the loss
  // The plan covers all reserved memory. At the peak, at most 2 % of the arena lies in gaps between
  // values.
  const memory_plan& p = train.plan();
  const memory_report report(p);
  CHECK(tensors.live() - live == p.peak_bytes() - p.buffers.workspace());
  CHECK(report.peak[memory_use::gap] <= p.arena_bytes / 50);
}

TEST_CASE("row 17: in steady state nothing is allocated, and what was refused is not asked for at every step") {
  const mlp m;
  (void)m.leaves();
  auto train = step(m.loss(), sgd{.lr = 0.01}, {.memory = 1_GiB});
  const auto steps = [&](int n) {
    for (int i = 0; i < n; ++i) (void)train(m.x = m.images, m.label = m.labels);
  };
  steps(3);
  const auto before = tensors.count();
  steps(100);
  CHECK(tensors.count() == before);
  const index_t whole = train.plan().arena_bytes;
  auto second = step(m.loss(), sgd{.lr = 0.01}, {.memory = 1_GiB});
  {
    const refusing large(whole);
    int fewer = 0;
    auto asked = tensors.refused();
    for (int i = 0; i < 200; ++i) {
      (void)second(m.x = m.images, m.label = m.labels);
      fewer += second.plan().arena_bytes < whole ? 1 : 0;
    }
    CHECK(fewer == 200);
    CHECK(tensors.refused() - asked <= 10);  // the step asks again after 0, 1, 3, 7, ... steps
  }
  for (int i = 0; i < 300 && second.plan().arena_bytes < whole; ++i) (void)second(m.x = m.images, m.label = m.labels);
  CHECK(second.plan().arena_bytes == whole);
}

TEST_CASE("row 18: what ran out of memory is tried again when its memory is free") {
  const mlp m;
  (void)m.leaves();
  const auto loss = m.loss();
  const memory_plan whole = plan(loss, m.x = m.images, m.label = m.labels);
  const at::Tensor expected = run(loss, m.x = m.images, m.label = m.labels);
  for (const thrown e : {thrown::as_libtorch, thrown::bad_alloc, thrown::out_of_memory}) {
    const auto live = tensors.live();
    const refusing large(whole.arena_bytes, e);
    CHECK(::test::near(run(loss, m.x = m.images, m.label = m.labels), expected));
    CHECK(tensors.live() == live);
  }
}

TEST_CASE("row 19: memory that runs out is told by type, not by text") {
  input<batch, 3> x{"x"};
  const at::Tensor t = at::randn({8, 3});
  int calls = 0;
  const auto with = [&](auto fail) {
    return custom(
        [&calls, fail](const at::Tensor& rows) {
          if (++calls == 1) fail();
          return rows + 1;
        },
        x, workspace = 0, per_sample = true, rule = [](const dims& d) -> verdict { return d; });
  };
  const auto text = with([] { throw std::runtime_error("CUDA out of memory. Tried to allocate 2.00 GiB"); });
  CHECK_THROWS_WITH(run(text, x = t), Catch::Matchers::ContainsSubstring("out of memory"));
  CHECK(calls == 1);
  calls = 0;
  const auto plain = with([] { TORCH_CHECK(false, "DefaultCPUAllocator: can't allocate memory"); });
  CHECK_THROWS_AS(run(plain, x = t), c10::Error);
  CHECK(calls == 1);
  calls = 0;
  const auto type = with([] { TORCH_CHECK_WITH(OutOfMemoryError, false, "something"); });
  CHECK(at::equal(run(type, x = t), t + 1));
  CHECK(calls > 1);
  calls = 0;
  const auto standard = with([] { throw std::bad_alloc(); });
  CHECK(at::equal(run(standard, x = t), t + 1));
  calls = 0;
  const auto reported = with([] {
    c10::reportOutOfMemoryToProfiler(1, 0, 0, c10::Device(c10::kCPU));  // as LibTorch's host allocator does
    TORCH_CHECK(false, "something");
  });
  CHECK(at::equal(run(reported, x = t), t + 1));
}

TEST_CASE("row 24: what the optimiser keeps is counted from the first step on") {
  const mlp m;
  const index_t parameters = (16 * 12 + 16 + 5 * 16 + 5) * 4;
  (void)m.leaves();
  auto train = step(m.loss(), adam{.lr = 0.01});
  tensors.begin_peak();
  (void)train(m.x = m.images, m.label = m.labels);
  CHECK(train.plan().optimizer_bytes == 2 * parameters);
  CHECK(tensors.peak() == train.plan().peak_bytes() + train.state_bytes());
  for (int i = 0; i < 5; ++i) (void)train(m.x = m.images, m.label = m.labels);
  CHECK(tensors.peak() == train.plan().peak_bytes() + train.state_bytes());
  const index_t least = plan(m.loss(), {.chunk = 1}, m.x = m.images, m.label = m.labels).peak_bytes();
  auto short_of = step(m.loss(), adam{.lr = 0.01}, {.memory = 2 * parameters + least / 2});
  CHECK_THROWS_AS(short_of(m.x = m.images, m.label = m.labels), memory_error);
  CHECK(short_of.state_bytes() == 0);
}

TEST_CASE("row 25: evaluation and training are planned each, in the same budget") {
  const mlp m;
  (void)m.leaves();
  const auto loss = m.loss();
  const auto value = m.value();
  const index_t train_whole = plan(loss, m.x = m.images, m.label = m.labels).peak_bytes();
  const options o{.memory = train_whole - 1};
  auto train = step(loss, sgd{.lr = 0.1}, o);
  const at::Tensor many = at::randn({64, 12});
  for (int epoch = 0; epoch < 3; ++epoch) {
    tensors.begin_peak();
    (void)train(m.x = m.images, m.label = m.labels);
    if (epoch == 0) CHECK(tensors.peak() == train.plan().peak_bytes());
    CHECK(tensors.peak() <= o.memory);
    tensors.begin_peak();
    (void)run(value, o, m.x = many);
    CHECK(tensors.peak() <= o.memory);
    CHECK(tensors.peak() >= 64 * 5 * 4);
  }
  CHECK_THROWS_AS(run(value, {.memory = 64 * 5 * 4}, m.x = many), memory_error);
}

TEST_CASE("row 26: longer samples later are planned when they come, and once") {
  nn::linear<4, 7> out{"out"};
  input<batch, any, 4> x{"x"};
  const auto y = out(tanh(x));
  const auto loss = mean(y * y);
  (void)tensor_of(out.weight), (void)tensor_of(out.bias);
  const options o{.memory = 16_KiB};
  auto train = step(loss, sgd{.lr = 0.01}, o);
  index_t last = 64;
  for (const index_t length : {2, 8, 32, 64}) {
    const at::Tensor samples = at::ones({16, length, 4});  // (16, length, 4)
    tensors.begin_peak();
    (void)train(x = samples);
    CHECK(tensors.peak() <= o.memory);
    CHECK(train.plan().peak_bytes() <= o.memory);
    CHECK(train.plan().chunk() <= last);
    last = train.plan().chunk();
  }
  CHECK(last < 16);
  CHECK(train.plans() == 4);
  for (const index_t length : {64, 2, 32, 8}) (void)train(x = at::ones({16, length, 4}));
  CHECK(train.plans() == 4);
}

TEST_CASE("row 29: the batch that a step trains on stays the whole batch, whatever memory runs out") {
  at::manual_seed(2);
  const conv m;
  (void)m.leaves();
  std::vector<at::Tensor> first, wanted;
  for (const auto& t : m.leaves()) first.push_back(t.detach().clone());
  const auto train_from_first = [&](bool refuse) {
    for (std::size_t k = 0; k < first.size(); ++k) m.leaves()[k].detach().copy_(first[k]);
    auto train = step(m.loss(), sgd{.lr = 0.05, .momentum = 0.9}, {.memory = 1_GiB});
    std::vector<double> losses;
    const index_t whole = plan(m.loss(), m.x = m.images, m.label = m.labels).arena_bytes,
                  least = plan(m.loss(), {.chunk = 1}, m.x = m.images, m.label = m.labels).arena_bytes;
    for (int i = 0; i < 12; ++i) {
      if (refuse) tensors.fail_from(1, least + (whole - least) * (12 - i) / 12, thrown::as_libtorch);
      losses.push_back(train(m.x = m.images, m.label = m.labels).item<double>());
      tensors.stop();
    }
    return losses;
  };
  const auto expected = train_from_first(false);
  for (const auto& t : m.leaves()) wanted.push_back(t.detach().clone());
  const auto got = train_from_first(true);
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) <= 1e-4 * std::abs(expected[i]));
  for (std::size_t k = 0; k < wanted.size(); ++k) CHECK(relative_error(m.leaves()[k], wanted[k]) <= 1e-3);
}

TEST_CASE("parameters that could not be made get the values that they would have got") {
  const auto make = [](const nn::linear<4, 3>& net) {
    return std::vector<at::Tensor>{tensor_of(net.weight).detach().clone(), tensor_of(net.bias).detach().clone()};
  };
  at::manual_seed(9);
  const auto wanted = make(nn::linear<4, 3>("net"));
  const at::Tensor after = libtorch_state();
  for (int n = 1; n < 60; ++n) {
    CAPTURE(n);
    at::manual_seed(9);
    const nn::linear<4, 3> net("net");
    const at::Tensor before = libtorch_state();
    const auto try_with = [&](const auto& arm) {
      arm();
      try {
        (void)tensor_of(net.weight);
      } catch (const std::exception&) {
        tensors.stop(), heap::fail_at(0);
        CHECK(at::equal(libtorch_state(), before));
      }
      tensors.stop(), heap::fail_at(0);
    };
    try_with([&] { heap::fail_at(n); });
    try_with([&] { tensors.fail_at(n, thrown::as_libtorch); });
    const auto got = make(net);
    CHECK(identical(got[0], wanted[0]));
    CHECK(identical(got[1], wanted[1]));
    CHECK(at::equal(libtorch_state(), after));
  }
}
