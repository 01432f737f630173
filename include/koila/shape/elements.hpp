#pragma once
// What an element-wise op is to a kernel of many: functions of elements that lie together.
#include <koila/shape/axis.hpp>
#include <koila/shape/dtype.hpp>

#include <bit>
#include <cstdint>

namespace koila {

/// The most operands of an op that has a function of elements.
inline constexpr int most_element_operands = 4;
/// The most operands of a kernel of several such ops in one.
inline constexpr int most_fused_operands = 8;

/// y[i] = f(in[0][i], in[1][i], ...) for n elements that lie together; y may be one of the
/// operands. `attributes`: the op's. Of an op of rows f has each element's whole row of what is of
/// y's extents, and `attributes` is a `row_attributes`.
using elements_function = void (*)(void* y, const void* const* in, const void* attributes, index_t n);

/// What an op of rows, each of whose elements is a function of its whole row, gets in place of its
/// attributes: n is a multiple of `row`, and an operand that is one row is that of all.
struct row_attributes {
  const void* attributes;
  index_t row;  ///< elements of a row
};

/// What an op whose function is in float32 alone has, in which 16 bits are computed, too; of
/// float64 LibTorch's operator computes it.
struct float_elements {
  elements_function float32 = nullptr;
};

/// What an op has that is computed in float32 and in float64.
struct all_elements {
  elements_function float32 = nullptr, float64 = nullptr;
};

/// The dtypes in which an op's elements can be computed by its functions.
enum class element_dtypes : signed char { none, float32, all };

/// In which type elements are computed: those of 16 bits in float32, and each result is rounded.
constexpr auto computed_in(dtype t) -> dtype {
  return t == dtype::float16 || t == dtype::bfloat16 ? dtype::float32 : t;
}

/// Whether a number is one of a dtype of 16 bits: where not, LibTorch's operators round it first,
/// or not.
constexpr auto is_one_of_16_bits(dtype t, double v) -> bool {
  if (v == 0) return true;
  const double size = v < 0 ? -v : v;
  const auto narrow = static_cast<float>(v);
  const bool small = t == dtype::float16 ? size >= 0x1p-14 && size <= 65504 : size >= 0x1p-126 && size <= 0x1p127;
  return small && static_cast<double>(narrow) == v &&
         (std::bit_cast<std::uint32_t>(narrow) & (t == dtype::float16 ? 0x1FFFU : 0xFFFFU)) == 0;
}

/// Whether elements of a dtype are computed in one of them.
constexpr auto includes(element_dtypes of, dtype t) -> bool {
  if (of == element_dtypes::none) return false;
  return computed_in(t) == dtype::float32 || (t == dtype::float64 && of == element_dtypes::all);
}

}  // namespace koila
