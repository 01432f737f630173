// SPDX-License-Identifier: MIT
#pragma once
// The kernels of interpolation. Along each dim, an element of the result is a weighted sum of a few
// elements of x. All tensors are contiguous.
#include <koila/kernels/cpu/pooling.ipp>
#include <koila/ops/vision/interpolation.hpp>

#include <cmath>
#include <vector>

namespace koila::inline v0::detail {

/// The weighted sums along one dim. Each element of the result is the sum of `count` terms. Each
/// term is an element of x times a weight. `positions` and `weight` hold the terms of all elements
/// of the result, in order. A is the type of the computation. Indices are rounded as in LibTorch.
template <class A>
struct taps {
  index_t input_size = 1, out = 1, count = 1;
  std::vector<index_t> positions{0};
  std::vector<A> weight{A(1)};

  taps() = default;
  taps(index_t from, index_t to, choice mode, bool align_corners, double factor)
      : input_size(from), out(to), count(mode == choice::nearest   ? 1
                                         : mode == choice::bicubic ? 4
                                                                   : 2) {
    positions.clear(), weight.clear();
    const auto put = [&](index_t i, A w) {
      positions.push_back(std::clamp<index_t>(i, 0, input_size - 1));
      weight.push_back(w);
    };
    const A ratio = factor > 0 ? static_cast<A>(1.0 / factor) : static_cast<A>(input_size) / static_cast<A>(out);
    const A scale = !align_corners ? ratio : out > 1 ? static_cast<A>(input_size - 1) / static_cast<A>(out - 1) : A(0);
    for (index_t o = 0; o < out; ++o) {
      const A i = static_cast<A>(o);
      if (mode == choice::nearest) {
        put(static_cast<index_t>(std::floor(static_cast<float>(i * scale))), A(1));
        continue;
      }
      A x = align_corners ? scale * i : scale * (i + A(0.5)) - A(0.5);
      if (mode == choice::bicubic) {
        const auto first = static_cast<index_t>(std::floor(x));
        const A t = x - static_cast<A>(first);
        const A w[] = {outer(t + 1), inner(t), inner(1 - t), outer(2 - t)};
        for (index_t k = 0; k < 4; ++k) put(first - 1 + k, w[k]);
        continue;
      }
      x = input_size == out ? i : std::max(x, A(0));
      const index_t first = std::min(static_cast<index_t>(std::floor(static_cast<float>(x))), input_size - 1);
      const A t = std::clamp(x - static_cast<A>(first), A(0), A(1));
      put(first, 1 - t);
      put(input_size == out ? first : first + 1, t);
    }
  }

 private:
  // Keys' cubic kernel with a = -3/4. `inner` is the kernel for distances up to 1, `outer` for
  // distances from 1 to 2.
  static auto inner(A x) -> A { return (A(1.25) * x - A(2.25)) * x * x + 1; }
  static auto outer(A x) -> A { return ((A(-0.75) * x + A(3.75)) * x - 6) * x + 3; }
};

/// Calls f(element of x, element of y, weight) for each term of each weighted sum, in the order of
/// the elements of y (planes, out...).
template <class A, class F>
void for_each_tap(const at::Tensor& x, const at::Tensor& y, const interpolate_attributes& a, F f) {
  taps<A> t[windows::capacity];
  const auto n = static_cast<int>(x.dim()) - 2;
  for (int i = 0, j = windows::capacity - n; i < n; ++i, ++j)
    t[j] = taps<A>(x.size(i - n), y.size(i - n), a.mode.value, a.align_corners.value,
                   a.scale_factor.n > 0 ? a.scale_factor[i].value : 0);
  const index_t planes = x.size(0) * x.size(1);
  index_t to = 0;
  for (index_t plane = 0; plane < planes; ++plane)
    for (index_t d = 0; d < t[0].out; ++d)
      for (index_t h = 0; h < t[1].out; ++h)
        for (index_t w = 0; w < t[2].out; ++w, ++to)
          for (index_t i = d * t[0].count; i < (d + 1) * t[0].count; ++i)
            for (index_t j = h * t[1].count; j < (h + 1) * t[1].count; ++j) {
              const auto u = static_cast<std::size_t>(i), v = static_cast<std::size_t>(j);
              const index_t row =
                  ((plane * t[0].input_size + t[0].positions[u]) * t[1].input_size + t[1].positions[v]) *
                  t[2].input_size;
              const A weight = t[0].weight[u] * t[1].weight[v];
              for (auto k = static_cast<std::size_t>(w * t[2].count);
                   k < static_cast<std::size_t>((w + 1) * t[2].count); ++k)
                f(row + t[2].positions[k], to, weight * t[2].weight[k]);
            }
}

}  // namespace koila::inline v0::detail
