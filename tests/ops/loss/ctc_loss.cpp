// SPDX-License-Identifier: MIT
#include "ops/check_loss.hpp"

namespace koila::test {

TEST_CASE("ctc_loss") {
  const auto f = [](auto choice, const auto& x, const auto& target, const auto& times, const auto& lengths) {
    return ctc_loss(log_softmax(x, -1_c), target, times, lengths, zero_infinity = true, reduction = choice);
  };
  const auto g = [](std::int64_t reduction, const at::Tensor& x, const at::Tensor& target, const at::Tensor& times,
                    const at::Tensor& lengths) {
    return at::ctc_loss(at::log_softmax(x.contiguous(), -1), target, times, lengths, 0, reduction, true);
  };
  for (const std::int64_t n : {1, 3, 9}) {
    const operand x = per_sample(normal({6, n, 4}), 1), target = per_sample(labels(3 * n, 3).view({n, 3}) + 1);
    // LibTorch has no second derivative.
    check_reductions({.twice = false}, f, g, x, target, per_sample(labels(n, 6) + 1), per_sample(labels(n, 4)));
  }
  const at::Tensor x = at::rand({6, 2, 4}), target = labels(6, 3).view({2, 3}), two = at::full({2}, 3),
                   three = at::full({3}, 3);
  refused([&] { ctc_loss(x, target, two, three); },
          "ctc_loss: [6, 2, 4] x int64[2, 3] x int64[2] x int64[3]: the labels are not one per sample");
}

}  // namespace koila::test
