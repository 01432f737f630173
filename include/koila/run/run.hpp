#pragma once
// Values: run(y, x = images), printing, the plan on its own.
#include <koila/device/backend.hpp>
#include <koila/run/machine.hpp>
#include <koila/run/plan_cache.hpp>

#include <iosfwd>
#include <optional>

namespace koila {

namespace detail {

/// Throws shape_error for a tensor that does not fit its leaf, and for a leaf that is bound twice.
/// Whether LibTorch would record what is computed of one of the tensors.
auto check_bound(const bound_tensors& bound) -> bool;
/// What a call binds, as the builder wants it. Throws as `check_bound` does.
auto bindings_of(const bound_tensors& bound) -> bindings;
/// How to lower an expression, without its type: all that is compiled for each expression that
/// runs.
struct lowering {
  const void* expression;
  auto (*lower)(const void* expression, builder& b) -> int;
  auto operator()(builder& b) const -> int { return lower(expression, b); }
};
template <Expression E>
auto lowering_of(const E& e) -> lowering {
  return {&e, [](const void* at, builder& b) { return lower_root(b, *static_cast<const E*>(at)); }};
}

/// Whether gradients of a parameter are wanted: its tensor requires one.
auto is_trained(const leaf_state& parameter) -> bool;
/// The one device that all leaves are on. Throws shape_error where they are on several.
auto device_for(const builder& g, const bound_tensors& bound) -> at::Device;
/// A plan that fits the budget (bytes; negative: no limit) as the allocator of the device rounds
/// its tensors. Throws memory_error.
auto choose_on(planner& plans, at::Device where, index_t budget) -> memory_plan;
/// The plans of what was lowered, under any budget: of the value, which leaves as a tensor, and of
/// the gradients, which do where `external_gradients`.
auto planner_of(lowered_expression l, const options& o, bool external_gradients, at::Device where = at::kCPU)
    -> planner;
/// The plan that takes the next smaller number of bytes than one for which there was no memory.
/// Throws memory_error where that one was the smallest of those that `allowed` bytes allow.
auto next_smaller(planner& plans, const memory_plan& refused, index_t allowed) -> memory_plan;
/// How old, in nanoseconds, what is known of free memory may be where a plan takes less than a
/// quarter of it, and where more.
inline constexpr std::int64_t age_with_plenty = 20'000'000, age_when_short = 2'000'000;
/// Whether to look closely how much memory there is.
constexpr auto short_of_memory(index_t needed, index_t free) -> bool { return needed > free / 4; }
/// A plan under the budget that the options state, or else that there is now. Throws memory_error
/// where nothing fits.
auto choose_now(planner& plans, const options& o, at::Device where) -> memory_plan;
/// The plan of what was lowered, under the budget that the options state, or else that there is now
/// on the device of the tensors.
auto plan_for(lowered_expression l, const options& o, bool external_gradients, const bound_tensors& bound)
    -> memory_plan;
/// The same of an expression: of its value, with its gradients, or where that is not stated as
/// `plan` does.
auto plan_of(const lowering& e, std::optional<bool> with_gradients, const options& o, const bound_tensors& bound)
    -> memory_plan;
/// The value of an expression.
auto run_value(const lowering& e, const options& o, const bound_tensors& bound) -> at::Tensor;
void print(std::ostream& os, const at::Tensor& t);

template <class... B>
auto bound_of(const B&... bs) -> bound_tensors {
  bound_tensors out;
  (out.push_back({bs.leaf, bs.value}), ...);
  return out;
}

template <class T>
concept Binding = requires(const T& b) {
  b.leaf->declared;
  b.value;
};

}  // namespace detail

/// The value of an expression: `run(y, x = images)`; leaves that hold tensors need no binding. It
/// runs in chunks that fit the memory there is. Throws shape_error or memory_error before anything
/// runs.
template <Expression E, detail::Binding... B>
auto run(const E& e, const options& o, const B&... bs) -> at::Tensor {
  const bound_tensors bound = detail::bound_of(bs...);
  return detail::run_value(detail::lowering_of(e), o, bound);
}
template <Expression E, detail::Binding... B>
auto run(const E& e, const B&... bs) -> at::Tensor {
  return run(e, options{}, bs...);
}

/// What running an expression would take: `plan(loss, {.memory = 2_GiB}, x = images)`. Nothing
/// runs. The plan of a floating-point scalar is that of `backward`, whatever the compiler knows of
/// it; of any other value that of `run`. `plan(detach(loss))` is what `run(loss)` takes. Throws
/// what these would throw before they run.
template <Expression E, detail::Binding... B>
auto plan(const E& e, const options& o, const B&... bs) -> memory_plan {
  const bound_tensors bound = detail::bound_of(bs...);
  return detail::plan_of(detail::lowering_of(e), std::nullopt, o, bound);
}
template <Expression E, detail::Binding... B>
auto plan(const E& e, const B&... bs) -> memory_plan {
  return plan(e, options{}, bs...);
}

namespace detail {

/// What has no graph. Made by a conversion, so that a user's own function of a number goes before
/// what refuses it.
struct no_expression {
  template <class T>
    requires(Number<T> || Tensor<T>)
  constexpr no_expression(const T&) {}
};
template <class... B>
inline constexpr bool no_bindings = !((Binding<B> || std::same_as<B, options>) && ...);

}  // namespace detail

template <class T, Expression E>
auto evaluate_now(const E& e) -> T {
  if constexpr (Tensor<T>) return run(e);
  else return run(e).template item<T>();
}

/// Prints the value.
template <Expression E>
auto operator<<(std::ostream& os, const E& e) -> std::ostream& {
  detail::print(os, run(e));
  return os;
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/run.ipp>
#endif

// The refusals, under a name that is no file: see op.hpp.
#line 1 "koila's run"
namespace koila {
template <class... Ts, why Reason = why::already_a_value, text Says = says<Reason>("run")>
auto run(detail::no_expression, const Ts&...) -> refused = delete;
template <class S, class... B, why Reason = why::not_an_input_with_its_tensor, text Says = says<Reason>("run")>
  requires detail::no_bindings<B...>
auto run(const shaped<S>&, const B&...) -> refused = delete;
template <class... Ts, why Reason = why::already_a_value, text Says = says<Reason>("plan")>
auto plan(detail::no_expression, const Ts&...) -> refused = delete;
template <class S, class... B, why Reason = why::not_an_input_with_its_tensor, text Says = says<Reason>("plan")>
  requires detail::no_bindings<B...>
auto plan(const shaped<S>&, const B&...) -> refused = delete;
}  // namespace koila
