#pragma once
// What functions share that give the parts of a value: chunk, split, unbind.
#include <koila/ops/slice_backward.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace koila {

/// A view of one part of a dim. The attributes say which: `dim`, start(n) and length(n) in a dim of extent n, and why there is none.
template <class Op>
struct part_of : op<Op, 1> {
  static constexpr auto rule(const dims& x, const auto& a) -> verdict
    requires requires { a.start(0); }
  {
    if (x.rank == 0) return why::no_rule_for_these_ranks;
    if (!x.ranked()) return dims(x.type);
    if (!a.dim.known) return open_dims(x.rank, x.type);
    const int d = wrap(a.dim.value, x.rank);
    if (d < 0) return why::dimension_out_of_range;
    dims out = x;
    out.e[d] = {};
    if (!x.e[d].known() || !a.known()) return out;
    if (const why reason = a.problem(x.e[d].n); reason != why::accepted) return reason;
    out.e[d] = rules::part(x.e[d], a.length(x.e[d].n));
    return out;
  }
  static constexpr auto flow(const value& x, const dims&, const auto& a) -> relations {
    return flows::part(x, wrap(a.dim.value, x.d.rank), false);
  }
  static constexpr auto identity(const dims& x, const auto& a) -> bool {
    const index_t n = x.e[wrap(a.dim.value, x.rank)].n;
    return a.length(n) == n;
  }
  static constexpr auto view_layout(layout how, const dims& x, const auto& a) -> layout {
    return part_layout(how, x, wrap(a.dim.value, x.rank));
  }
  template <class A>
    requires requires(const A& a) { a.start(0); }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const A& a) {
    const dims d = dims_of(x);
    const index_t n = d.ranked() ? d.e[wrap(a.dim.value, d.rank)].n : 0;
    return gradients(slice_backward(dy, x, a.dim, attr<index_t>(a.start(n))));
  }
};

namespace detail {

/// The dim that a call names, 0 where it names none.
constexpr auto dim_among() { return hana::llong_c<0>; }
template <class D>
constexpr auto dim_among(const D& d) {
  if constexpr (is_named<D>::value) return d.value;
  else return d;
}

/// The extent of a dim of x as far as the compiler knows it, else -1.
template <Expression X, class Dim>
constexpr auto static_extent() -> index_t {
  constexpr dims d = shape_t<X>::value;
  if constexpr (requires { Dim::value; }) {
    if constexpr (constexpr int k = d.ranked() ? wrap(Dim::value, d.rank) : -1; k >= 0) return d.e[k].n;
  }
  return -1;
}

/// The dims of a tensor, whose class is only declared here.
template <Tensor T>
auto sizes_of(const T& x) -> dims {
  dims d = open_dims(static_cast<int>(std::min<index_t>(x.dim(), dims::capacity)));
  for (int i = 0; i < d.rank; ++i) d.e[i] = extent{x.size(i), {}, true};
  return d;
}

/// f(0_c), f(1_c), ..., f(n - 1) as a tuple, called in that order.
template <index_t N>
constexpr auto tuple_of(const auto& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<decltype(f(hana::llong_c<static_cast<long long>(I)>))...>{f(hana::llong_c<static_cast<long long>(I)>)...};
  }(std::make_index_sequence<static_cast<std::size_t>(N)>{});
}

}  // namespace detail
}  // namespace koila
