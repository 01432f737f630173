// An op of the user's own, in the user's file: the same struct that koila's ops are, nothing registered anywhere.
#include <ATen/ops/sigmoid.h>

#include "run/support.hpp"

namespace mine {

using namespace koila;

/// (..., n) x (n) -> (..., n): x sigmoid(w x).
inline constexpr struct swish : op<swish> {
  static constexpr std::string_view name = "swish";
  /// The result's dims, asked by the compiler and when the graph is built; or why there is no result.
  static constexpr auto rule(const dims& x, const dims& w) -> verdict {
    if (w.ranked() && w.rank != 1) return why::weight_is_not_per_channel;
    return rules::broadcast(x, w);
  }
  /// What becomes of samples: rows stay rows. Without it operands are gathered.
  static constexpr auto flow(const value& x, const value& w, const dims& y) -> relations {
    const value in[] = {x, w};
    return flows::elementwise(in, 2, y);
  }
  /// What it costs; the last number is the bytes that `evaluate` allocates at most at a time.
  static constexpr auto cost(const dims&, const dims&, const dims& y) -> work {
    const auto n = static_cast<double>(y.count());
    return {6 * n, 24 * n, 0};
  }
  /// Writes the result, which has its dims and is contiguous.
  static void evaluate(out y, const at::Tensor& x, const at::Tensor& w) { at::mul_out(y, x, w).sigmoid_().mul_(x); }
  /// The gradients of the operands, made of ops.
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& w) {
    const auto s = sigmoid(x * w);
    const auto ds = dy * x * (s - s * s);
    return gradients(dy * s + ds * w, sum_to(ds * x, w));
  }
} swish;

}  // namespace mine

using namespace koila;
using namespace test;
using mine::swish;

TEST_CASE("an op in a user's file: value, refusal, gradients, chunks, bytes, plain tensors") {
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 3, 4> a{"a"};
  const parameter<float64, 3> w{"w"};
  set(a, at::randn({3, 4}, at::kDouble)), set(w, at::randn({3}, at::kDouble));
  const at::Tensor values = at::randn({13, 4}, at::kDouble);  // (batch, 4)
  const auto y = swish(linear(x, a), w);                      // (batch, 3)
  STATIC_REQUIRE(shape_of(y).rank == 2);
  STATIC_REQUIRE(!Accepts<struct swish, shape<batch, 3>, shape<batch, 3>>);

  std::vector<at::Tensor> leaves{tensor_of(a).detach().clone().requires_grad_(),
                                 tensor_of(w).detach().clone().requires_grad_()};
  const at::Tensor h = at::linear(values, leaves[0]), want = h * at::sigmoid(leaves[1] * h);
  want.square().mean().backward();
  CHECK(relative_error(run(y, x = values), want) < 1e-14);
  CHECK(relative_error(swish(h.detach(), tensor_of(w).detach()), want) < 1e-14);

  const auto loss = mean(let(y) * y);
  for (const index_t chunk : chunks_of(13)) {
    for (const auto& p : {tensor_of(a), tensor_of(w)}) p.mutable_grad().reset();
    const index_t predicted = plan(loss, {.chunk = chunk}, x = values).peak_bytes();
    const measure m;
    backward(loss, {.chunk = chunk}, x = values);
    CHECK(m.peak() == predicted);
    CHECK(relative_error(tensor_of(a).grad(), leaves[0].grad()) < 1e-12);
    CHECK(relative_error(tensor_of(w).grad(), leaves[1].grad()) < 1e-12);
  }
  auto train = step(loss, sgd{.lr = 0.1}, {.chunk = 4});
  const double before = train(x = values).item<double>();
  for (int i = 0; i < 20; ++i) train(x = values);
  CHECK(train(x = values).item<double>() < before);
}
