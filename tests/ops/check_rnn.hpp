// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of Elman recurrent networks. `f` is the op and `g` is LibTorch's
// operator. Both take the same operands.
#include "check.hpp"

namespace koila::test {

/// Checks a whole sequence. `g(x, h, weights, biases)` computes all steps in forward order.
template <class F, class G>
void check_rnn(const F& f, const G& g) {
  const auto w_ih = whole(normal({3, 4})), w_hh = whole(normal({3, 3}));
  const auto reversed = [](bool reverse, const at::Tensor& t) { return reverse ? t.flip(0) : t; };
  for (const bool reverse : {false, true})
    for (const auto n : {1, 5}) {
      const auto x = per_sample(normal({4, n, 4}), 1), h = per_sample(normal({n, 3}));
      const auto made = [&](const auto&... t) { return f(t..., koila::reverse = reverse); };
      const auto want = [&](const at::Tensor& v, const at::Tensor& state, const auto&... weights) {
        std::vector<at::Tensor> all{weights...};
        const bool biases = all.size() == 3;
        if (biases) all.push_back(at::zeros_like(all[2]));
        return reversed(reverse, std::get<0>(g(reversed(reverse, v), state.unsqueeze(0), all, biases, 1, 0.0, false,
                                               false, false)));
      };
      check({.twice = false}, made, want, x, h, w_ih, w_hh, whole(normal({3})));
      check({.twice = n == 5 && !reverse}, made, want, x, h, w_ih, w_hh);
    }
}

/// Checks one step.
template <class F, class G>
void check_rnn_cell(const F& f, const G& g) {
  const auto w_ih = whole(normal({3, 4})), w_hh = whole(normal({3, 3}));
  const auto want = [&](const at::Tensor& x, const at::Tensor& h, const at::Tensor& w, const at::Tensor& u,
                        const at::Tensor& b) { return g(x, h, w, u, b, at::zeros_like(b)); };
  for (const auto n : {0, 1, 5}) {
    const auto x = per_sample(normal({n, 4})), h = per_sample(normal({n, 3}));
    check({.twice = false}, f, want, x, h, w_ih, w_hh, whole(normal({3})));
    check({.twice = n == 5}, f, g, x, h, w_ih, w_hh);
  }
}

}  // namespace koila::test
