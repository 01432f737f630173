// SPDX-License-Identifier: MIT
// Loops with chunks of different sizes: the predicted peak is still exact, and the gradient is the
// whole batch's gradient.
#include "run/support.hpp"

#include <koila/tools/report.hpp>

#include <optional>
#include <set>
#include <sstream>

using namespace koila;
using namespace ::test;

namespace {

/// Layers of very different widths, with batch norm between them. Some loops need much memory for
/// each sample, and other loops need little memory.
struct funnel {
  parameter<float64, 256, 16> w0{"w0"};
  parameter<float64, 24, 256> w1{"w1"};
  parameter<float64, 16, 24> w2{"w2"};
  parameter<float64, 16, 16> w3{"w3"};
  parameter<float64, 24> g1{"g1"}, b1{"b1"};
  parameter<float64, 16> g2{"g2"}, b2{"b2"}, g3{"g3"}, b3{"b3"};
  auto operator()(const auto& x) const {
    const auto a = relu(batch_norm(linear(tanh(linear(x, w0)), w1), g1, b1));
    const auto b = relu(batch_norm(linear(a, w2), g2, b2));
    return relu(batch_norm(linear(b, w3), g3, b3));
  }
};

}  // namespace

TEST_CASE("loops with chunks of their own sizes: exact peak, the whole batch's gradient") {
  const funnel f;
  const input<float64, batch, 16> x{"x"}, target{"target"};
  const auto loss = mean(square(f(x) - target));
  const at::Tensor leaves[] = {tensor_of(f.w0), tensor_of(f.w1), tensor_of(f.w2),
                               tensor_of(f.w3), tensor_of(f.g1), tensor_of(f.b3)};
  for (const index_t samples : {300, 1024}) {
    const at::Tensor features = at::randn({samples, 16}, at::kDouble), want = at::randn({samples, 16}, at::kDouble);
    const auto gradients_with = [&](const options& o) {
      return gradients_of(leaves, [&] { (void)backward(loss, o, x = features, target = want); });
    };
    const index_t most = plan(loss, {.chunk = samples}, x = features, target = want).peak_bytes();
    const std::vector<at::Tensor> whole = gradients_with({.chunk = samples});
    std::set<std::vector<index_t>> mixed;
    double seconds = std::numeric_limits<double>::infinity();
    for (index_t budget = most / 16; budget < most; budget += most / 48) {
      CAPTURE(samples, budget, most);
      std::optional<memory_plan> fits;
      try {
        fits = plan(loss, {.memory = budget}, x = features, target = want);
      } catch (const memory_error&) { continue; }
      const memory_plan& p = *fits;
      CHECK(p.peak_bytes() <= budget);
      CHECK(p.predicted_seconds <= seconds);
      seconds = p.predicted_seconds;
      if (std::set<index_t>(p.chunks.begin(), p.chunks.end()).size() < 2 || !mixed.insert(p.chunks).second) continue;
      for (const at::Tensor& t : leaves) t.mutable_grad() = at::Tensor();
      {
        const measure m;
        (void)backward(loss, {.memory = budget}, x = features, target = want);
        CHECK(m.peak() == p.peak_bytes());
      }
      const memory_report report(p);
      CHECK(report.peak.allocated() == p.peak_bytes());
      std::ostringstream said;
      p.explain(said);
      CHECK_THAT(said.str(),
                 Catch::Matchers::ContainsSubstring(", chunk ") && Catch::Matchers::ContainsSubstring(" to "));
      const std::vector<at::Tensor> got = gradients_with({.memory = budget});
      for (std::size_t k = 0; k < got.size(); ++k) CHECK(relative_error(got[k], whole[k]) <= 1e-10);
    }
    CHECK(mixed.size() >= 2);
  }
}
