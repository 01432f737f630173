#pragma once
// What custom and its pull-back share: a callable on tensors of which koila knows nothing but what
// it is told.
#include <koila/ops/family/variadic.hpp>

namespace koila {

/// `custom`: rows of the result depend on the same rows of those operands that are per sample.
inline constexpr struct per_sample : attribute_name<per_sample> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.per_sample)) { return a.per_sample; }
} per_sample;

/// `custom`: bytes that the callable allocates besides its result, at most.
inline constexpr struct workspace : attribute_name<workspace> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.workspace)) { return a.workspace; }
} workspace;

/// `custom`: bytes that the callable and autograd allocate besides its result and one gradient, at
/// most. Without it there is no gradient.
inline constexpr struct backward_workspace : attribute_name<backward_workspace> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.backward_workspace)) { return a.backward_workspace; }
} backward_workspace;

/// `custom`: the result's dims as a function of the operands', with their axes: what `rule` is to
/// an op.
inline constexpr struct rule : attribute_name<rule> {
  using attribute_name::operator=;
} rule;

/// The most operands of an opaque callable: its pull-back has one more.
inline constexpr int most_operands_of_opaque = 5;

/// A callable whose type is forgotten.
struct opaque : object {
  int operands;
  constexpr explicit opaque(int n) : operands(n) {}
  constexpr ~opaque() override {}
  /// Whether the dims of the result are found by calling it on tensors without data.
  constexpr virtual auto inferred() const -> bool = 0;
  constexpr virtual auto stated(const dims* in) const -> verdict = 0;
  virtual void run(at::Tensor& y, const at::Tensor* const* in) const = 0;
};

namespace detail {

struct inferred_rule {};

template <class F, class Rule, std::size_t... I>
struct opaque_function final : opaque {
  F f;
  [[no_unique_address]] Rule rule;
  constexpr opaque_function(F g, Rule r) : opaque(sizeof...(I)), f(std::move(g)), rule(std::move(r)) {}
  constexpr ~opaque_function() override {}
  constexpr auto inferred() const -> bool override { return std::is_same_v<Rule, inferred_rule>; }
  constexpr auto stated([[maybe_unused]] const dims* in) const -> verdict override {
    if constexpr (std::is_same_v<Rule, inferred_rule>) return dims();
    else return rule(in[I]...);
  }
  void run(at::Tensor& y, const at::Tensor* const* in) const override { y = f(*in[I]...); }
};

template <class T>
inline constexpr bool is_rule = false;
template <class V>
inline constexpr bool is_rule<named<struct koila::rule, V>> = true;

/// The callable as an attribute. The compiler knows that there is one, and nothing of it.
struct opaque_attribute {
  handle<const opaque> f;
  bool known = true;
  constexpr void assign(const handle<const opaque>& h) { f = h; }
  constexpr void assign(const attr<index_t>&) { known = false; }
  friend constexpr auto operator==(const opaque_attribute&, const opaque_attribute&) -> bool = default;
};
inline constexpr struct callable : attribute_name<callable> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.callable)) { return a.callable; }
} callable;

}  // namespace detail

struct opaque_attributes {
  detail::opaque_attribute callable;
  attr<bool> per_sample = false;
  attr<index_t> workspace = 0, backward_workspace = -1;
  bool differentiated = false;  // a gradient is asked through the call, which does not make it another one

  friend constexpr auto operator==(const opaque_attributes& a, const opaque_attributes& b) -> bool {
    return a.callable == b.callable && a.per_sample == b.per_sample && a.workspace == b.workspace &&
           a.backward_workspace == b.backward_workspace;
  }
};

namespace rules {

/// The dims that the callable gives. Throws shape_error where it gives none. `wanted` >= 0: and no
/// gradient of that operand.
auto opaque_now(const dims* in, const opaque_attributes& a, int wanted) -> dims;
[[noreturn]] inline void refuse_backward() {
  throw shape_error("custom: its gradient is asked for, and no backward_workspace = bytes is stated");
}
[[noreturn]] void refuse_opaque(const dims* in, int n, std::string_view why);
/// Throws shape_error where the callable, called on tensors without data, is seen to use parameters
/// of its own that require a gradient. Where it cannot be called so, its first call tells.
void refuse_own_parameters(const dims* in, const opaque_attributes& a);

/// With `per_sample` the result has a row for each of an operand.
constexpr auto opaque_rows(const dims* in, int n, const dims& out) -> verdict {
  bool rows = false;
  for (int k = 0; k < n && out.rank > 0; ++k) rows = rows || (in[k].rank > 0 && in[k].e[0].n == out.e[0].n);
  if (!rows) refuse_opaque(in, n, "with per_sample = true the result has a row along dim 0 for each of an operand");
  return out;
}

constexpr auto opaque(const dims* in, int n, const opaque_attributes& a, int wanted = -1) -> verdict {
  if (a.workspace.known && a.workspace.value < 0) return why::workspace_is_negative;
  if (!a.callable.known) return dims();
  const auto* f = a.callable.f.get();
  if (f == nullptr || f->operands != n) return why::no_rule_for_these_ranks;
  const verdict v = f->inferred() ? verdict(opaque_now(in, a, wanted)) : f->stated(in);
  return !v.accepted() || !a.per_sample.value ? v : opaque_rows(in, n, v.out);
}

}  // namespace rules

namespace detail {

/// The relation of the rows that are called for: that of the first operand with samples along dim 0
/// in as many rows.
constexpr auto rows_called_for(const value* in, int n, const dims& y) -> relation {
  for (int k = 0; k < n && y.rank > 0; ++k)
    if (in[k].r.sampled() && in[k].r.axis == 0 && in[k].r.outer == 1 && in[k].d.e[0].n == y.e[0].n) return in[k].r;
  return {};
}
/// An operand's rows where it has those, the whole of it else.
constexpr auto called_with(const value& x, const relation& r) -> need {
  if (x.r == r) return {need::rows, r};
  return {need::whole, {}};
}

/// Calls f and copies the result. Where a gradient is asked through the call, and LibTorch records
/// gradients, throws shape_error if the callable uses parameters of its own that require one.
void run_opaque(const opaque& f, at::Tensor& y, const at::Tensor* const* in, bool differentiated);
/// Sets y to what f makes of plain tensors, as a program of LibTorch would: its autograd records
/// the call.
void call_opaque(const opaque_attributes& a, at::Tensor& y, const at::Tensor* const* in, int n);
/// Calls f with autograd and copies the gradient of operand `wanted`. Throws as `run_opaque` does.
void run_opaque_backward(const opaque& f, int wanted, at::Tensor& dx, const at::Tensor& dy,
                         const at::Tensor* const* in);

}  // namespace detail

}  // namespace koila
