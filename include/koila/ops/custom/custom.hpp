// SPDX-License-Identifier: MIT
#pragma once
// custom: any callable on tensors as an op. LibTorch's autograd computes the gradient.
#include <koila/ops/internal/custom_backward.hpp>

namespace koila::inline v0 {

namespace ops {

/// (...) x ... -> (...): the result of a user's callable on one to five tensors:
/// `custom([](const at::Tensor& a, const at::Tensor& w) { return at::cdist(a, w); }, x, w,
/// workspace = bytes)`.
/// By default the callable gets all samples at once. With `per_sample = true` the callable gets the
/// rows of one chunk along dim 0, and must return one row along dim 0 for each of them. The
/// callable may be called several times, and is called once more for the gradient of each operand,
/// so the callable must not keep state such as running statistics. A callable that writes to its
/// operands is refused. `workspace` is an upper bound of the bytes that the callable allocates
/// besides its result. Without `backward_workspace = bytes` there is no gradient. `rule` states the
/// result's dims if the callable cannot run on LibTorch's meta tensors.
// The operands are contiguous. On plain tensors the callable runs at once, and LibTorch's autograd
// records it.
// Dims: the callable is called on LibTorch's meta tensors when the graph is built. If the callable
// does not support meta tensors, because it reads values or uses tensors of its own, state the
// dims: `rule = [](const dims& a, const dims& w) -> verdict { ... }`. The rule gets the operands'
// dims with their axes and dtypes.
// Batch: operands are gathered. If the result has a batch axis, the result is sliced along it. With
// `per_sample = true` the callable gets only the chunk's rows of operands whose dim 0 is the batch
// axis, and gets all other operands whole. The result must have the same rows along dim 0.
// Gradient: LibTorch's autograd differentiates the callable. There are no second derivatives.
// Integer operands get no gradient. Parameters that the callable holds itself, as a torch::nn
// module does, would get no gradient, so a gradient through such a call is refused. Pass the
// parameters as operands, freeze them, use them under at::NoGradGuard, or detach the result. A
// gradient through a callable that draws random numbers is refused, too, because the call for the
// gradient would draw different numbers. Pass random numbers as an operand.
// Memory: the plan counts the result twice, because the callable's result is copied to koila's
// buffer. koila cannot know what else the callable allocates at the same time. State an upper
// bound, so that the plan does not underestimate the memory: `workspace = bytes`. The bound is 0
// for a callable that runs one kernel. To take the gradient, state `backward_workspace = bytes` as
// well, see custom_backward. Calls on plain tensors need neither attribute.
inline constexpr struct custom : op<custom, 0> {
  static constexpr std::string_view name = "custom";
  static constexpr bool draws_elsewhere = true;
  using attributes = detail::opaque_attributes;
  template <class... Ts>
    requires detail::leads<dims, 1, 5, detail::type_list<attributes>, Ts...>
  static constexpr auto rule(const Ts&... ts) -> verdict {
    constexpr std::size_t n = sizeof...(Ts) - 1;
    return detail::with_array<n>(
        [&](const dims* operands, const attributes& a) { return rules::opaque(operands, n, a); }, ts...);
  }
  template <class... Ts>
    requires detail::leads<value, 1, 5, detail::type_list<dims, attributes>, Ts...>
  static constexpr auto flow(const Ts&... ts) -> relations {
    constexpr std::size_t n = sizeof...(Ts) - 2;
    const auto from_array = [&](const value* operands, const dims& y, const attributes& a) {
      const batch_relation r = a.per_sample.value ? detail::rows_called_for(operands, n, y) : batch_relation{};
      if (!r.sampled()) return flows::gather(operands, n, y);
      relations f;
      f.out = r;
      for (std::size_t k = 0; k < n; ++k) f.operand[k] = detail::called_with(operands[k], r);
      return f;
    };
    return detail::with_array<n>(from_array, ts...);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  template <class... Ts>
    requires detail::leads<dims, 2, 6, detail::type_list<attributes>, Ts...>
  static constexpr auto cost(const Ts&... ts) -> op_cost {
    constexpr std::size_t n = sizeof...(Ts) - 2;
    const auto from_array = [&](const dims* operands, const dims& y, const attributes& a) {
      double bytes = 2 * static_cast<double>(y.bytes());
      for (std::size_t k = 0; k < n; ++k) bytes += static_cast<double>(operands[k].bytes());
      return op_cost{0, bytes, y.bytes() + a.workspace.value};
    };
    return detail::with_array<n>(from_array, ts...);
  }
  template <class... Ts>
    requires detail::leads<at::Tensor, 1, 5, detail::type_list<attributes>, Ts...>
  static void evaluate(at::Tensor& y, const Ts&... ts) {
    const auto from_array = [&](const at::Tensor* const* operands, const attributes& a) {
      detail::run_opaque(*a.callable.f, y, operands, a.differentiated);
    };
    detail::with_array<sizeof...(Ts) - 1>(from_array, ts...);
  }
  template <class... Ts>
    requires detail::leads<at::Tensor, 1, 5, detail::type_list<attributes>, Ts...>
  static void at_once(at::Tensor& y, const Ts&... ts) {
    constexpr std::size_t n = sizeof...(Ts) - 1;
    detail::with_array<n>([&](const auto* operands, const attributes& a) { detail::call_opaque(a, y, operands, n); },
                          ts...);
  }
  template <class... Ts>
    requires detail::leads<dims, 1, 5, detail::type_list<attributes>, Ts...>
  static constexpr auto when_differentiated(const Ts&... ts) -> attributes {
    const auto from_array = [](const dims* operands, const attributes& a) {
      rules::refuse_own_parameters(operands, a);
      attributes marked = a;
      marked.differentiated = true;
      return marked;
    };
    return detail::with_array<sizeof...(Ts) - 1>(from_array, ts...);
  }
  template <class... Ts>
    requires detail::leads<traced_value, 1, 5, detail::type_list<attributes>, Ts...>
  static constexpr auto gradient(const traced_value& dy, const traced_value&, const Ts&... ts) {
    constexpr std::size_t n = sizeof...(Ts) - 1;
    const auto from_array = [&](const traced_value* x, const attributes& a) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        if (a.backward_workspace.value < 0) rules::refuse_backward();
        const auto one = [&](std::size_t k) -> traced_value {
          if (!is_floating(dims_of(x[k]).type)) return {};
          return detail::call_with<struct internal::custom_backward>({a, static_cast<int>(k)}, dy, x[I]...);
        };
        return gradients(one(I)...);
      }(std::make_index_sequence<n>{});
    };
    return detail::with_array<n>(from_array, ts...);
  }
} custom;

}  // namespace ops

namespace detail {

/// Returns a tuple with an argument of custom, or an empty tuple if the argument is a rule.
template <class T>
constexpr auto unless_rule(const T& t) {
  if constexpr (is_rule<T>) return std::tuple<>();
  else return std::tuple<const T&>(t);
}
/// Returns the rule among the arguments, or an inferred_rule.
constexpr auto stated_rule() { return inferred_rule{}; }
template <class T, class... Ts>
constexpr auto stated_rule(const T& t, const Ts&... rest) {
  if constexpr (is_rule<T>) return t.value;
  else return stated_rule(rest...);
}

template <class T>
inline constexpr bool is_workspace = false;
template <class V>
inline constexpr bool is_workspace<named<struct koila::workspace, V>> = true;
/// True if a call runs at once, without a plan, or states its workspace.
template <class... Ts>
inline constexpr bool workspace_known = at_once<Ts...> || (is_workspace<Ts> || ...);

template <std::size_t>
using any_tensor = const at::Tensor&;
template <class F, std::size_t... I>
constexpr auto called_on_tensors(std::index_sequence<I...>) -> bool {
  return std::is_invocable_r_v<at::Tensor, const F&, any_tensor<I>...>;
}

/// Returns a handle that identifies a callable of N tensors. Two calls custom(h, x) with the same
/// handle h are computed once. Two calls custom(f, x) with the same function f are computed twice.
template <std::size_t N, class F, class Rule = detail::inferred_rule>
auto make_opaque(F f, Rule stated = {}) -> handle<const opaque> {
  static_assert(N <= most_operands_of_opaque, "custom: a callable has five operands at most");
  static_assert(
      detail::called_on_tensors<F>(std::make_index_sequence<N>{}),
      "custom: a callable takes one `const at::Tensor&` for each operand, gives an at::Tensor, and is not mutable");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return handle<const opaque>(new detail::opaque_function<F, Rule, I...>(std::move(f), std::move(stated)));
  }(std::make_index_sequence<N>{});
}

}  // namespace detail

/// `custom(f, operands..., attributes...)`, see ops::custom.
template <class F, class... Ts>
  requires(((Expression<Ts> || PlainTensor<Ts>) || ...) && detail::workspace_known<Ts...>)
auto custom(F f, const Ts&... ts) {
  constexpr std::size_t n = ((Expression<Ts> || PlainTensor<Ts> ? 1U : 0U) + ...);
  const detail::handle<const detail::opaque> h = [&] {
    if constexpr (std::is_convertible_v<F, detail::handle<const detail::opaque>>)
      return detail::handle<const detail::opaque>(f);
    else return detail::make_opaque<n>(std::move(f), detail::stated_rule(ts...));
  }();
  return std::apply([&](const auto&... passed) { return ops::custom(passed..., detail::callable = h); },
                    std::tuple_cat(detail::unless_rule(ts)...));
}

}  // namespace koila::inline v0

// Deleted overloads report a refused call. The name in #line is deliberately not that of a file.
// So compilers quote the user's line instead of a line of this header.
#line 1 "koila's custom"
namespace koila::inline v0 {
template <class F, class... Ts, author::reason Reason = author::reason::workspace_is_not_stated,
          detail::text Message = author::message<Reason>("custom")>
  requires((Expression<Ts> || ...) && !detail::workspace_known<Ts...>)
auto custom(const F&, const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
