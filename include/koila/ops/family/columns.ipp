#pragma once
// Windows of one sample as columns, and columns back to a sample: (channels, in...) <-> (channels * kernel..., positions).
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/windows.hpp>

#include <algorithm>
#include <cstring>

namespace koila::detail {

/// Where one element of the windows lies on the grid along one dim: windows [first, last) have it at stride * i + from.
struct reach {
  index_t first, last, from;
  reach(const windows& g, int i, index_t k) : from(k * g.dilation[i] - g.padding[i]) {
    const index_t s = g.stride[i];
    first = std::min(g.out[i], from >= 0 ? 0 : (-from + s - 1) / s);
    last = from >= g.in[i] ? first : std::max(first, std::min(g.out[i], (g.in[i] - 1 - from) / s + 1));
  }
};

/// Calls f(c, element of the kernel, its reach along each dim) in the order of the columns' rows.
template <class F>
void for_each_row(const windows& g, index_t channels, F f) {
  for (index_t c = 0; c < channels; ++c)
    for (index_t d = 0; d < g.kernel[0]; ++d)
      for (index_t h = 0; h < g.kernel[1]; ++h)
        for (index_t w = 0; w < g.kernel[2]; ++w) f(c, reach(g, 0, d), reach(g, 1, h), reach(g, 2, w));
}

/// Copies n elements that are `step` apart.
template <class T>
void copy_every(const T* from, index_t step, index_t n, T* to) {
  if (step == 1) std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
  else
    for (index_t i = 0; i < n; ++i) to[i] = from[i * step];
}

/// Calls f(line in the tile, its place on the grid; negative: outside of it) for the lines of a tile, as one element of the windows
/// along the first two dims meets them.
template <class F>
void for_each_line(const windows& g, const positions_tile& t, const reach& d, const reach& h, F f) {
  if (t.lines == 0) return;
  index_t i = t.line / g.out[1], j = t.line % g.out[1];
  for (index_t k = 0; k < t.lines; ++k) {
    const bool inside = i >= d.first && i < d.last && j >= h.first && j < h.last;
    f(k, inside ? ((i * g.stride[0] + d.from) * g.in[1] + j * g.stride[1] + h.from) * g.in[2] : -1);
    if (++j == g.out[1]) j = 0, ++i;
  }
}

/// T: any type of the elements' size. What lies outside the grid is 0.
template <class T>
void to_columns(const windows& g, index_t channels, const positions_tile& t, const T* x, T* columns) {
  const index_t s = g.stride[2];
  for_each_row(g, channels, [&](index_t c, const reach& d, const reach& h, const reach& w) {
    const index_t first = std::clamp(w.first, t.from, t.from + t.width), last = std::clamp(w.last, first, t.from + t.width);
    for_each_line(g, t, d, h, [&](index_t, index_t row) {
      if (row < 0 || first == last) {
        columns = std::fill_n(columns, t.width, T(0));
        return;
      }
      columns = std::fill_n(columns, first - t.from, T(0));
      copy_every(x + c * g.inputs() + row + first * s + w.from, s, last - first, columns);
      columns = std::fill_n(columns + (last - first), t.from + t.width - last, T(0));
    });
  });
}

/// Adds every element of the columns to where it came from.
template <class T>
void add_columns(const windows& g, index_t channels, const positions_tile& t, const T* columns, T* x) {
  const index_t s = g.stride[2];
  for_each_row(g, channels, [&](index_t c, const reach& d, const reach& h, const reach& w) {
    const T* const from = columns;
    columns += t.count();
    const index_t first = std::clamp(w.first, t.from, t.from + t.width), last = std::clamp(w.last, first, t.from + t.width);
    for_each_line(g, t, d, h, [&](index_t k, index_t row) {
      if (row < 0) return;
      T* const to = x + c * g.inputs() + row + first * s + w.from;
      const T* const line = from + k * t.width + first - t.from;
      if (s == 1)
        for (index_t n = 0; n < last - first; ++n) to[n] = static_cast<T>(to[n] + line[n]);
      else
        for (index_t n = 0; n < last - first; ++n) to[n * s] = static_cast<T>(to[n * s] + line[n]);
    });
  });
}

/// One value for each of n spatial dims, as LibTorch's operators take them. `least`: as many at least, the first ones `otherwise`.
class spatial_values {
 public:
  spatial_values(const attr_list& l, int n, int least = 0, index_t otherwise = 0) {
    for (int i = n; i < least; ++i) v_[n_++] = otherwise;
    for (int i = 0; i < n; ++i) v_[n_++] = l[i].value;
  }
  operator at::IntArrayRef() const { return {v_, n_}; }
  operator c10::SymIntArrayRef() const { return c10::fromIntArrayRefSlow({v_, n_}); }

 private:
  std::int64_t v_[windows::capacity]{};
  std::size_t n_ = 0;
};

/// Calls f with a zero of the floating-point type.
template <class F>
void by_floating(at::ScalarType t, F f) {
  switch (t) {
    case at::kFloat: return f(float{});
    case at::kDouble: return f(double{});
    case at::kHalf: return f(at::Half{});
    case at::kBFloat16: return f(at::BFloat16{});
    default: TORCH_CHECK_TYPE(false, "not a floating-point dtype: ", t);
  }
}

inline auto dims_of_sizes(const at::Tensor& t) -> dims {
  dims d = open_dims(static_cast<int>(t.dim()));
  for (int i = 0; i < d.rank; ++i) d.e[i] = extent{t.size(i)};
  return d;
}

}  // namespace koila::detail
