// SPDX-License-Identifier: MIT
#pragma once
// im2col and col2im of one sample: (channels, in...) <-> (channels * kernel..., positions).
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/convolution/windows.hpp>

#include <algorithm>
#include <cstring>

namespace koila::inline v0::detail {

/// Where kernel element k of each window lies along dim i of the grid. In window w, the element
/// lies at position stride * w + from. This position is on the grid only if w is in [first, last).
struct reach {
  index_t first, last, from;
  reach(const windows& g, int i, index_t k) : from(k * g.dilation[i] - g.padding[i]) {
    const index_t s = g.stride[i];
    first = std::min(g.output_size[i], from >= 0 ? 0 : (-from + s - 1) / s);
    last = from >= g.input_size[i] ? first
                                   : std::max(first, std::min(g.output_size[i], (g.input_size[i] - 1 - from) / s + 1));
  }
};

/// Calls f(channel, reach along each of the three dims) for each kernel element of each channel, in
/// the order of the rows of the im2col matrix.
template <class F>
void for_each_row(const windows& g, index_t channels, F f) {
  for (index_t c = 0; c < channels; ++c)
    for (index_t d = 0; d < g.kernel[0]; ++d)
      for (index_t h = 0; h < g.kernel[1]; ++h)
        for (index_t w = 0; w < g.kernel[2]; ++w) f(c, reach(g, 0, d), reach(g, 1, h), reach(g, 2, w));
}

/// Copies n elements that lie `step` apart to contiguous memory.
template <class T>
void copy_every(const T* from, index_t step, index_t n, T* to) {
  if (step == 1) std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
  else
    for (index_t i = 0; i < n; ++i) to[i] = from[i * step];
}

/// Calls f(k, n, offset) for lines [k, k + n) of a tile and one kernel element, until all lines of
/// the tile are passed. d and h are the element's reach along the first two dims. `offset` is the
/// position on the grid where the first line starts, or -1 if the lines lie outside the grid. If
/// `contiguous`, consecutive lines on the grid are passed in one call; otherwise, each line on the
/// grid is passed in a call of its own.
template <class F>
void for_each_line(const windows& g, const positions_tile& t, const reach& d, const reach& h, bool contiguous, F f) {
  if (t.line_count == 0) return;
  index_t i = t.line / g.output_size[1], j = t.line % g.output_size[1];
  for (index_t k = 0; k < t.line_count;) {
    const index_t rest = std::min(t.line_count - k, g.output_size[1] - j);  // lines left in this plane
    const bool inside = i >= d.first && i < d.last && j >= h.first && j < h.last;
    const index_t equal = i < d.first || i >= d.last ? rest : inside ? h.last - j : j < h.first ? h.first - j : rest;
    const index_t n = inside && !contiguous ? 1 : std::min(rest, equal);
    f(k, n, inside ? ((i * g.stride[0] + d.from) * g.input_size[1] + j * g.stride[1] + h.from) * g.input_size[2] : -1);
    k += n, j += n;
    if (j == g.output_size[1]) j = 0, ++i;
  }
}

/// Returns true if consecutive lines of a tile are as far apart on the grid as in the columns.
constexpr auto lines_are_contiguous(const windows& g, const positions_tile& t) -> bool {
  return g.stride[1] == 1 && g.stride[2] == 1 && g.input_size[2] == g.output_size[2] && t.width == g.output_size[2];
}

/// Sets the elements of n lines of `width` elements to 0, except for elements [before, before +
/// inside) of each line.
template <class T>
void zero_ends(T* lines, index_t n, index_t width, index_t before, index_t inside) {
  for (index_t i = 0; i < width; ++i) {
    if (i == before) i += inside;
    if (i < width)
      for (index_t k = 0; k < n; ++k) lines[k * width + i] = T(0);
  }
}

/// im2col: writes the windows of x at the positions of a tile to `columns`. Elements outside the
/// grid are 0. T may be any type with the size of the elements.
template <class T>
void im2col(const windows& g, index_t channels, const positions_tile& t, const T* x, T* columns) {
  const index_t s = g.stride[2];
  const bool contiguous = lines_are_contiguous(g, t);
  for_each_row(g, channels, [&](index_t c, const reach& d, const reach& h, const reach& w) {
    const index_t first = std::clamp(w.first, t.from, t.from + t.width),
                  last = std::clamp(w.last, first, t.from + t.width);
    const index_t before = first - t.from, inside = last - first;
    for_each_line(g, t, d, h, contiguous, [&](index_t, index_t lines, index_t row) {
      if (row < 0 || inside == 0) {
        columns = std::fill_n(columns, lines * t.width, T(0));
        return;
      }
      // Copies several lines at once. The elements between the lines are copied too. These
      // elements are not part of the windows, so zero_ends sets them to 0.
      copy_every(x + c * g.inputs() + row + first * s + w.from, s, inside + (lines - 1) * t.width, columns + before);
      zero_ends(columns, lines, t.width, before, inside);
      columns += lines * t.width;
    });
  });
}

/// col2im: converts each element of the columns to the type of x, and adds it to the element of x
/// from which im2col copies it. If C is not const, elements of the columns that lie outside the
/// grid may be set to 0.
template <class C, class T>
void add_col2im(const windows& g, index_t channels, const positions_tile& t, C* columns, T* x) {
  const index_t s = g.stride[2];
  for_each_row(g, channels, [&](index_t c, const reach& d, const reach& h, const reach& w) {
    C* const from = columns;
    columns += t.count();
    const index_t first = std::clamp(w.first, t.from, t.from + t.width),
                  last = std::clamp(w.last, first, t.from + t.width);
    const bool contiguous = lines_are_contiguous(g, t) && (!std::is_const_v<C> || last - first == t.width);
    for_each_line(g, t, d, h, contiguous, [&](index_t k, index_t lines, index_t row) {
      if (row < 0 || first == last) return;
      if constexpr (!std::is_const_v<C>)
        if (lines > 1) zero_ends(from + k * t.width, lines, t.width, first - t.from, last - first);
      const index_t n = last - first + (lines - 1) * t.width;
      T* const to = x + c * g.inputs() + row + first * s + w.from;
      const auto* const line = from + k * t.width + first - t.from;
      if (s == 1)
        for (index_t i = 0; i < n; ++i) to[i] = static_cast<T>(to[i] + static_cast<T>(line[i]));
      else
        for (index_t i = 0; i < n; ++i) to[i * s] = static_cast<T>(to[i * s] + static_cast<T>(line[i]));
    });
  });
}

}  // namespace koila::inline v0::detail
