// SPDX-License-Identifier: MIT
// The measured peak equals the prediction, and the gradient equals the whole batch's gradient,
// whichever values the plan recomputes.
#include "run/support.hpp"

#include <set>

using namespace koila;
using namespace ::test;

namespace {

/// Four layers with batch norm in training, like a small deep network.
struct net {
  parameter<float64, 24, 16> w0{"w0"};
  parameter<float64, 24, 24> w1{"w1"}, w2{"w2"}, w3{"w3"};

  static auto normalised(const auto& z) {
    const auto centred = let(z - mean(z, 0_c));
    return centred * rsqrt(mean(square(centred), 0_c) + 1e-5);
  }
  auto operator()(const auto& x) const {
    const auto a = tanh(normalised(let(linear(x, w0))));
    const auto b = tanh(normalised(let(linear(a, w1))));
    const auto c = tanh(normalised(let(linear(b, w2))));
    return normalised(let(linear(c, w3)));
  }
};

}  // namespace

TEST_CASE("every budget between nothing held and everything held: exact peak, the whole batch's gradient") {
  const net f;
  const input<float64, batch, 16> x{"x"};
  const input<float64, batch, 24> target{"target"};
  const auto loss = mean(square(f(x) - target));
  const at::Tensor features = at::randn({100, 16}, at::kDouble), want = at::randn({100, 24}, at::kDouble);
  const at::Tensor leaves[] = {tensor_of(f.w0), tensor_of(f.w1), tensor_of(f.w2), tensor_of(f.w3)};
  const auto gradients_with = [&](const options& o) {
    return gradients_of(leaves, [&] { (void)backward(loss, o, x = features, target = want); });
  };
  const index_t most = plan(loss, {.chunk = 100}, x = features, target = want).peak_bytes();
  const std::vector<at::Tensor> whole = gradients_with({.chunk = 100});

  std::set<std::pair<index_t, int>> different;  // pairs of chunk size and number of kernel calls
  for (index_t budget = most / 16; budget < most; budget += most / 24) {
    CAPTURE(budget, most);
    try {
      const memory_plan p = plan(loss, {.memory = budget}, x = features, target = want);
      int calls = 0;
      for (const auto& loop : p.order.loop_of) calls += static_cast<int>(loop.body.size());
      different.emplace(p.chunk(), calls);
      CHECK(p.peak_bytes() <= budget);
      for (const at::Tensor& t : leaves) t.mutable_grad() = at::Tensor();
      const measure m;
      (void)backward(loss, {.memory = budget}, x = features, target = want);
      CHECK(m.peak() == p.peak_bytes());
    } catch (const memory_error&) {
      CHECK(different.empty());
      continue;
    }
    const std::vector<at::Tensor> got = gradients_with({.memory = budget});
    for (std::size_t k = 0; k < got.size(); ++k) CHECK(relative_error(got[k], whole[k]) <= 1e-10);
  }
  CHECK(different.size() >= 6);
}
