// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of ops that choose elements by an index. All tensors are contiguous.
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::detail {

/// Calls f with a zero of the dtype's C++ type. Throws c10::TypeError if koila does not know the
/// dtype.
template <class F>
void for_dtype(at::ScalarType type, F f) {
  switch (type) {
    case at::kBool: return f(bool{});
    case at::kByte: return f(std::uint8_t{});
    case at::kChar: return f(std::int8_t{});
    case at::kShort: return f(std::int16_t{});
    case at::kInt: return f(std::int32_t{});
    case at::kLong: return f(std::int64_t{});
    case at::kHalf: return f(at::Half{});
    case at::kBFloat16: return f(at::BFloat16{});
    case at::kFloat: return f(float{});
    case at::kDouble: return f(double{});
    default: TORCH_CHECK_TYPE(false, "a dtype that koila does not know");
  }
}
/// Calls f with a zero of an unsigned integer type as wide as the dtype, for kernels that only copy
/// elements.
template <class F>
void for_width(at::ScalarType type, F f) {
  switch (c10::elementSize(type)) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
  }
}

/// Returns index i as a position in [0, n). If `from_end`, negative indices count from the end.
/// Throws c10::IndexError if the index is out of range.
inline auto checked_index(std::int64_t i, std::int64_t n, bool from_end = false) -> std::int64_t {
  const std::int64_t at = from_end && i < 0 ? i + n : i;
  TORCH_CHECK_INDEX(at >= 0 && at < n, "index ", i, " is out of range for a dim of extent ", n);
  return at;
}

/// Calls f(row of x, row of the result) for each chosen row. x is treated as (outer, n, inner). The
/// index chooses among the n rows, which have `inner` elements each.
template <class F>
void for_each_row(const at::Tensor& x, std::int64_t dim, const at::Tensor& index, bool from_end, F f) {
  const auto d = dim < 0 ? dim + x.dim() : dim, n = x.size(d), m = index.numel();
  const auto outer = c10::multiply_integers(x.sizes().slice(0, static_cast<std::size_t>(d)));
  const auto* at = data<std::int64_t>(index);
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < m; ++i) f(o * n + checked_index(at[i], n, from_end), o * m + i);
}

/// Calls f(element of x, element of the index) for each element of the index. Element (i, ..., k,
/// ..., j) of the index chooses element (i, ..., index[i, ..., k, ..., j], ..., j) of x.
template <class F>
void for_each_gathered(const at::Tensor& x, std::int64_t dim, const at::Tensor& index, F f) {
  const auto d = dim < 0 ? dim + x.dim() : dim, rank = x.dim(), n = x.size(d);
  std::int64_t count[dims::capacity] = {}, stride[dims::capacity], base = 0;
  for (std::int64_t k = rank - 1, s = 1; k >= 0; s *= x.size(k--)) stride[k] = s;
  const auto* at = data<std::int64_t>(index);
  for (std::int64_t i = 0; i < index.numel(); ++i) {
    f(base + checked_index(at[i], n) * stride[d], i);
    for (std::int64_t k = rank - 1; k >= 0; --k) {
      const std::int64_t step = k == d ? 0 : stride[k];
      base += step;
      if (++count[k] < index.size(k)) break;
      base -= step * count[k];
      count[k] = 0;
    }
  }
}

/// Calls f(position in y, element of src) for each element of the index. If src has no dims, its
/// number is used for all elements. T is the type of y and src.
template <class T, class F>
void for_each_scattered(const at::Tensor& y, std::int64_t dim, const at::Tensor& index, const at::Tensor& src, F f) {
  if (src.dim() == 0) {
    const T from = src.item().to<T>();
    return for_each_gathered(y, dim, index, [&](auto position, auto) { f(position, from); });
  }
  const T* const from = data<T>(src);
  for_each_gathered(y, dim, index, [&](auto position, auto i) { f(position, from[i]); });
}

}  // namespace koila::inline v0::detail
