// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("ctc") {
  const auto all = [](bool none_is_0, std::int64_t stop) {
    const auto f = [=](const auto& x, const auto& target, const auto& times, const auto& lengths) {
      return ctc(x, target, times, lengths, blank = stop, zero_infinity = none_is_0);
    };
    const auto g = [=](const at::Tensor& x, const at::Tensor& target, const at::Tensor& times,
                       const at::Tensor& lengths) {
      return at::ctc_loss(x.contiguous(), target, times, lengths, stop, at::Reduction::None, none_is_0);
    };
    for (const std::int64_t n : {1, 2, 5, 9}) {
      const operand x = per_sample(normal({6, n, 4}).log_softmax(2), 1);                     // (time, n, classes)
      const operand target = per_sample((labels(3 * n, 3).view({n, 3}) + stop + 1).remainder(4));  // (n, target length)
      const operand lengths = per_sample(labels(n, 4)),
                    some = per_sample(labels(n, 6) + 1);  // some have too few steps for an alignment
      const operand times = none_is_0 ? some : per_sample(at::full({n}, 6));
      // LibTorch's gradient is the gradient with respect to log_softmax's operand (see ctc_loss).
      // It has no second derivative.
      check(ask{.twice = false, .quotients = false}, f, g, x, target, times, lengths);
    }
  };
  SECTION("each has an alignment") { all(false, 0); }
  SECTION("those without count as 0") { all(true, 0); }
  SECTION("another blank") { all(true, 3); }
  SECTION("without an alignment") {
    const at::Tensor x = normal({2, 1, 4}).log_softmax(2), target = at::ones({1, 3}, at::kLong),
                     times = at::full({1}, 2), lengths = at::full({1}, 3);
    same(ctc(x, target, times, lengths), at::full({1}, INFINITY, at::kDouble));
  }
  SECTION("refused") {
    const at::Tensor x = at::rand({6, 2, 4}), target = labels(6, 3).view({2, 3}), two = at::full({2}, 3),
                     three = at::full({3}, 3);
    refused([&] { ctc(x, target, two, three); },
            "ctc: [6, 2, 4] x int64[2, 3] x int64[2] x int64[3]: the labels are not one per sample");
    refused([&] { ctc(x, two, two, two); }, "ctc: [6, 2, 4] x int64[2] x int64[2] x int64[2]: no rule for these ranks");
    refused([&] { ctc(target, target, two, two); },
            "ctc: int64[2, 3] x int64[2, 3] x int64[2] x int64[2]: not a floating-point dtype");
    CHECK_THROWS_AS(ctc(x, target + 4, two, two), c10::IndexError);
    CHECK_THROWS_AS(ctc(x, target, two + 5, two), c10::Error);
  }
}

TEST_CASE("trials A1: ctc whose targets have the batch on another dim than its own") {
  // Two targets of at most two labels: both dims of the target have the samples' extent.
  const at::Tensor logp = normal({4, 2, 3}).log_softmax(2), target = labels(4, 2).view({2, 2}) + 1,
                   times = at::full({2}, 4), lengths = at::full({2}, 1), dy = normal({2});
  const at::Tensor want = ctc(logp, target, times, lengths), slope = ctc_backward(dy, logp, target, times, lengths);
  const input<int64, any, batch> on_labels{"target"};
  const input<float64, batch, any, any> on_time{"logp"};
  const input<int64, batch> each{"times"};
  for (const index_t chunk : {0, 1}) {
    same(run(ctc(lazy(logp), on_labels, lazy(times), lazy(lengths)), {.chunk = chunk}, on_labels = target), want);
    same(run(ctc(lazy(logp), on_labels, each, lazy(lengths)), {.chunk = chunk}, on_labels = target, each = times),
         want);
    same(run(ctc_backward(lazy(dy), lazy(logp), on_labels, lazy(times), lazy(lengths)), {.chunk = chunk},
             on_labels = target),
         slope);
  }
  const at::Tensor square = normal({2, 2, 3}).log_softmax(2), two = at::full({2}, 2);
  same(run(ctc(on_time, lazy(target), lazy(two), lazy(lengths)), {.chunk = 1}, on_time = square),
       ctc(square, target, two, lengths));
}

}  // namespace koila::test
