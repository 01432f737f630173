// SPDX-License-Identifier: MIT
#pragma once
// index_add: adds slices to the slices of a dim that an index selects.
#include <koila/ops/indexing/indexing.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/index_select_backward.hpp>
#include <koila/ops/linalg/products.hpp>

namespace koila::inline v0 {

struct index_add;

namespace detail {

/// The last argument of index_add: a number, or alpha by name.
template <class A>
concept NumberOrAlpha =
    Attribute<A> && (!is_named<A>::value || requires { requires std::same_as<typename A::tag, struct alpha>; });

/// An argument of index_add as the attribute `alpha`.
template <NumberOrAlpha A>
constexpr auto as_alpha(A a) {
  if constexpr (is_named<A>::value) return a;
  else return alpha = a;
}

/// True if a call has LibTorch's order, with alpha as the last argument.
template <class... Ts>
inline constexpr bool alpha_last = false;
template <class X, Attribute D, class I, class S, NumberOrAlpha A>
inline constexpr bool alpha_last<X, D, I, S, A> =
    (Expression<X> && Expression<I> && Expression<S>) ||
    accepts_call<index_add, X, I, S, named<struct dim, D>, decltype(as_alpha(std::declval<A>()))>;

}  // namespace detail

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file;
// see op.hpp.
#line 1 "koila's op"
namespace koila::inline v0 {

/// (..., n, ...) x int64 (m) x (..., m, ...) -> (..., n, ...): index_add(x, dim, index, source,
/// alpha) is x + alpha * source, where each slice of source along dim is added to the slice of x
/// that its index selects. alpha is a number, 1 by default. The call may name the dim and alpha:
/// index_add(x, index, source, dim = d, alpha = 2).
inline constexpr struct index_add : detail::indexing<index_add, 3> {
  using indexing::operator();
  static constexpr std::string_view name = "index_add";
  struct attributes : detail::dim_attribute {
    attr<double> alpha = 1.0;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  template <class... Ts>
  static constexpr bool takes_form = detail::dim_between<index_add, 3, Ts...> || detail::alpha_last<Ts...>;

  static constexpr auto rule(const dims& x, const dims& index, const dims& source, const attributes& a) -> verdict {
    if (!rules::indexes(index)) return author::reason::index_is_not_integers;
    if (index.rank > 1) return author::reason::no_rule_for_these_ranks;
    if (x.number || index.number || source.number) return author::reason::no_rule_for_these_dtypes;
    const reason r = rules::blend(dims(source.type), dims(x.type), {1.0, a.alpha}).reason;  // of the dtypes and alpha
    if (r != author::reason::accepted) return r;
    const dims out = x.with(x.type == dtype::unknown ? source.type : x.type);
    if (!x.ranked() || !source.ranked()) return out;
    if (x.rank != source.rank) return author::reason::shapes_differ;
    if (!a.dim.known) return out;
    dims chosen = x.rank == 0 ? one() : x;
    const int d = detail::wrap(a.dim.value, chosen.rank);
    if (d < 0) return author::reason::dimension_out_of_range;
    chosen.e[d] = index.rank == 1 ? index.e[0] : index.rank == 0 ? extent{1} : extent{};
    if (rules::same_shape(source.rank == 0 ? one() : source, chosen) == detail::tristate::no)
      return author::reason::shapes_differ;
    return out;
  }
  /// Adds up the slices of the source first, so that each chunk of samples can add its slices.
  static constexpr auto expand(const auto& x, const auto& index, const auto& source, const attributes& a) {
    const dims d = dims_of(x);
    const auto with_dim = [&](const auto& v) { return d.rank == 0 ? detail::reshape_to(v, one()) : v; };
    const auto sums = internal::index_select_backward(with_dim(source), with_dim(x), index, koila::dim = a.dim);
    return add(x, scaled(d.rank == 0 ? detail::reshape_to(sums, d) : sums, a.alpha.value, d.type));
  }

  template <class X, Attribute D, class I, class S, detail::NumberOrAlpha A>
    requires detail::accepts_call<index_add, std::remove_cvref_t<X>, std::remove_cvref_t<I>, std::remove_cvref_t<S>,
                                  detail::named<struct dim, D>, decltype(detail::as_alpha(std::declval<A>()))>
  constexpr auto operator()(X&& x, D d, I&& index, S&& source, A number) const {
    return index_add{}(std::forward<X>(x), std::forward<I>(index), std::forward<S>(source), koila::dim = d,
                       detail::as_alpha(number));
  }
  // clang-format off: clang prints every line of a refusal, so each refusal is on one line
  template <class X, class D, class I, class S, detail::NumberOrAlpha A, class Asked = detail::verdict_of<index_add, X, I, S, detail::named<struct dim, D>, decltype(detail::as_alpha(std::declval<A>()))>, author::reason Reason = Asked::value.reason, detail::text Message = Asked::sentence()> requires(Attribute<D> && Reason != author::reason::accepted) auto operator()(const detail::shaped<X>&, const D&, const detail::shaped<I>&, const detail::shaped<S>&, const A&) const -> detail::refused = delete;
  // clang-format on

 private:
  static constexpr auto one() -> dims { return dims({extent{1}}); }
  /// A boolean is added or not, like any other number that is not 0.
  static constexpr auto scaled(const auto& sums, double factor, dtype type) {
    if (type != dtype::boolean) return detail::scaled(sums, factor, type);
    return factor == 0 ? mul(sums, false) : sums;
  }
} index_add;

}  // namespace koila::inline v0
