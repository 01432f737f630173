// SPDX-License-Identifier: MIT
// 100,000 steps with varying batch sizes and sequence lengths. The live memory in bytes must not
// change after the first step of each shape.
#include "faults/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

inline constexpr struct seq : axis<seq> {
  using axis::operator=;
} seq;

struct held {
  std::int64_t tensor_bytes = tensors.live(), heap_bytes = heap::bytes, heap_blocks = heap::blocks;
  auto operator==(const held&) const -> bool = default;
};

/// Calls f(i) `n` times, in rounds of `round` calls, and checks that the live memory is the same
/// after each round. All rounds make the same calls.
void check_flat(int n, int round, const auto& f) {
  const auto one = [&] {
    for (int i = 0; i < round; ++i) f(i);
  };
  one(), one();
  const held before;
  bool flat = true;
  for (int i = 2 * round; i < n; i += round) {
    one();
    const held now;
    flat = flat && now == before;
  }
  const held after;
  CHECK(after.tensor_bytes == before.tensor_bytes);
  CHECK(after.heap_bytes == before.heap_bytes);
  CHECK(after.heap_blocks == before.heap_blocks);
  CHECK(flat);
}

}  // namespace

TEST_CASE("rows 26, 30: 100,000 steps of varying batch and length do not drift by a byte") {
  at::manual_seed(1);
  nn::embedding<7, 4> words{"words"};
  nn::linear<4, 7> out{"out"};
  input<int64, batch, seq> x{"x"};
  input<int64, batch, seq> next{"next"};
  const auto loss = cross_entropy(flatten(out(tanh(words(x))), 0_c, 1_c), flatten(next, 0_c, 1_c));
  const mlp m;
  auto language = step(loss, adam{.lr = 1e-3}, {.memory = 1_GiB});
  auto classifier = step(m.loss(), sgd{.lr = 1e-3, .momentum = 0.9});
  const at::Tensor text = at::randint(7, {8, 9}, at::kLong);  // (8, 9)
  std::vector<std::pair<std::int64_t, std::int64_t>> shapes;
  for (std::int64_t b = 1; b <= 8; ++b)
    for (std::int64_t s = 2; s <= 4; ++s) shapes.emplace_back(b, s);
  const int round = static_cast<int>(shapes.size());
  check_flat(70'000, round, [&](int i) {
    const auto [b, s] = shapes[static_cast<std::size_t>(i)];
    (void)language(x = text.narrow(0, 0, b).narrow(1, 0, s), next = text.narrow(0, 0, b).narrow(1, 1, s));
  });
  CHECK(language.plans() == shapes.size());
  check_flat(30'000, 13, [&](int i) {
    (void)classifier(m.x = m.images.narrow(0, 0, i + 1), m.label = m.labels.narrow(0, 0, i + 1));
  });
  CHECK(classifier.plans() == 13);
}

TEST_CASE("row 30: the plans that are kept are bounded, whatever the shapes") {
  const mlp m;
  auto train = step(m.loss(), sgd{.lr = 1e-3, .momentum = 0.9});
  const at::Tensor images = at::randn({100, 12}), labels = labels_of(100, 5);
  check_flat(400, 100, [&](int i) {
    (void)train(m.x = images.narrow(0, 0, i + 1), m.label = labels.narrow(0, 0, i + 1));
    CHECK(train.plans() <= 32);
  });
  CHECK(train.plans() == 32);
}

TEST_CASE("row 30: run, backward and printing keep nothing") {
  const conv m;
  const auto loss = m.loss();
  const auto value = m.value();
  (void)backward(loss, m.x = m.images, m.label = m.labels);
  check_flat(300, 10, [&](int i) {
    const at::Tensor images = m.images.narrow(0, 0, i + 1), labels = m.labels.narrow(0, 0, i + 1);
    (void)backward(loss, m.x = images, m.label = labels);
    (void)run(value, m.x = images);
  });
}

TEST_CASE("a step holds the memory of one plan, and of no parameter that was given other values") {
  const mlp m;
  (void)m.leaves();
  auto train = step(m.loss(), sgd{.lr = 1e-3});
  const auto before = tensors.live();
  index_t most = 0;
  for (const index_t b : {13, 5, 9, 1, 13}) {
    (void)train(m.x = m.images.narrow(0, 0, b), m.label = m.labels.narrow(0, 0, b));
    most = std::max(most, train.plan().peak_bytes());
    CHECK(tensors.live() - before <= most + 64);
  }
  const auto held = tensors.live();
  for (int i = 0; i < 3; ++i) {
    set(m.net.a.weight, at::randn({16, 12}));
    (void)train(m.x = m.images, m.label = m.labels);
    CHECK(tensors.live() == held);
  }
}
