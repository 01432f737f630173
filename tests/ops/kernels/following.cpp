// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("the batch axis is followed through several ops") {
  SECTION("heads of attention: split, permuted, joined again") {
    const auto f = [](const auto& x) {
      const auto heads = permute(unflatten(relu(x), 2_c, list_of(2, 3)), 0, 2, 1, 3);  // (samples, heads, words, 3)
      return flatten(permute(softmax(heads, -1_c), 0, 2, 1, 3), start_dim = 2, end_dim = 3);  // (samples, words, 6)
    };
    const auto g = [](const at::Tensor& x) {
      return x.relu().unflatten(2, {2, 3}).permute({0, 2, 1, 3}).softmax(-1).permute({0, 2, 1, 3}).flatten(2);
    };
    for (const auto n : batches) check(f, g, per_sample(normal({n, 4, 6})));
  }
  SECTION("sequences whose samples are the second dim") {
    const auto f = [](const auto& x, const auto& w) {
      const auto all = reshape(permute(x, 1, 0, 2), -1, 3);  // (samples * words, 3)
      const auto both = cat(mm(all, w), relu(all), dim = -1);  // (samples * words, 5)
      const auto back = transpose(reshape(both, -1, 4, 5), 0, 1);  // (words, samples, 5)
      return cat(narrow(back, 0, 2, 2), narrow(back, 0, 0, 1), dim = 0);  // (3, samples, 5)
    };
    const auto g = [](const at::Tensor& x, const at::Tensor& w) {
      const at::Tensor all = x.permute({1, 0, 2}).reshape({x.size(1) * 4, 3});
      const at::Tensor both = at::cat({all.mm(w), all.relu()}, -1).view({x.size(1), 4, 5}).transpose(0, 1);
      return at::cat({both.narrow(0, 2, 2), both.narrow(0, 0, 1)}, 0);
    };
    for (const std::int64_t n : {1, 2, 5, 8}) check(f, g, per_sample(normal({4, n, 3}), 1), whole(normal({3, 2})));
  }
  SECTION("samples that are chosen, joined and moved") {
    const auto f = [](const auto& x) {
      const auto h = tanh(x);
      const auto transposed = cat(flip(h, 0), roll(h, 1, 0), dim = 0);  // (2 * samples, 3)
      return mul(narrow(transposed, 0, 2, 3), koila::select(transpose(h, 0, 1), 1, -1));  // (3, 3)
    };
    const auto g = [](const at::Tensor& x) {
      const at::Tensor h = x.tanh();
      return at::cat({h.flip({0}), h.roll({1}, {0})}, 0).narrow(0, 2, 3) * h.t().select(1, -1);
    };
    for (const std::int64_t n : {3, 5, 8}) check(f, g, per_sample(normal({n, 3})));
  }
  SECTION("all pairs of samples, one of them stacked and padded") {
    const auto f = [](const auto& x) {
      const auto wide = pad(stack(x, relu(x), dim = 1), list_of(1, 0));  // (samples, 2, 4)
      return sum(mul(unsqueeze(flatten(wide, 1), 1), unsqueeze(flatten(wide, 1), 0)), dim = -1);  // (samples, samples)
    };
    const auto g = [](const at::Tensor& x) {
      const at::Tensor wide = at::constant_pad_nd(at::stack({x, x.relu()}, 1), {1, 0}).flatten(1);
      return (wide.unsqueeze(1) * wide.unsqueeze(0)).sum(-1);
    };
    for (const std::int64_t n : {1, 2, 5}) check(f, g, per_sample(normal({n, 3})));
  }
  SECTION("an embedding of words, its last word, and a choice among classes") {
    const auto f = [](const auto& table, const auto& words, const auto& label) {
      const auto h = index_select(table, 0_c, flatten(words));  // (samples * words, 4)
      const auto last = koila::select(reshape(h, -1, 3, 4), 1_c, -1_c);  // (samples, 4)
      return squeeze(gather(log_softmax(last, 1_c), 1_c, unsqueeze(label, 1_c)), 1_c);  // (samples)
    };
    const auto g = [](const at::Tensor& table, const at::Tensor& words, const at::Tensor& label) {
      return table.index_select(0, words.flatten())
          .view({words.size(0), 3, 4})
          .select(1, -1)
          .log_softmax(1)
          .gather(1, label.unsqueeze(1))
          .squeeze(1);
    };
    for (const std::int64_t n : {1, 2, 5, 8})
      check(f, g, whole(normal({7, 4})), per_sample(labels(3 * n, 7).view({n, 3})), per_sample(labels(n, 4)));
  }
}

}  // namespace koila::test
