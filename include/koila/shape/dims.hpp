// SPDX-License-Identifier: MIT
#pragma once
// The dims and element type of a value as plain data. Shape rules take and return them.
#include <koila/shape/dtype.hpp>
#include <koila/shape/extent.hpp>

#include <concepts>
#include <initializer_list>

namespace koila::inline v0 {

namespace author {

/// Dims and element type of a value. A negative `rank` means that the rank is unknown. `number` is
/// true for a C++ arithmetic value, which is promoted like LibTorch's wrapped numbers.
struct dims {
  static constexpr int capacity = 8;

  extent e[capacity]{};
  int rank = -1;
  dtype type = dtype::unknown;
  bool number = false;

  constexpr dims() = default;
  constexpr explicit dims(dtype t) : type(t) {}
  constexpr dims(std::initializer_list<extent> list, dtype t = dtype::unknown)
      : rank(static_cast<int>(list.size())), type(t) {
    int i = 0;
    for (const extent& x : list) e[i++] = x;
  }

  constexpr auto ranked() const -> bool { return rank >= 0; }
  /// Negative indices count from the end.
  constexpr auto operator[](int i) const -> const extent& { return e[i < 0 ? i + rank : i]; }
  constexpr auto operator[](int i) -> extent& { return e[i < 0 ? i + rank : i]; }
  constexpr auto known() const -> bool {
    for (int i = 0; i < rank; ++i)
      if (!e[i].known()) return false;
    return ranked();
  }
  /// Index of the first dim with this axis, or -1.
  constexpr auto find(std::string_view axis) const -> int {
    for (int i = 0; i < rank; ++i)
      if (e[i].axis == axis) return i;
    return -1;
  }
  /// Product of the extents in [first, last). All these extents must be known.
  constexpr auto count(int first, int last) const -> index_t {
    index_t n = 1;
    for (int i = first; i < last; ++i) n *= e[i].n;
    return n;
  }
  constexpr auto count() const -> index_t { return count(0, rank); }
  constexpr auto bytes() const -> index_t { return count() * detail::bytes_of(type); }

  constexpr auto with(dtype t) const -> dims {
    dims out = *this;
    out.type = t;
    out.number = false;
    return out;
  }
  friend constexpr auto operator==(const dims& a, const dims& b) -> bool {
    if (a.rank != b.rank || a.type != b.type || a.number != b.number) return false;
    for (int i = 0; i < a.rank; ++i)
      if (a.e[i] != b.e[i]) return false;
    return true;
  }
};

/// Dims of a scalar: rank 0.
constexpr auto scalar(dtype t = dtype::unknown) -> dims { return dims({}, t); }

}  // namespace author

namespace detail {

/// Dims of known rank and unknown extents.
constexpr auto open_dims(int rank, dtype t = dtype::unknown) -> dims {
  dims out(t);
  out.rank = rank;
  for (int i = 0; i < rank; ++i) out.e[i] = extent{};  // g++ 12 may treat an element left at its default as changed
  return out;
}

/// Returns true if both shapes have the same extents; axis names are ignored.
constexpr auto same_extents(const dims& a, const dims& b) -> bool {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.e[i].n != b.e[i].n) return false;
  return true;
}

/// Maximum number of elements of a value. An extent of 0 counts as 1. The limit is low enough that
/// sizes in bytes, and sums of such sizes in a plan, fit in index_t.
inline constexpr index_t most_elements = index_t{1} << 56;

/// Returns true if the product of the known extents is at most `most_elements`.
constexpr auto countable(const dims& d) -> bool {
  index_t n = 1;
  for (int i = 0; i < d.rank; ++i) {
    if (d.e[i].n <= 1) continue;
    if (n > most_elements / d.e[i].n) return false;
    n *= d.e[i].n;
  }
  return true;
}

/// Returns index `d` as a position in [0, rank). A negative index counts from the end. Returns -1
/// if `d` is out of range.
constexpr auto wrap(index_t d, int rank) -> int {
  if (d < -rank || d >= rank) return -1;
  return static_cast<int>(d < 0 ? d + rank : d);
}

}  // namespace detail

namespace author {

/// Returns the result dtype of an element-wise operation, like at::result_type. Tensors take
/// precedence over scalars (rank 0), and scalars take precedence over C++ numbers. Returns
/// `unknown` if the dtype of an operand is unknown, or if an unknown rank could change the result.
constexpr auto result_type(const dims* const* operands, int n) -> dtype {
  dtype best[3] = {dtype::unknown, dtype::unknown, dtype::unknown};  // for tensors, scalars, numbers
  bool seen[3] = {}, unsure = false;
  const auto category = [](dtype t) { return is_floating(t) ? 2 : is_integral(t) ? 1 : 0; };
  const auto look = [&](const dims& d) {
    const int k = d.number ? 2 : d.rank == 0 ? 1 : 0;
    unsure = unsure || d.type == dtype::unknown;
    // An operand of unknown rank may turn out to be a scalar. The result is undecided if another
    // operand has a different dtype of the same category.
    for (int i = 0; i < n; ++i) {
      const dims& o = *operands[i];
      unsure =
          unsure || (!d.ranked() && !d.number && !o.number && o.type != d.type && category(o.type) == category(d.type));
    }
    best[k] = seen[k] ? promote(best[k], d.type) : d.type;
    seen[k] = true;
  };
  for (int i = 0; i < n; ++i) look(*operands[i]);
  if (unsure) return dtype::unknown;
  dtype out = dtype::unknown;
  for (int k = 0; k < 3; ++k) {
    if (!seen[k]) continue;
    const dtype here = k == 2 && best[k] == dtype::float64 ? dtype::float32 : best[k];  // LibTorch's default dtype
    if (out == dtype::unknown || category(here) > category(out))
      out = out == dtype::unknown ? here : promote(out, here);
  }
  return out;
}
template <std::same_as<dims>... D>
constexpr auto result_type(const D&... operands) -> dtype {
  const dims* const list[] = {&operands...};
  return result_type(list, static_cast<int>(sizeof...(D)));
}

}  // namespace author

}  // namespace koila::inline v0
