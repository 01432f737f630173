#pragma once
// Windows of one sample as columns, and columns back to a sample: (channels, in...) <-> (channels * kernel..., out...).
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

/// T: any type of the elements' size. What lies outside the grid is 0.
template <class T>
void to_columns(const windows& g, index_t channels, const T* x, T* columns) {
  const index_t width = g.out[2], plane = g.out[1] * width, s = g.stride[2];
  for_each_row(g, channels, [&](index_t c, const reach& d, const reach& h, const reach& w) {
    T* to = columns;
    columns += g.positions();
    const auto zero = [&](index_t n) { to = std::fill_n(to, n, T(0)); };
    zero(d.first * plane);
    for (index_t i = d.first; i < d.last; ++i) {
      zero(h.first * width);
      for (index_t j = h.first; j < h.last; ++j) {
        const T* row = x + ((c * g.in[0] + i * g.stride[0] + d.from) * g.in[1] + j * g.stride[1] + h.from) * g.in[2];
        zero(w.first);
        if (w.first < w.last) copy_every(row + w.first * s + w.from, s, w.last - w.first, to);
        to += w.last - w.first;
        zero(width - w.last);
      }
      zero((g.out[1] - h.last) * width);
    }
    zero((g.out[0] - d.last) * plane);
  });
}

/// Adds every element of the columns to where it came from.
template <class T>
void add_columns(const windows& g, index_t channels, const T* columns, T* x) {
  const index_t width = g.out[2], plane = g.out[1] * width, s = g.stride[2];
  for_each_row(g, channels, [&](index_t c, const reach& d, const reach& h, const reach& w) {
    const T* from = columns;
    columns += g.positions();
    if (w.first == w.last) return;
    for (index_t i = d.first; i < d.last; ++i)
      for (index_t j = h.first; j < h.last; ++j) {
        const index_t row = ((c * g.in[0] + i * g.stride[0] + d.from) * g.in[1] + j * g.stride[1] + h.from) * g.in[2];
        T* to = x + row + w.first * s + w.from;
        const T* line = from + i * plane + j * width + w.first;
        if (s == 1)
          for (index_t k = 0; k < w.last - w.first; ++k) to[k] = static_cast<T>(to[k] + line[k]);
        else
          for (index_t k = 0; k < w.last - w.first; ++k) to[k * s] = static_cast<T>(to[k * s] + line[k]);
      }
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
