#pragma once
// index: the slices of the first dim that a tensor of indices names.
#include <koila/ops/index_select.hpp>
#include <koila/ops/reshape.hpp>

namespace koila {

namespace ops {  // C has this name

/// (n, ...) x int64 (dims...) -> (dims..., ...): index(x, i) is x[i]; negative indices count from the end.
inline constexpr struct index : op<index, 0> {
  static constexpr std::string_view name = "index";
  static constexpr auto rule(const dims& x, const dims& i) -> verdict {
    if (!rules::indexes(i)) return why::index_is_not_integers;
    if (x.rank == 0) return why::no_rule_for_these_ranks;
    if (!x.ranked() || !i.ranked()) return dims(x.type);
    if (x.rank - 1 + i.rank > dims::capacity) return why::too_many_dimensions;
    dims out = i.with(x.type);
    for (int k = 1; k < x.rank; ++k) out.e[out.rank++] = x.e[k];
    return out;
  }
  static constexpr auto expand(const auto& x, const auto& i) {
    const dims all = dims_of(i);
    const dims flat({all.rank == 1 ? all.e[0] : extent{all.count(), {}, true}}, all.type);
    return detail::reshape_to(index_select(x, detail::reshape_to(i, flat), koila::dim = 0, detail::from_end = true),
                              rule(dims_of(x), all).out);
  }
} index;

}  // namespace ops

template <class... Ts>
  requires detail::accepts_call<struct ops::index, Ts...>
constexpr auto index(const Ts&... ts) {
  return ops::index(ts...);
}

}  // namespace koila

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's index"
namespace koila {
template <class X, class I, why Reason = verdict_of<struct ops::index, X, I>::value.reason,
          text Says = verdict_of<struct ops::index, X, I>::sentence()>
  requires(Reason != why::accepted)
auto index(const shaped<X>&, const shaped<I>&) -> refused = delete;
}  // namespace koila
