// SPDX-License-Identifier: MIT
#pragma once
// einsum: sums of products, written as an equation of subscripts.
#include <koila/ops/indexing/variadic.hpp>
#include <koila/ops/linalg/contraction.hpp>

namespace koila::inline v0 {

namespace ops {  // this op takes the equation last; the function koila::einsum takes the equation first

/// (...) [x (...)]... -> (...): the sum of products that the equation states. Takes one to five
/// operands and contracts them from left to right. An operand with a repeated label (a diagonal) is
/// refused.
inline constexpr struct einsum : op<einsum, 0> {
  static constexpr std::string_view name = "einsum";
  struct attributes {
    static constexpr std::size_t positional = 1;
    detail::equation equation;
    constexpr void set(std::size_t, const detail::equation& e) { equation = e; }
    template <detail::literal L>
    constexpr void set(std::size_t, detail::equation_constant<L> e) {
      equation = e.value;
    }
    constexpr void write(auto& w) const { w.put(", \""), w.put(equation.known ? equation.view() : "?"), w.put("\""); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  template <class... Ts>
    requires detail::leads<dims, 1, detail::subscripts::most, detail::type_list<attributes>, Ts...>
  static constexpr auto rule(const Ts&... ts) -> verdict {
    constexpr int n = sizeof...(Ts) - 1;
    return detail::with_array<n>([](const dims* x, const attributes& a) { return checked(x, n, a); }, ts...);
  }
  /// Contracts from left to right. The first operand is contracted with the second, the result
  /// with the third, and so on.
  template <class... Ts>
    requires detail::leads<traced_value, 1, detail::subscripts::most, detail::type_list<attributes>, Ts...>
  static constexpr auto expand(const Ts&... ts) -> traced_value {
    constexpr int n = sizeof...(Ts) - 1;
    return detail::with_array<n>([](const auto* x, const attributes& a) { return contract(x, n, a); }, ts...);
  }

 private:
  template <class X>
  static constexpr auto contract(const X* x, int n, const attributes& a) -> X {
    int ranks[detail::subscripts::most] = {};
    for (int k = 0; k < n; ++k) ranks[k] = dims_of(x[k]).rank;
    const auto s = detail::read(a.equation, n, ranks);
    detail::labelled<X> y{x[0], dims_of(x[0]), s.operands[0]};
    if (n == 1) {
      y.sum_alone({}, s.out);
      y.order(s.out);
      return y.x;
    }
    for (int k = 1; k < n; ++k) {
      detail::labelled<X> r{x[k], dims_of(x[k]), s.operands[k]};
      detail::labels wanted;  // labels of the result or of a later operand
      const auto want = [&](const detail::labels& l) {
        for (int i = 0; i < l.n; ++i)
          if (!wanted.has(l.letter[i]) && (s.out.has(l.letter[i]) || s.count(l.letter[i], k + 1) > 0))
            wanted.push(l.letter[i]);
      };
      want(y.names);
      want(r.names);
      y = detail::product(y, r, k + 1 < n ? wanted : s.out);
    }
    return y.x;
  }
  static constexpr auto checked(const dims* x, int n, const attributes& a) -> verdict {
    dtype type = x[0].type;
    bool ranked = true;
    int ranks[detail::subscripts::most] = {};
    for (int k = 0; k < n; ++k) {
      if (type != dtype::unknown && x[k].type != dtype::unknown && x[k].type != type) return reason::dtypes_differ;
      if (type == dtype::unknown) type = x[k].type;
      ranked = ranked && x[k].ranked();
      ranks[k] = x[k].rank;
    }
    if (type == dtype::boolean) return reason::no_rule_for_booleans;
    if (!a.equation.known || !ranked) return dims(sums_to(type, {}, false));
    const auto s = detail::read(a.equation, n, ranks);
    if (s.reason != reason::accepted) return s.reason;
    const dtype made = sums_to(type, s, true);
    if (n > 1 && made != type) return reason::no_rule_for_these_dtypes;
    dims out = detail::open_dims(s.out.n, made);
    bool sums_one = false;  // a label that is summed over has an extent of 1 in some operands only
    const auto join = [&](int label, extent& e) {  // sets e to the common extent of all dims with this label
      dims all({extent{1}}, type);
      for (int k = 0, found = 0; k < n; ++k) {
        const int i = s.operands[k].find(label);
        if (i < 0) continue;
        const dims one({x[k][i]}, type);
        const bool known = found > 0 && all[0].known() && one[0].known();
        sums_one = sums_one || (known && !s.out.has(label) && all[0].is_one() != one[0].is_one());
        const verdict v = found++ == 0 ? verdict(one) : rules::broadcast(all, one, type);
        if (!v.accepted()) return false;
        all = v.out;
      }
      e = all[0];
      return true;
    };
    extent e{};
    for (int k = 0; k < n; ++k)  // also checks labels that are summed over
      for (int i = 0; i < s.operands[k].n; ++i)
        if (!join(s.operands[k].letter[i], e)) return reason::inner_dimensions_differ;
    for (int i = 0; i < out.rank; ++i) (void)join(s.out.letter[i], out.e[i]);
    // In this case the dtype of LibTorch's result depends on the order of its sums.
    if (sums_one && type != dtype::unknown && !is_floating(type) && type != dtype::int64)
      return reason::no_rule_for_these_dtypes;
    return out;
  }
  /// Returns the dtype of the result. Integers become int64 if a label that occurs only once is
  /// summed over.
  static constexpr auto sums_to(dtype type, const detail::subscripts& s, bool sure) -> dtype {
    if (type == dtype::unknown || is_floating(type) || type == dtype::int64) return type;
    if (!sure) return dtype::unknown;
    for (int k = 0; k < s.n; ++k)
      for (int i = 0; i < s.operands[k].n; ++i)
        if (s.count(s.operands[k].letter[i]) == 1 && !s.out.has(s.operands[k].letter[i])) return dtype::int64;
    return type;
  }
} einsum;

}  // namespace ops

/// einsum("bij,bjk->bik"_eq, a, b), einsum("...i,ij", a, b): takes one to five operands. Without
/// "->", the result has the labels that occur once, as in LibTorch.
template <detail::literal L, class... Ts>
  requires detail::accepts_call<struct ops::einsum, Ts..., detail::equation_constant<L>>
constexpr auto einsum(detail::equation_constant<L> e, const Ts&... ts) {
  return ops::einsum(ts..., e);
}
template <class... Ts>
  requires detail::accepts_call<struct ops::einsum, Ts..., detail::equation>
constexpr auto einsum(std::string_view e, const Ts&... ts) {
  return ops::einsum(ts..., detail::equation(e));
}

namespace detail {

/// The diagnostic of a refused call of einsum, if none of the overloads for shapes below matches
/// the call.
template <class... Ts>
struct invalid_einsum_call {};
template <class X, class... Ts>
  requires(Expression<X> && !std::is_convertible_v<const X&, std::string_view>)
struct invalid_einsum_call<X, Ts...> {
  using asked = verdict_of<struct ops::einsum, X, Ts...>;
  static constexpr author::reason reason = author::reason::no_equation_first;
  static consteval auto sentence() { return asked::template sentence_of<reason, false>(); }
};
template <class E>
struct equation_of {};
template <literal L>
struct equation_of<equation_constant<L>> {
  using type = equation_constant<L>;
};
template <class E>
  requires std::is_convertible_v<const E&, std::string_view>
struct equation_of<E> {
  using type = equation;
};
template <class E, class... Ts>
  requires((Expression<Ts> || ...) && !(Expression<Ts> && ...) &&
           !accepts_call<struct ops::einsum, Ts..., typename equation_of<E>::type>)
struct invalid_einsum_call<E, Ts...> : call_diagnostic<struct ops::einsum, Ts..., typename equation_of<E>::type> {};

}  // namespace detail

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's einsum"
namespace koila::inline v0 {
template <
    detail::literal L, class... S,
    author::reason Reason = detail::verdict_of<struct ops::einsum, S..., detail::equation_constant<L>>::value.reason,
    detail::text Message = detail::verdict_of<struct ops::einsum, S..., detail::equation_constant<L>>::sentence()>
  requires(Reason != author::reason::accepted)
auto einsum(detail::equation_constant<L>, const detail::shaped<S>&...) -> detail::refused = delete;
template <class... S,
          author::reason Reason = detail::verdict_of<struct ops::einsum, S..., detail::equation>::value.reason,
          detail::text Message = detail::verdict_of<struct ops::einsum, S..., detail::equation>::sentence()>
  requires(Reason != author::reason::accepted)
auto einsum(std::string_view, const detail::shaped<S>&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = detail::invalid_einsum_call<Ts...>::reason,
          detail::text Message = detail::invalid_einsum_call<Ts...>::sentence()>
auto einsum(const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
