// SPDX-License-Identifier: MIT
#pragma once
// Shared by `custom` and its backward op: a user's callable on tensors. koila knows only what the
// attributes state about the callable.
#include <koila/ops/indexing/variadic.hpp>

namespace koila::inline v0 {

/// An attribute of `custom`: a function like the `rule` of an op. The function takes the
/// operands' dims, with their axes, and returns the verdict on the call, which is the result's
/// dims or the reason for a refusal.
inline constexpr struct rule : detail::attribute_name<rule> {
  using attribute_name::operator=;
} rule;

namespace detail {

/// The largest number of operands of a callable. The backward op has one operand more, the gradient
/// of the result.
inline constexpr int most_operands_of_opaque = 5;

/// A type-erased callable.
struct opaque : object {
  int operands;
  constexpr explicit opaque(int n) : operands(n) {}
  constexpr ~opaque() override {}
  /// Returns true if the result's dims are found by a call on tensors without data (meta tensors).
  constexpr virtual auto inferred() const -> bool = 0;
  constexpr virtual auto stated(const dims* operands) const -> verdict = 0;
  virtual void run(at::Tensor& y, const at::Tensor* const* operands) const = 0;
};

struct inferred_rule {};

template <class F, class Rule, std::size_t... I>
struct opaque_function final : opaque {
  F f;
  [[no_unique_address]] Rule rule;
  constexpr opaque_function(F g, Rule r) : opaque(sizeof...(I)), f(std::move(g)), rule(std::move(r)) {}
  constexpr ~opaque_function() override {}
  constexpr auto inferred() const -> bool override { return std::is_same_v<Rule, inferred_rule>; }
  constexpr auto stated([[maybe_unused]] const dims* inputs) const -> verdict override {
    if constexpr (std::is_same_v<Rule, inferred_rule>) return dims();
    else return rule(inputs[I]...);
  }
  void run(at::Tensor& y, const at::Tensor* const* inputs) const override { y = f(*inputs[I]...); }
};

template <class T>
inline constexpr bool is_rule = false;
template <class V>
inline constexpr bool is_rule<named<struct koila::rule, V>> = true;

/// The callable as an attribute. At compile time only its presence is known.
struct opaque_attribute {
  handle<const opaque> f;
  bool known = true;
  constexpr void assign(const handle<const opaque>& h) { f = h; }
  constexpr void assign(const attr<index_t>&) { known = false; }
  friend constexpr auto operator==(const opaque_attribute&, const opaque_attribute&) -> bool = default;
};

struct opaque_attributes {
  detail::opaque_attribute callable;
  attr<bool> per_sample = false;
  attr<index_t> workspace = 0, backward_workspace = -1;
  bool differentiated = false;  // true if a gradient flows through the call; == ignores this member

  friend constexpr auto operator==(const opaque_attributes& a, const opaque_attributes& b) -> bool {
    return a.callable == b.callable && a.per_sample == b.per_sample && a.workspace == b.workspace &&
           a.backward_workspace == b.backward_workspace;
  }
};

}  // namespace detail

namespace rules {

/// Returns the dims of the callable's result, found by a call on tensors without data. Throws
/// shape_error if the call fails or, for `wanted` >= 0, if autograd has no gradient for operand
/// `wanted`.
auto opaque_now(const dims* operands, const detail::opaque_attributes& a, int wanted) -> dims;
[[noreturn]] inline void refuse_backward() {
  throw detail::without_gradient<shape_error>(
      "custom: its gradient is asked for, and no backward_workspace = bytes is stated");
}
[[noreturn]] void refuse_opaque(const dims* operands, int n, std::string_view reason);
/// Calls the callable on tensors without data, and throws shape_error if the callable uses
/// parameters of its own that require a gradient. If the callable does not support tensors
/// without data, this check is made in the first call on data.
void refuse_own_parameters(const dims* operands, const detail::opaque_attributes& a);

/// Refuses the result of a per-sample call unless dim 0 of the result has the extent of dim 0 of an
/// operand.
constexpr auto opaque_rows(const dims* operands, int n, const dims& out) -> verdict {
  bool rows = false;
  for (int k = 0; k < n && out.rank > 0; ++k) rows = rows || (operands[k].rank > 0 && operands[k].e[0].n == out.e[0].n);
  if (!rows)
    refuse_opaque(operands, n, "with per_sample = true the result has a row along dim 0 for each of an operand");
  return out;
}

constexpr auto opaque(const dims* inputs, int n, const detail::opaque_attributes& a, int wanted = -1) -> verdict {
  if (a.workspace.known && a.workspace.value < 0) return reason::workspace_is_negative;
  if (!a.callable.known) return dims();
  const auto* f = a.callable.f.get();
  if (f == nullptr || f->operands != n) return reason::no_rule_for_these_ranks;
  const verdict v = f->inferred() ? verdict(opaque_now(inputs, a, wanted)) : f->stated(inputs);
  return !v.accepted() || !a.per_sample.value ? v : opaque_rows(inputs, n, v.out);
}

}  // namespace rules

namespace detail {

/// The batch relation of a per-sample call. It is the relation of the first operand whose dim 0
/// is the batch axis and has the extent of dim 0 of y.
constexpr auto rows_called_for(const value* operands, int n, const dims& y) -> batch_relation {
  for (int k = 0; k < n && y.rank > 0; ++k)
    if (operands[k].batch_relation.sampled() && operands[k].batch_relation.axis == 0 &&
        operands[k].batch_relation.outer == 1 && operands[k].dims.e[0].n == y.e[0].n)
      return operands[k].batch_relation;
  return {};
}
/// The part of an operand that the call needs. If the operand has the relation r, the call needs
/// only the chunk's rows, otherwise the whole operand.
constexpr auto called_with(const value& x, const batch_relation& r) -> need {
  if (x.batch_relation == r) return {need::rows, r};
  return {need::whole, {}};
}

/// Calls f and copies the result to y. If `differentiated` is true and LibTorch's grad mode is on,
/// throws shape_error if the callable uses parameters of its own that require a gradient, or draws
/// random numbers.
void run_opaque(const opaque& f, at::Tensor& y, const at::Tensor* const* operands, bool differentiated);
/// Sets y to the callable's result for plain tensors. LibTorch's autograd records the call, as in
/// any LibTorch program.
void call_opaque(const opaque_attributes& a, at::Tensor& y, const at::Tensor* const* operands, int n);
/// Calls f with autograd and copies the gradient of operand `wanted` to dx. Throws shape_error as
/// `run_opaque` does.
void run_opaque_backward(const opaque& f, int wanted, at::Tensor& dx, const at::Tensor& dy,
                         const at::Tensor* const* operands);

}  // namespace detail

}  // namespace koila::inline v0
