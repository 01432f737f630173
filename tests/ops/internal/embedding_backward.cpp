// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("embedding_backward") {
  const auto g = [](const at::Tensor& dy, const at::Tensor& i, const at::Tensor& w, std::int64_t padding) {
    const at::Tensor rows = dy * i.ne(padding).unsqueeze(-1);
    return at::zeros(w.sizes(), dy.options()).index_add(0, i.flatten(), rows.reshape({-1, w.size(1)}));
  };
  for (const int padding : {-1, 2})
    for (const auto n : batches)
      check(
          [=](const auto& dy, const auto& i, const auto& w) {
            return embedding_backward(dy, i, w, padding_idx = padding < 0 ? no_padding : padding);
          },
          [=](const at::Tensor& dy, const at::Tensor& i, const at::Tensor& w) { return g(dy, i, w, padding); },
          per_sample(normal({2, n, 3}), 1), per_sample(labels(2 * n, 4).view({2, n}), 1), whole(normal({4, 3})));
  check([](const auto& dy, const auto& i, const auto& w) { return embedding_backward(dy, i, w); },
        [=](const at::Tensor& dy, const at::Tensor& i, const at::Tensor& w) { return g(dy, i, w, -1); },
        per_sample(normal({3, 5}), 1), whole(labels(3, 4)), per_sample(normal({4, 5}), 1));
  const at::Tensor index = labels(5, 4), dy = at::ones({5, 3}), w = at::ones({4, 2});
  refused([&] { embedding_backward(dy, index, w); }, "embedding_backward: [5, 3] x int64[5] x [4, 2]: shapes differ");
}

}  // namespace koila::test
