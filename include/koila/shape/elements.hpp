// SPDX-License-Identifier: MIT
#pragma once
// Element functions. An element function computes an element-wise op on contiguous elements.
// Kernels that compute several ops call the element functions of these ops.
#include <koila/shape/axis.hpp>
#include <koila/shape/dtype.hpp>

#include <bit>
#include <cstdint>

namespace koila::inline v0::detail {

/// Maximum number of operands of an op that has an element function.
inline constexpr int most_element_operands = 4;
/// Maximum number of operands of a fused kernel (graph/fused.hpp).
inline constexpr int most_fused_operands = 8;

/// Computes y[i] = f(in[0][i], in[1][i], ...) for n contiguous elements. y may be one of the
/// operands. `attributes` points to the op's attributes.
/// A row-wise op, such as layer_norm, computes each element from a whole row. The function of a
/// row-wise op gets whole rows of y, and whole rows of each operand that has y's extents. Its
/// `attributes` points to a `row_attributes`.
using elements_function = void (*)(void* y, const void* const* operands, const void* attributes, index_t n);

/// The `attributes` argument of a row-wise op's function. The function's n is a multiple of
/// `row_length`. If an operand has only one row, this row is used for all rows of y.
struct row_attributes {
  const void* attributes;
  index_t row_length;  ///< elements in one row
};

/// Element function of an op that has only a float32 version. This version also computes 16-bit
/// dtypes. LibTorch's operator computes float64.
struct float_elements {
  elements_function float32 = nullptr;
};

/// Element functions of an op that has a float32 version and a float64 version.
struct all_elements {
  elements_function float32 = nullptr, float64 = nullptr;
};

/// Dtypes for which an op has element functions.
enum class element_dtypes : signed char { none, float32_only, all };

/// Dtype in which element functions compute. 16-bit dtypes are computed in float32, and each
/// result is rounded.
constexpr auto computed_in(dtype t) -> dtype {
  return t == dtype::float16 || t == dtype::bfloat16 ? dtype::float32 : t;
}

/// Returns true if the 16-bit dtype `t` represents the number exactly, as zero or as a normal
/// number. For bfloat16, the absolute value must be at most 2^127. Other numbers are excluded,
/// because some of LibTorch's operators round such a number before the computation, and others do
/// not.
constexpr auto is_one_of_16_bits(dtype t, double v) -> bool {
  if (v == 0) return true;
  const double size = v < 0 ? -v : v;
  const auto narrow = static_cast<float>(v);
  const bool small = t == dtype::float16 ? size >= 0x1p-14 && size <= 65504 : size >= 0x1p-126 && size <= 0x1p127;
  return small && static_cast<double>(narrow) == v &&
         (std::bit_cast<std::uint32_t>(narrow) & (t == dtype::float16 ? 0x1FFFU : 0xFFFFU)) == 0;
}

/// Returns true if the element functions of an op compute elements of dtype `t`.
constexpr auto includes(element_dtypes dtypes, dtype t) -> bool {
  if (dtypes == element_dtypes::none) return false;
  return computed_in(t) == dtype::float32 || (t == dtype::float64 && dtypes == element_dtypes::all);
}

}  // namespace koila::inline v0::detail
