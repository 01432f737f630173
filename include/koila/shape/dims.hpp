#pragma once
// The dims and element type of a value, as plain data: what every rule takes and gives.
#include <koila/shape/dtype.hpp>
#include <koila/shape/extent.hpp>

#include <concepts>
#include <initializer_list>

namespace koila {

/// Dims of a value (rank negative: not known) and its element type.
/// `number` marks a C++ arithmetic value, which promotes as LibTorch's wrapped numbers do.
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
  /// The first dim that is this axis, or -1.
  constexpr auto find(std::string_view axis) const -> int {
    for (int i = 0; i < rank; ++i)
      if (e[i].axis == axis) return i;
    return -1;
  }
  /// The product of the extents in [first, last), all known.
  constexpr auto count(int first, int last) const -> index_t {
    index_t n = 1;
    for (int i = first; i < last; ++i) n *= e[i].n;
    return n;
  }
  constexpr auto count() const -> index_t { return count(0, rank); }
  constexpr auto bytes() const -> index_t { return count() * bytes_of(type); }

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

/// Dims of a known rank of which nothing else is known.
constexpr auto open_dims(int rank, dtype t = dtype::unknown) -> dims {
  dims out(t);
  out.rank = rank;
  for (int i = 0; i < rank; ++i) out.e[i] = extent{};  // left at its default, g++ 12 sometimes takes it for modified
  return out;
}

namespace detail {

/// Whether values have as many elements along each dim, whatever the names of axes.
constexpr auto same_extents(const dims& a, const dims& b) -> bool {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.e[i].n != b.e[i].n) return false;
  return true;
}

}  // namespace detail

/// The most elements that any value has, those of extents 0 counted as 1: as many that their bytes,
/// and what a plan adds to them, are numbers.
inline constexpr index_t most_elements = index_t{1} << 56;

/// Whether a value of these dims has no more than the most elements, as far as they are known.
constexpr auto countable(const dims& d) -> bool {
  index_t n = 1;
  for (int i = 0; i < d.rank; ++i) {
    if (d.e[i].n <= 1) continue;
    if (n > most_elements / d.e[i].n) return false;
    n *= d.e[i].n;
  }
  return true;
}

/// A position that counts from the end when negative, or -1 when it is out of range.
constexpr auto wrap(index_t d, int rank) -> int {
  if (d < -rank || d >= rank) return -1;
  return static_cast<int>(d < 0 ? d + rank : d);
}

/// The result type of an element-wise operation: tensors before scalars before C++ numbers, as
/// at::result_type.
constexpr auto result_type(const dims* const* operands, int n) -> dtype {
  dtype best[3] = {dtype::unknown, dtype::unknown, dtype::unknown};  // of tensors, of scalars, of numbers
  bool seen[3] = {}, unsure = false;
  const auto category = [](dtype t) { return is_floating(t) ? 2 : is_integral(t) ? 1 : 0; };
  const auto look = [&](const dims& d) {
    const int k = d.number ? 2 : d.rank == 0 ? 1 : 0;
    unsure = unsure || d.type == dtype::unknown;
    // What may turn out to be a scalar decides nothing against another type of its kind.
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
    const dtype here = k == 2 && best[k] == dtype::float64 ? dtype::float32 : best[k];  // the default dtype
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

}  // namespace koila
