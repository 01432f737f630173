// SPDX-License-Identifier: MIT
#pragma once
// Element types and LibTorch's rules for promoting them.
#include <koila/shape/axis.hpp>

#include <string_view>

namespace koila::inline v0 {

/// Element types, named as in LibTorch. `unknown` is the dtype of a tensor that is not bound yet.
enum class dtype : signed char {
  unknown,
  boolean,
  uint8,
  int8,
  int16,
  int32,
  int64,
  float16,
  bfloat16,
  float32,
  float64
};

/// The names of the dtypes without `dtype::`: `input<int64, batch>`.
inline constexpr dtype boolean = dtype::boolean, uint8 = dtype::uint8, int8 = dtype::int8, int16 = dtype::int16,
                       int32 = dtype::int32, int64 = dtype::int64, float16 = dtype::float16, bfloat16 = dtype::bfloat16,
                       float32 = dtype::float32, float64 = dtype::float64;

namespace detail {

/// Bytes of one element, or 0 if the dtype is unknown.
constexpr auto bytes_of(dtype t) -> index_t {
  switch (t) {
    case dtype::boolean:
    case dtype::uint8:
    case dtype::int8: return 1;
    case dtype::int16:
    case dtype::float16:
    case dtype::bfloat16: return 2;
    case dtype::int32:
    case dtype::float32: return 4;
    case dtype::int64:
    case dtype::float64: return 8;
    default: return 0;
  }
}

}  // namespace detail

/// Returns the name of a dtype, for example "float32". The unknown dtype is "any".
constexpr auto to_string(dtype t) -> std::string_view {
  constexpr std::string_view names[] = {"any",   "bool",    "uint8",    "int8",    "int16",  "int32",
                                        "int64", "float16", "bfloat16", "float32", "float64"};
  return names[static_cast<int>(t)];
}

/// Returns true for float16, bfloat16, float32 and float64.
constexpr auto is_floating(dtype t) -> bool { return t >= dtype::float16; }
/// Returns true for the integer dtypes. boolean is not an integer dtype.
constexpr auto is_integral(dtype t) -> bool { return t >= dtype::uint8 && t <= dtype::int64; }

namespace author {

/// Promotes two dtypes by LibTorch's table (c10/core/ScalarType.cpp, promoteTypes).
constexpr auto promote(dtype a, dtype b) -> dtype {
  if (a == b) return a;
  if (a == dtype::unknown || b == dtype::unknown) return dtype::unknown;
  if (a > b) return promote(b, a);
  if (is_floating(b)) return a == dtype::float16 && b == dtype::bfloat16 ? dtype::float32 : b;
  if (a == dtype::uint8 && b == dtype::int8) return dtype::int16;
  return b;
}

}  // namespace author

namespace detail {

/// Dtype in which sums and products over chunks are accumulated. The accumulator of a 16-bit
/// dtype is float32, because 16 bits would lose small values or overflow.
constexpr auto accumulator_of(dtype t) -> dtype {
  return t == dtype::float16 || t == dtype::bfloat16 ? dtype::float32 : t;
}

}  // namespace detail

namespace author {

/// Returns true if LibTorch converts the number to this dtype without overflow. Floating-point
/// dtypes hold infinities and NaN; boolean holds every number.
constexpr auto holds(dtype t, double v) -> bool {
  if (t == dtype::unknown || t == dtype::boolean || t == dtype::float64) return true;
  if (is_integral(t)) {
    const double half = 2.0 * static_cast<double>(index_t{1} << (8 * detail::bytes_of(t) - 2));
    return t == dtype::uint8 ? v >= 0 && v < 2 * half : v >= -half && v < half;
  }
  const double most = t == dtype::float16 ? 65504.0 : t == dtype::bfloat16 ? 0x1.FEp127 : 0x1.FFFFFEp127;
  const bool finite = v - v == 0;
  return !finite || (v >= -most && v <= most);
}

}  // namespace author

}  // namespace koila::inline v0
