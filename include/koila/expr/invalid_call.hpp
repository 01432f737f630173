// SPDX-License-Identifier: MIT
#pragma once
// Refusals of calls whose arguments have a form that no op accepts: a string, an operand after an
// attribute, or only numbers.
#include <koila/expr/node.hpp>

namespace koila::inline v0::detail {

/// The form of a call: how many expressions come first, how many other arguments follow, and
/// whether all of these other arguments are attributes (`in_order`).
struct form {
  int operands = 0, rest = 0;
  bool in_order = true;
};
template <class... Ts>
constexpr auto form_of() -> form {
  const bool x[] = {Expression<Ts>..., false}, a[] = {Attribute<Ts>..., false};
  form f;
  while (x[f.operands]) ++f.operands;
  f.rest = static_cast<int>(sizeof...(Ts)) - f.operands;
  for (int i = f.operands; i < f.operands + f.rest; ++i) f.in_order = f.in_order && a[i];
  return f;
}

/// Returns true if an overload that deduces only shapes can refuse the call. The call must consist
/// of expressions only, or of one to `most` expressions followed by attributes.
template <int most, class... Ts>
constexpr auto refused_by_shapes() -> bool {
  constexpr form f = form_of<Ts...>();
  return f.rest == 0 || (f.in_order && f.operands > 0 && f.operands <= most);
}

/// Error message of a call whose form no op accepts. The message contains the rule's reason. If
/// the call has only numbers and attributes, or if the rule accepts the arguments, the message
/// contains the reason no_expression instead.
template <class Op, class... Ts>
struct call_diagnostic {
  using asked = verdict_of<Op, Ts...>;
  static constexpr bool numbers_alone = !((Expression<Ts> || PlainTensor<Ts>) || ...) && (Attribute<Ts> && ...);
  static constexpr author::reason reason =
      numbers_alone || asked::value.accepted() ? author::reason::no_expression : asked::value.reason;
  static consteval auto sentence() { return asked::template sentence_of<reason>(); }
};

/// Error message of a call that is refused for the given reason, whatever its operands are. The
/// message contains the reason and, if the first argument is an expression or a tensor, its dims.
template <class Op, reason Reason, class... Ts>
struct diagnostic_of_first {
  static constexpr author::reason reason = Reason;
  static consteval auto sentence() { return verdict_of<Op>::template sentence_of<reason, false>(); }
};
template <class Op, reason Reason, class X, class... Ts>
  requires(Expression<X> || PlainTensor<X>)
struct diagnostic_of_first<Op, Reason, X, Ts...> {
  static constexpr author::reason reason = Reason;
  static consteval auto sentence() { return verdict_of<Op, X>::template sentence_of<reason, false>(); }
};

}  // namespace koila::inline v0::detail
