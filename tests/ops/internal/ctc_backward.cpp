// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("ctc_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& target, const auto& lengths) {
    return ctc_backward(dy, x, target, lengths, lengths);
  };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& target, const at::Tensor& lengths) {
    const auto [loss, alpha] = at::_ctc_loss(x.contiguous(), target, lengths, lengths);
    return at::_ctc_loss_backward(dy, x.contiguous(), target, lengths, lengths, loss, alpha, 0);
  };
  for (const std::int64_t n : {1, 2, 9}) {
    const at::Tensor target =
        at::tensor({1, 2, 3}, at::kLong).expand({n, 3}).contiguous();  // (n, 3): no label is repeated
    check(ask{.gradients = false}, f, g, per_sample(normal({n})), per_sample(normal({6, n, 4}).log_softmax(2), 1),
          per_sample(target), per_sample(at::full({n}, 3)));
  }
  const at::Tensor logp = at::rand({6, 2, 4}), target = labels(6, 3).view({2, 3}), two = at::full({2}, 3),
                   dy = at::rand({3}), of = at::rand({2}), wide = of.to(at::kDouble);
  refused([&] { ctc_backward(dy, logp, target, two, two); },
          "ctc_backward: [3] x [6, 2, 4] x int64[2, 3] x int64[2] x int64[2]: the labels are not one per sample");
  refused([&] { ctc_backward(of, logp, target, two, of); },
          "ctc_backward: [2] x [6, 2, 4] x int64[2, 3] x int64[2] x [2]: the labels are not int64");
  refused([&] { ctc_backward(wide, logp, target, two, two); },
          "ctc_backward: float64[2] x [6, 2, 4] x int64[2, 3] x int64[2] x int64[2]: dtypes differ");
}

}  // namespace koila::test
