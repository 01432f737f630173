#pragma once
// Calls whose arguments are of no form that an op takes: a text among them, an operand after an
// attribute, numbers alone.
#include <koila/expr/node.hpp>

namespace koila::detail {

/// Whether a call has some expressions and then only attributes, and how many expressions.
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

/// Whether the refusals that are deduced on shapes alone take the call: expressions, and with at
/// most `most` of them attributes.
template <int most, class... Ts>
constexpr auto told_by_shapes() -> bool {
  constexpr form f = form_of<Ts...>();
  return f.rest == 0 || (f.in_order && f.operands > 0 && f.operands <= most);
}

/// What an op says of a call of no form: its rule's reason, where it has one of what is there.
template <class Op, class... Ts>
struct call_diagnostic {
  using asked = verdict_of<Op, Ts...>;
  static constexpr bool numbers_alone = !((Expression<Ts> || Tensor<Ts>) || ...) && (Attribute<Ts> && ...);
  static constexpr why reason = numbers_alone || asked::value.accepted() ? why::no_expression : asked::value.reason;
  static consteval auto sentence() { return asked::template sentence_of<reason>(); }
};

/// A call that is told that it is wrong as a whole, with what the op says of its first argument.
template <class Op, why Reason, class... Ts>
struct told_of_first {
  static constexpr why reason = Reason;
  static consteval auto sentence() { return verdict_of<Op>::template sentence_of<reason, false>(); }
};
template <class Op, why Reason, class X, class... Ts>
  requires(Expression<X> || Tensor<X>)
struct told_of_first<Op, Reason, X, Ts...> {
  static constexpr why reason = Reason;
  static consteval auto sentence() { return verdict_of<Op, X>::template sentence_of<reason, false>(); }
};

}  // namespace koila::detail
