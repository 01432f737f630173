// SPDX-License-Identifier: MIT
// Checks all norms for 16-bit dtypes: statistics, eps and gradients are computed in float32.
#include "check_16_bits.hpp"

namespace koila::test {

TEST_CASE("trials H1: norms of channels and of last dims in 16 bits are as exact as their values") {
  const operand w = whole(normal({6}) + 1), b = whole(normal({6})), mean = whole(normal({6})),
                var = whole(positive({6}));
  for (const at::Tensor& v : hard_values({5, 6, 3, 2})) {
    const operand x = per_sample(v);
    check_16_bits([](const auto& x, const auto& w, const auto& b) { return batch_norm(x, w, b); },
                  [](const auto& x, const auto& w, const auto& b) {
                    return at::batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
                  },
                  x, w, b);
    check_16_bits([](const auto& x, const auto& w, const auto& b, const auto& m,
                     const auto& v) { return batch_norm(x, w, b, m, v, training = false); },
                  [](const auto& x, const auto& w, const auto& b, const auto& m, const auto& v) {
                    return at::batch_norm(x, w, b, m.detach(), v.detach(), false, 0.1, 1e-5, false);
                  },
                  x, w, b, mean, var);
    check_16_bits([](const auto& x, const auto& w, const auto& b) { return instance_norm(x, w, b); },
                  [](const auto& x, const auto& w, const auto& b) {
                    return at::instance_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
                  },
                  x, w, b);
    for (const int groups : {1, 3, 6})
      check_16_bits(
          [=](const auto& x, const auto& w, const auto& b) { return group_norm(x, w, b, num_groups = groups); },
          [=](const auto& x, const auto& w, const auto& b) { return at::group_norm(x, groups, w, b); }, x, w, b);
    check_16_bits([](const auto& x) { return group_norm(x, num_groups = 2); },
                  [](const auto& x) { return at::group_norm(x, 2); }, x);
    check_16_bits([](const auto& x) { return local_response_norm(x, 3); },
                  [](const auto& x) {
                    const at::Tensor squares = at::constant_pad_nd(x * x, {0, 0, 0, 0, 1, 1});
                    const at::Tensor around =
                        (squares.narrow(1, 0, 6) + squares.narrow(1, 1, 6) + squares.narrow(1, 2, 6)) / 3;
                    return x / at::pow(around * 1e-4 + 1, 0.75);
                  },
                  x);
  }
  for (const at::Tensor& v : hard_values({5, 3, 6})) {
    const operand x = per_sample(v);
    check_16_bits([](const auto& x, const auto& w, const auto& b) { return layer_norm(x, w, b); },
                  [](const auto& x, const auto& w, const auto& b) { return at::layer_norm(x, {6}, w, b); }, x, w, b);
    check_16_bits([](const auto& x, const auto& w) { return layer_norm(x, w); },
                  [](const auto& x, const auto& w) { return at::layer_norm(x, {6}, w); }, x, w);
    check_16_bits([](const auto& x) { return layer_norm(x, list_of(3, 6)); },
                  [](const auto& x) { return at::layer_norm(x, {3, 6}); }, x);
    check_16_bits([](const auto& x, const auto& w) { return rms_norm(x, w); },
                  [](const auto& x, const auto& w) { return at::rms_norm(x, {6}, w, 0x1p-23); }, x, w);
    check_16_bits([](const auto& x) { return rms_norm(x, list_of(6), eps = 1e-6); },
                  [](const auto& x) { return at::rms_norm(x, {6}, {}, 1e-6); }, x);
  }
}

TEST_CASE("lengths, variances and softmax in 16 bits are as exact as their values") {
  for (const at::Tensor& v : hard_values({5, 24})) {
    const operand x = per_sample(v), y = per_sample(normal({5, 24}));
    check_16_bits([](const auto& x, const auto& y) { return cosine_similarity(x, y); },
                  [](const auto& x, const auto& y) { return at::cosine_similarity(x, y, 1, 1e-8); }, x, y);
    check_16_bits([](const auto& x) { return softmax(x, -1); }, [](const auto& x) { return at::softmax(x, -1); }, x);
    check_16_bits([](const auto& x) { return log_softmax(x, -1); },
                  [](const auto& x) { return at::log_softmax(x, -1); }, x);
    check_16_bits([](const auto& x) { return softmin(x, -1); }, [](const auto& x) { return at::softmax(-x, -1); }, x);
    check_16_bits([](const auto& x) { return logsumexp(x, -1); }, [](const auto& x) { return at::logsumexp(x, -1); },
                  x);
    check_16_bits([](const auto& x) { return mean(x, -1); }, [](const auto& x) { return x.mean(-1); }, x);
    check_16_bits([](const auto& x) { return var(x, -1); }, [](const auto& x) { return x.var(-1); }, x);
    check_16_bits([](const auto& x) { return koila::std(x, -1); }, [](const auto& x) { return x.std(-1); }, x);
    for (const double p : {1.0, 2.0, 3.0})
      check_16_bits([=](const auto& x) { return norm(x, p, -1); }, [=](const auto& x) { return at::norm(x, p, {-1}); },
                    x);
  }
}

}  // namespace koila::test
