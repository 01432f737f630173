#pragma once
// The kernels of pools. All tensors are contiguous.
#include <koila/ops/family/columns.ipp>
#include <koila/ops/family/pooling.hpp>

#include <limits>

namespace koila::detail {

/// One window along one dim: elements first, first + step, ... below last, of `padded` with the padding.
struct span {
  index_t first, last, step, padded;
};

struct pool {
  windows at;
  index_t planes;
  const pool_of& p;

  pool(const at::Tensor& x, const at::Tensor& y, const pool_of& how) : planes(1), p(how) {
    for (int i = 0, j = windows::capacity - p.n; i < p.n; ++i, ++j) {
      at.in[j] = x.size(i - p.n), at.out[j] = y.size(i - p.n);
      at.stride[j] = p.adaptive() ? 1 : p.step(i).value, at.kernel[j] = p.adaptive() ? 1 : p.kernel_size[i].value;
      at.padding[j] = p.padding[i].value, at.dilation[j] = p.dilation[i].value;
    }
    for (index_t i = 0; i < x.dim() - p.n; ++i) planes *= x.size(i);
  }
  auto along(int i, index_t o) const -> span {
    if (p.adaptive()) {
      const index_t first = o * at.in[i] / at.out[i], last = ((o + 1) * at.in[i] + at.out[i] - 1) / at.out[i];
      return {first, last, 1, last - first};
    }
    const index_t d = at.dilation[i], start = o * at.stride[i] - at.padding[i];
    const index_t padded = std::min(start + at.kernel[i], at.in[i] + at.padding[i]) - start;
    return {start < 0 ? start + (-start + d - 1) / d * d : start, std::min(start + (at.kernel[i] - 1) * d + 1, at.in[i]), d,
            padded};
  }
  /// What the sum of a window is divided by.
  auto divisor(const span& d, const span& h, const span& w) const -> index_t {
    if (p.divisor_override.value != 0) return p.divisor_override.value;
    if (p.count_include_pad.value) return d.padded * h.padded * w.padded;
    return (d.last - d.first) * (h.last - h.first) * (w.last - w.first);
  }
  /// Calls f(number of the first element of its plane, number of the window, spans) for every window.
  template <class F>
  void for_each(F f) const {
    for (index_t plane = 0, o = 0; plane < planes; ++plane)
      for (index_t i = 0; i < at.out[0]; ++i) {
        const span d = along(0, i);
        for (index_t j = 0; j < at.out[1]; ++j) {
          const span h = along(1, j);
          for (index_t k = 0; k < at.out[2]; ++k) f(plane * at.inputs(), o++, d, h, along(2, k));
        }
      }
  }
  /// Calls f(number within the plane) for every element of a window.
  template <class F>
  void elements(const span& d, const span& h, const span& w, F f) const {
    for (index_t i = d.first; i < d.last; i += d.step)
      for (index_t j = h.first; j < h.last; j += h.step)
        for (index_t k = w.first; k < w.last; k += w.step) f((i * at.in[1] + j) * at.in[2] + k);
  }
  /// Calls f(window, element) with the first maximum of each window of x, or the last NaN, as LibTorch; -1: there is none.
  template <class T, class F>
  void for_each_maximum(const T* x, F f) const {
    for_each([&](index_t plane, index_t o, const span& d, const span& h, const span& w) {
      index_t where = -1;
      T most = -std::numeric_limits<T>::infinity();
      elements(d, h, w, [&](index_t e) {
        const T v = x[plane + e];
        if (v > most || v != v || where < 0) where = plane + e, most = v;
      });
      f(o, where);
    });
  }
};

/// What means are computed in.
template <class T>
using wide = std::conditional_t<sizeof(T) == 2, float, T>;

}  // namespace koila::detail
