// SPDX-License-Identifier: MIT
#pragma once
// index: selects along the first dims by tensors of indices or by a mask.
#include <koila/expr/function.hpp>
#include <koila/ops/indexing/index_select.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/variadic.hpp>
#include <koila/ops/internal/wrap_index.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

namespace detail {

/// The sizes of the mask, if the index holds the positions at which a mask is true.
inline constexpr struct mask_sizes : attribute_name<mask_sizes> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.mask)) { return a.mask; }
} mask_sizes;

/// If `index` is a mask, returns the positions where the flattened mask is true, and appends the
/// sizes of the mask to `mask`. Otherwise returns `index` unchanged.
auto places_of(const at::Tensor& index, attr_list& mask) -> at::Tensor;

}  // namespace detail

namespace ops {  // the C library also declares a function `index`

/// (n, ...) x int64 (dims...) -> (dims..., ...): index(x, i) is x[i]. Negative indices count from
/// the end. A call has up to four index tensors, which broadcast: index(x, i, j) is x[i, j]. A mask
/// must be a tensor, not an expression, because the shape of the result must be known when the
/// graph is built.
inline constexpr struct index : op<index, 0> {
  static constexpr std::string_view name = "index";
  struct attributes {
    static constexpr std::size_t positional = 0;
    attr_list mask;  // the sizes of the mask; empty if the index was not a mask
    constexpr void write(auto& w) const {
      if (!mask.empty()) w.put(", mask "), mask.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  template <class... Ts>
    requires detail::leads<dims, 2, 5, detail::type_list<attributes>, Ts...>
  static constexpr auto rule(const Ts&... ts) -> verdict {
    constexpr int n = sizeof...(Ts) - 1;
    return detail::with_array<n>([](const dims* x, const attributes& a) { return checked(x[0], x + 1, n - 1, a); },
                                 ts...);
  }
  template <class... Ts>
    requires detail::leads<traced_value, 2, 5, detail::type_list<attributes>, Ts...>
  static constexpr auto expand(const Ts&... ts) -> traced_value {
    constexpr int n = sizeof...(Ts) - 1;
    return detail::with_array<n>([](const auto* x, const attributes& a) { return chosen(x[0], x + 1, n - 1, a); },
                                 ts...);
  }

 private:
  /// The number of dims of x that are indexed.
  static constexpr auto indexed(int n, const attributes& a) -> int { return a.mask.empty() ? n : a.mask.n; }

  static constexpr auto checked(const dims& x, const dims* i, int n, const attributes& a) -> verdict {
    for (int k = 0; k < n; ++k)
      if (!rules::indexes(i[k]))
        return i[k].type == dtype::boolean ? reason::mask_is_an_expression : reason::index_is_not_integers;
    if (!a.mask.empty() && n > 1) return reason::no_rule_for_these_ranks;  // a mask must be the only index
    const int first = indexed(n, a);
    if (x.ranked() && x.rank < first) return reason::no_rule_for_these_ranks;
    dims out = i[0];
    for (int k = 1; k < n; ++k) {
      if (!out.ranked() || !i[k].ranked()) {
        out = dims();
        continue;
      }
      const verdict v = rules::broadcast(out, i[k], dtype::int64);
      if (!v.accepted()) return v.reason;
      out = v.out;
    }
    if (!x.ranked() || !out.ranked()) return dims(x.type);
    for (int d = 0; d < a.mask.n; ++d)
      if (x[d].known() && x[d].n != a.mask.e[d].value) return reason::shapes_differ;
    if (x.rank - first + out.rank > dims::capacity) return reason::too_many_dimensions;
    out = out.with(x.type);
    for (int k = first; k < x.rank; ++k) out.e[out.rank++] = x.e[k];
    return out;
  }
  template <class X>
  static constexpr auto chosen(const X& x, const X* i, int n, const attributes& a) -> X {
    const dims d = dims_of(x);
    const int first = indexed(n, a);
    dims places[4];
    for (int k = 0; k < n; ++k) places[k] = dims_of(i[k]);
    const dims out = checked(d, places, n, a).out;
    // Flattens the indexed dims to one dim, and combines the indices into one position in this dim.
    X at = i[0];
    for (int k = 1; k < n; ++k)
      at = add(mul(k == 1 ? internal::wrap_index(at, d[0].n) : at, d[k].n), internal::wrap_index(i[k], d[k].n));
    dims merged({first == 1 ? d[0] : extent{d.count(0, first), {}, true}}, d.type), flat = out.with(dtype::int64);
    for (int k = first; k < d.rank; ++k) merged.e[merged.rank++] = d.e[k];
    flat.rank -= d.rank - first;
    flat = dims({flat.rank == 1 ? flat.e[0] : extent{flat.count(), {}, true}}, flat.type);
    const X all = first == 1 ? x : detail::reshape_to(x, merged);
    return detail::reshape_to(index_select(all, detail::reshape_to(at, flat), koila::dim = 0, detail::from_end = true),
                              out);
  }
} index;

}  // namespace ops

/// An index that is a tensor may be a mask. index(x, t) is x[t].
template <class X, PlainTensor T>
  requires detail::accepts_call<struct ops::index, X, T>
auto index(const X& x, const T& t) {
  author::attr_list mask;
  const T places = detail::places_of(t, mask);
  return ops::index(x, places, detail::mask_sizes = mask);
}

}  // namespace koila::inline v0

#line 1 "koila's index"
KOILA_BINARY_FUNCTION(index)
