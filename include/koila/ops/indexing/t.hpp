// SPDX-License-Identifier: MIT
#pragma once
// t: the transpose of a matrix.
#include <koila/ops/indexing/transpose.hpp>

namespace koila::inline v0 {

namespace ops {  // programs often have this name, too

/// (n, m) -> (m, n): the transpose of a matrix. A vector or a scalar stays unchanged. Returns a
/// view. The name `t` is not visible through `using namespace koila`. A call t(x) finds the op
/// because x is an expression; write ops::t(x) for tensors.
inline constexpr struct t : op<t, 1> {
  static constexpr std::string_view name = "t";
  static constexpr auto rule(const dims& x) -> verdict {
    if (x.rank > 2) return reason::no_rule_for_these_ranks;
    return x.rank == 2 ? dims({x.e[1], x.e[0]}, x.type) : x;
  }
  static constexpr auto expand(const auto& x) {
    auto y = x;
    if (dims_of(x).rank == 2) y = transpose(x, 0_c, 1_c);
    return y;
  }
} t;

}  // namespace ops

namespace detail {

/// The call t(x). Argument-dependent lookup finds this function, because expressions have bases in
/// this namespace.
template <Expression X>
  requires accepts_call<struct ops::t, X>
constexpr auto t(const X& x) {
  return ops::t(x);
}

}  // namespace detail

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's t"
namespace koila::inline v0::detail {
template <class X, Attribute... As, reason Reason = verdict_of<struct ops::t, X, As...>::value.reason,
          text Message = verdict_of<struct ops::t, X, As...>::sentence()>
  requires(Reason != reason::accepted)
auto t(const shaped<X>&, const As&...) -> refused = delete;
template <class... Ts, reason Reason = invalid_function_call<struct ops::t, 1, Ts...>::reason,
          text Message = invalid_function_call<struct ops::t, 1, Ts...>::sentence()>
auto t(const Ts&...) -> refused = delete;
}  // namespace koila::inline v0::detail
