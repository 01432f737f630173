// SPDX-License-Identifier: MIT
#pragma once
// split: splits a dim into parts of given lengths.
#include <koila/ops/indexing/narrow.hpp>
#include <koila/ops/indexing/split_base.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., a + b + ..., ...) -> (..., a, ...): part number `index`. The lengths of all parts must add
/// up to the extent of the dim. Returns a view.
inline constexpr struct split_part : detail::part_op<split_part> {
  static constexpr std::string_view name = "split";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr_list sizes;
    attr<index_t> index = 0, dim = 0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, sizes, index, dim); }
    constexpr void write(auto& w) const {
      w.put(" into "), sizes.write(w);
      w.put(", dim "), dim.write(w);
    }
    constexpr auto known() const -> bool { return sizes.known() && index.known; }
    constexpr auto problem(index_t n) const -> reason {
      index_t left = n;  // the extent that remains after the parts so far
      for (int i = 0; i < sizes.n && left >= 0; ++i)
        left = sizes.e[i].value < 0 || sizes.e[i].value > left ? -1 : left - sizes.e[i].value;
      return left != 0 || index.value < 0 || index.value >= sizes.n ? reason::size_out_of_range : reason::accepted;
    }
    constexpr auto start(index_t) const -> index_t { return until(static_cast<int>(index.value)); }
    constexpr auto length(index_t) const -> index_t { return sizes.e[index.value].value; }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;

   private:
    constexpr auto until(int k) const -> index_t {
      index_t total = 0;
      for (int i = 0; i < k; ++i) total += sizes.e[i].value;
      return total;
    }
  };
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
} split_part;

}  // namespace internal

/// Splits a dim into views. split(x, list_of(2_c, 3_c), dim = -1) returns a std::tuple of at most 8
/// parts with these lengths. split(x, 2_c, dim) returns parts of length 2, the last of which may be
/// shorter. These parts are returned as a std::tuple if x is an expression, whose extent along the
/// dim must be known at compile time, and as a std::vector if x is a tensor.
inline constexpr struct split : detail::refusing_parts<struct internal::split_part, true> {
  using refusing_parts::operator();
  template <class X, class... S, Attribute... As>
    requires(
        sizeof...(As) < 2 &&
        detail::accepts_call<struct internal::split_part, X, list_of<S...>, hana::integral_constant<int, 0>, As...>)
  constexpr auto operator()(const X& x, const list_of<S...>& sizes, const As&... attributes) const {
    return detail::tuple_of<sizeof...(S)>([&](auto k) { return internal::split_part(x, sizes, k, attributes...); });
  }
  template <Expression X, class I, I size, Attribute... As>
    requires(size > 0 && sizeof...(As) < 2 && detail::has_dim<struct ops::select, X, As...>)
  constexpr auto operator()(const X& x, hana::integral_constant<I, size>, const As&... attributes) const {
    using D = decltype(detail::dim_among(attributes...));
    constexpr index_t n = detail::static_extent<X, D>();
    static_assert(n >= 0,
                  "split: the compiler knows no extent of this dim: give the lengths as list_of(...), or use chunk");
    return detail::tuple_of<(n + size - 1) / size>([&](auto k) {
      constexpr index_t start = decltype(k)::value * size;
      return narrow(x, detail::dim_among(attributes...), hana::llong_c<start>,
                    hana::llong_c<(n - start < size ? n - start : size)>);
    });
  }
  template <PlainTensor T, class N, Attribute... As>
    requires(sizeof...(As) < 2 && requires(N n) { static_cast<index_t>(n); })
  auto operator()(const T& x, N length, const As&... attributes) const -> std::vector<T> {
    const index_t n = static_cast<index_t>(length), d = static_cast<index_t>(detail::dim_among(attributes...));
    std::vector<T> parts;
    const author::dims all = detail::sizes_of(x);
    const int k = detail::wrap(d, all.rank);
    if (k < 0) detail::refuse("split", author::reason::dimension_out_of_range, &all, 1);
    if (n < 1) detail::refuse("split", author::reason::size_out_of_range, &all, 1);
    for (index_t at = 0; at < all.e[k].n; at += n) parts.push_back(narrow(x, d, at, std::min(n, all.e[k].n - at)));
    return parts;
  }
} split;

}  // namespace koila::inline v0
