// SPDX-License-Identifier: MIT
#pragma once
// The kernels of pooling. All tensors are contiguous.
#include <koila/kernels/cpu/im2col.ipp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/common/instructions.ipp>
#include <koila/ops/pooling/pooling.hpp>

#include <ATen/OpMathType.h>

#include <cstdint>
#include <limits>

namespace koila::inline v0::detail {

/// One window along one dim. The window has the elements first, first + step, ... below `last`.
/// `padded` is the extent of the window with its padding.
struct span {
  index_t first, last, step, padded;
};

/// The maxima of consecutive windows along the last dim. All windows must lie completely on the
/// grid. The result of a window is its first maximum, or its last NaN if the window contains NaN.
template <class T>
struct maxima_of_line {
  using offset = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;  // as wide as T, to share masks
  static constexpr index_t lanes = 32 / sizeof(T), most = 128;
  T value[most];
  offset positions[most];  // relative to the window's first element

  /// Returns the distance in memory, in elements, from the first to the last element of a window of
  /// g.
  static auto reach_of(const windows& g) -> index_t {
    index_t r = 0;
    for (int i = 0; i < windows::capacity; ++i) r = r * g.input_size[i] + (g.kernel[i] - 1) * g.dilation[i];
    return r;
  }
  /// Finds the maxima of n windows, where the first window begins at x. n must be a multiple of
  /// `lanes`.
  void find(const windows& g, const T* x, index_t n) {
    const auto wide = functions_of<by_vectors<32>, maxima_of_line&, const windows&, const T*, index_t>::with_fma();
    if (wide != nullptr) wide(*this, g, x, n);
    else by_vectors<16>::run(*this, g, x, n);
  }

 private:
  /// The kernel with vectors of `Bytes` bytes. If these vectors are longer than the machine's
  /// vectors, compilers produce scalar code.
  template <int Bytes>
  struct by_vectors {
    using vector [[gnu::vector_size(Bytes)]] = T;
    using offsets [[gnu::vector_size(Bytes)]] = offset;
    using loose_vector [[gnu::vector_size(Bytes), gnu::aligned(alignof(T)), gnu::may_alias]] = T;
    using loose_offsets [[gnu::vector_size(Bytes), gnu::aligned(alignof(T)), gnu::may_alias]] = offset;
    static constexpr index_t lanes = Bytes / sizeof(T);

    [[gnu::always_inline]] static inline void run(maxima_of_line& to, const windows& g, const T* x, index_t n) {
      if (g.stride[2] == 1) in_steps_of<1>(to, g, x, n);
      else if (g.stride[2] == 2) in_steps_of<2>(to, g, x, n);
      else in_steps_of<0>(to, g, x, n);
    }
    /// `Step` is the stride along the last dim if this stride is 1 or 2. If `Step` is 0, the stride
    /// is read from g.
    template <int Step>
    [[gnu::always_inline]] static inline void in_steps_of(maxima_of_line& to, const windows& g, const T* x, index_t n) {
      const index_t step = Step == 0 ? g.stride[2] : Step;
      for (index_t k = 0; k < n; k += lanes) {
        vector v{};
        offsets where{};
        for (index_t d = 0; d < g.kernel[0]; ++d)
          for (index_t h = 0; h < g.kernel[1]; ++h)
            for (index_t w = 0; w < g.kernel[2]; ++w) {
              const index_t e =
                  (d * g.dilation[0] * g.input_size[1] + h * g.dilation[1]) * g.input_size[2] + w * g.dilation[2];
              const T* const from = x + k * step + e;
              vector there{};
              if constexpr (Step == 1) {
                there = *reinterpret_cast<const loose_vector*>(from);
              } else if constexpr (Step == 2) {  // does not read past the last lane's element
                const vector low = *reinterpret_cast<const loose_vector*>(from);
                const vector high = *reinterpret_cast<const loose_vector*>(from + lanes - 1);
                if constexpr (lanes == 8) there = __builtin_shufflevector(low, high, 0, 2, 4, 6, 9, 11, 13, 15);
                else if constexpr (lanes == 4) there = __builtin_shufflevector(low, high, 0, 2, 5, 7);
                else there = __builtin_shufflevector(low, high, 0, 3);
              } else {
                for (index_t l = 0; l < lanes; ++l) there[l] = from[l * step];
              }
              const offsets take = e == 0 ? offsets{} - 1 : (there > v) | (there != there);
              v = take ? there : v;
              where = take ? offsets{} + static_cast<offset>(e) : where;
            }
        *reinterpret_cast<loose_vector*>(to.value + k) = v;
        *reinterpret_cast<loose_offsets*>(to.positions + k) = where;
      }
    }
  };
};

struct pool {
  windows window;
  index_t planes;
  const pool_of& p;

  pool(const at::Tensor& x, const at::Tensor& y, const pool_of& setting) : planes(1), p(setting) {
    for (int i = 0, j = windows::capacity - p.n; i < p.n; ++i, ++j) {
      window.input_size[j] = x.size(i - p.n), window.output_size[j] = y.size(i - p.n);
      window.stride[j] = p.adaptive() ? 1 : p.step(i).value,
      window.kernel[j] = p.adaptive() ? 1 : p.kernel_size[i].value;
      window.padding[j] = p.padding[i].value, window.dilation[j] = p.dilation[i].value;
    }
    for (index_t i = 0; i < x.dim() - p.n; ++i) planes *= x.size(i);
  }
  auto along(int i, index_t o) const -> span {
    if (p.adaptive()) {
      const index_t first = o * window.input_size[i] / window.output_size[i],
                    last = ((o + 1) * window.input_size[i] + window.output_size[i] - 1) / window.output_size[i];
      return {first, last, 1, last - first};
    }
    const index_t d = window.dilation[i], start = o * window.stride[i] - window.padding[i];
    const index_t padded = std::min(start + window.kernel[i], window.input_size[i] + window.padding[i]) - start;
    return {start < 0 ? start + (-start + d - 1) / d * d : start,
            std::min(start + (window.kernel[i] - 1) * d + 1, window.input_size[i]), d, padded};
  }
  /// Returns the number by which the sum of a window is divided.
  auto divisor(const span& d, const span& h, const span& w) const -> index_t {
    if (p.divisor_override.value != 0) return p.divisor_override.value;
    if (p.count_include_pad.value) return d.padded * h.padded * w.padded;
    return (d.last - d.first) * (h.last - h.first) * (w.last - w.first);
  }
  /// Calls f(plane, window, spans along the three dims) for each window. `plane` is the position in
  /// x of the first element of the window's plane. `window` is the window's number.
  template <class F>
  void for_each(F f) const {
    for_each_line([&](index_t plane, index_t o, index_t i, index_t j) {
      some_of_line(plane, o, i, j, 0, window.output_size[2], f);
    });
  }
  /// Calls f(plane, window, i, j) for each line of windows. `plane` is the position in x of the
  /// first element of the line's plane. `window` is the number of the line's first window. i and j
  /// are the position of the line along the first two dims.
  template <class F>
  void for_each_line(F f) const {
    if (window.positions() == 0) return;
    for (index_t plane = 0, o = 0; plane < planes; ++plane)
      for (index_t i = 0; i < window.output_size[0]; ++i)
        for (index_t j = 0; j < window.output_size[1]; ++j, o += window.output_size[2])
          f(plane * window.inputs(), o, i, j);
  }
  /// Calls f, as for_each does, for windows [k, last) of a line. `o` is the number of the line's
  /// first window.
  template <class F>
  void some_of_line(index_t plane, index_t o, index_t i, index_t j, index_t k, index_t last, F f) const {
    if (k >= last) return;
    const span d = along(0, i), h = along(1, j);
    for (; k < last; ++k) f(plane, o + k, d, h, along(2, k));
  }
  /// Calls f(position within the plane) for each element of a window.
  template <class F>
  void elements(const span& d, const span& h, const span& w, F f) const {
    for (index_t i = d.first; i < d.last; i += d.step)
      for (index_t j = h.first; j < h.last; j += h.step)
        for (index_t k = w.first; k < w.last; k += w.step) f((i * window.input_size[1] + j) * window.input_size[2] + k);
  }
  /// Calls f(window, element, value) for each window of x. `element` and `value` are those of the
  /// window's first maximum, or of its last NaN if the window contains NaN, as in LibTorch. If the
  /// window has no elements, `element` is -1 and `value` is -inf.
  template <class T, class F>
  void for_each_maximum(const T* x, F f) const {
    const auto one = [&](index_t plane, index_t o, const span& d, const span& h, const span& w) {
      index_t where = -1;
      T most = -std::numeric_limits<T>::infinity();
      elements(d, h, w, [&](index_t e) {
        const T v = x[plane + e];
        if (v > most || v != v || where < 0) where = plane + e, most = v;
      });
      f(o, where, most);
    };
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
      if (!p.adaptive() && maxima_of_line<T>::reach_of(window) <= std::numeric_limits<std::int32_t>::max())
        return for_each_maximum_in_lines(x, f, one);
    for_each(one);
  }

 private:
  /// Like for_each_maximum, but uses vectors for the windows that lie completely on the grid. `one`
  /// computes the other windows.
  template <class T, class F, class G>
  void for_each_maximum_in_lines(const T* x, F f, G one) const {
    index_t first[windows::capacity], last[windows::capacity];  // along each dim, the windows that lie on the grid
    for (int i = 0; i < windows::capacity; ++i) {
      first[i] = reach(window, i, 0).first;
      last[i] = std::max(first[i], reach(window, i, window.kernel[i] - 1).last);
    }
    using line = maxima_of_line<T>;
    line found;
    const index_t step = window.stride[2], all = planes * window.inputs(), reached = line::reach_of(window);
    for_each_line([&](index_t plane, index_t o, index_t i, index_t j) {
      const bool inside = i >= first[0] && i < last[0] && j >= first[1] && j < last[1];
      index_t k = inside ? first[2] : 0;
      some_of_line(plane, o, i, j, 0, k, one);
      const index_t of_line = plane +
                              ((i * window.stride[0] - window.padding[0]) * window.input_size[1] +
                               j * window.stride[1] - window.padding[1]) *
                                  window.input_size[2] -
                              window.padding[2];
      while (inside && k < last[2]) {
        // Lanes past the end of the line read the elements that follow the line. The results of
        // these lanes are not used, but the elements that they read must be elements of x.
        const index_t begin = of_line + k * step, room = (all - 1 - reached - begin) / step + 1;
        const index_t n = std::min({last[2] - k, line::most, room / line::lanes * line::lanes});
        if (n <= 0) break;
        found.find(window, x + begin, (n + line::lanes - 1) / line::lanes * line::lanes);
        for (index_t l = 0; l < n; ++l) f(o + k + l, begin + l * step + found.positions[l], found.value[l]);
        k += n;
      }
      some_of_line(plane, o, i, j, k, window.output_size[2], one);
    });
  }
};

}  // namespace koila::inline v0::detail
