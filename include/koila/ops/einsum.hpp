#pragma once
// einsum: sums of products, written as an equation of subscripts.
#include <koila/ops/family/contraction.hpp>

namespace koila {

namespace ops {  // called with the equation last

/// (...) [x (...)] -> (...): what the equation says. Repeated labels of one operand, diagonals, are refused.
inline constexpr struct einsum : op<einsum, 0> {
  static constexpr std::string_view name = "einsum";
  struct attributes {
    static constexpr std::size_t positional = 1;
    equation is;
    constexpr void set(std::size_t, const equation& e) { is = e; }
    template <literal L>
    constexpr void set(std::size_t, equation_constant<L> e) {
      is = e.value;
    }
    constexpr void write(auto& w) const { w.put(", \""), w.put(is.known ? is.view() : "?"), w.put("\""); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return of({x, dims()}, 1, x.type, a); }
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    if (x.type != dtype::unknown && y.type != dtype::unknown && x.type != y.type) return why::dtypes_differ;
    return of({x, y}, 2, x.type == dtype::unknown ? y.type : x.type, a);
  }

  static constexpr auto expand(const auto& x, const attributes& a) {
    const int rank = dims_of(x).rank;
    const auto s = detail::read(a.is, 1, &rank);
    detail::labelled<std::remove_cvref_t<decltype(x)>> v{x, dims_of(x), s.in[0]};
    v.sum_alone({}, s.out);
    v.order(s.out);
    return v.x;
  }
  static constexpr auto expand(const auto& x, const auto& y, const attributes& a) {
    using value = detail::labelled<std::remove_cvref_t<decltype(x)>>;
    const int ranks[] = {dims_of(x).rank, dims_of(y).rank};
    const auto s = detail::read(a.is, 2, ranks);
    value l{x, dims_of(x), s.in[0]}, r{y, dims_of(y), s.in[1]};
    const value before = l;
    l.squeeze_beside(r);
    r.squeeze_beside(before);
    l.sum_alone(r.of, s.out);
    r.sum_alone(l.of, s.out);
    for (int i = 0; i < l.of.n; ++i)
      if (!s.out.has(l.of.of[i])) return detail::contracted(l, r, s.out);
    return detail::spread_product(l, r, s.out);
  }

 private:
  struct both {
    dims of[2];
  };
  static constexpr auto of(const both& x, int n, dtype type, const attributes& a) -> verdict {
    if (type == dtype::boolean) return why::no_rule_for_booleans;
    if (!a.is.known || !x.of[0].ranked() || (n == 2 && !x.of[1].ranked())) return dims(sums_to(type, n, {}, false));
    const int ranks[] = {x.of[0].rank, x.of[1].rank};
    const auto s = detail::read(a.is, n, ranks);
    if (s.reason != why::accepted) return s.reason;
    const dtype made = sums_to(type, n, s, true);
    if (n == 2 && made != type) return why::no_rule_for_these_dtypes;
    for (int i = 0; i < s.in[0].n; ++i) {  // also of labels that are summed over
      const int j = s.in[1].find(s.in[0].of[i]);
      if (j >= 0 && !rules::broadcast(dims({x.of[0][i]}, type), dims({x.of[1][j]}, type), type).accepted())
        return why::inner_dimensions_differ;
    }
    dims out = open_dims(s.out.n, made);
    for (int i = 0; i < out.rank; ++i) {
      const int l = s.in[0].find(s.out.of[i]), r = s.in[1].find(s.out.of[i]);
      const extent& either_one = l >= 0 ? x.of[0].e[l] : x.of[1].e[r];
      out.e[i] =
          l >= 0 && r >= 0 ? rules::broadcast(dims({x.of[0].e[l]}, type), dims({x.of[1].e[r]}, type), type).out[0] : either_one;
    }
    return out;
  }
  /// The dtype of the result: where integers of one operand alone are summed, int64.
  static constexpr auto sums_to(dtype type, int n, const detail::subscripts& s, bool sure) -> dtype {
    if (type == dtype::unknown || is_floating(type) || type == dtype::int64) return type;
    if (!sure) return dtype::unknown;
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < s.in[k].n; ++i)
        if (!s.in[1 - k].has(s.in[k].of[i]) && !s.out.has(s.in[k].of[i])) return dtype::int64;
    return type;
  }
} einsum;

}  // namespace ops

/// einsum("bij,bjk->bik"_eq, a, b), einsum("...i,ij", a, b): one operand or two. Without "->" as LibTorch: what stands once.
template <literal L, class... Ts>
  requires detail::accepts_call<struct ops::einsum, Ts..., equation_constant<L>>
constexpr auto einsum(equation_constant<L> e, const Ts&... ts) {
  return ops::einsum(ts..., e);
}
template <class... Ts>
  requires detail::accepts_call<struct ops::einsum, Ts..., equation>
constexpr auto einsum(std::string_view e, const Ts&... ts) {
  return ops::einsum(ts..., equation(e));
}

}  // namespace koila

// The refusals, under a name that is no file: see op.hpp.
#line 1 "koila's einsum"
namespace koila {
template <literal L, class... S, why Reason = verdict_of<struct ops::einsum, S..., equation_constant<L>>::value.reason,
          text Says = verdict_of<struct ops::einsum, S..., equation_constant<L>>::sentence()>
  requires(Reason != why::accepted)
auto einsum(equation_constant<L>, const shaped<S>&...) -> refused = delete;
template <class... S, why Reason = verdict_of<struct ops::einsum, S..., equation>::value.reason,
          text Says = verdict_of<struct ops::einsum, S..., equation>::sentence()>
  requires(Reason != why::accepted)
auto einsum(std::string_view, const shaped<S>&...) -> refused = delete;
}  // namespace koila
