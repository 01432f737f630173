// SPDX-License-Identifier: MIT
#pragma once
// Values of expressions: `run(y, x = images)`, printing, and `plan`, which plans without running.
#include <koila/device/backend.hpp>
#include <koila/run/machine.hpp>
#include <koila/run/plan_cache.hpp>

#include <iosfwd>
#include <optional>

namespace koila::inline v0 {

namespace detail {

/// Checks the tensors that a call binds. Throws shape_error if a tensor does not have the dims and
/// the dtype of its leaf, or if a leaf is not an input or is bound twice. Returns true if LibTorch
/// would record operations on one of the tensors.
auto check_bound(const bound_tensors& bound) -> bool;
/// Returns a call's bindings in the form that the builder takes. Throws the exceptions of
/// `check_bound`.
auto bindings_of(const bound_tensors& bound) -> bindings;
/// A type-erased function that lowers an expression to a graph. Only this function is compiled for
/// each type of expression that runs.
struct lowering {
  const void* expression;
  auto (*lower)(const void* expression, builder& b) -> int;
  auto operator()(builder& b) const -> int { return lower(expression, b); }
};
template <Expression E>
auto lowering_of(const E& e) -> lowering {
  return {&e, [](const void* root, builder& b) { return lower_root(b, *static_cast<const E*>(root)); }};
}

/// Returns true if the parameter's tensor requires a gradient.
auto is_trained(const leaf_state& parameter) -> bool;
/// Returns the device that all leaves are on. Throws shape_error if the leaves are on several
/// devices.
auto device_for(const builder& g, const bound_tensors& bound) -> at::Device;
/// Returns a plan that fits the budget, even after the device's allocator has rounded up the
/// sizes of the tensors. `budget` is in bytes; a negative budget means no limit. Throws
/// memory_error if no plan fits.
auto choose_on(planner& plans, at::Device where, index_t budget) -> memory_plan;
/// Returns the planner of a lowered expression, which can plan for any budget. The outputs are the
/// value, then the gradients, then the further values. The values get their own memory outside the
/// arena, and so do the gradients if `external_gradients` is true.
auto planner_of(lowered_expression l, const options& o, bool external_gradients, at::Device where = at::kCPU)
    -> planner;
/// Returns a plan that takes fewer bytes than `refused`, for which memory ran out. Throws
/// memory_error if there is no such plan. `allowed` is the budget in bytes, which the error
/// message states.
auto next_smaller(planner& plans, const memory_plan& refused, index_t allowed) -> memory_plan;
/// The greatest age, in nanoseconds, at which a reading of free memory is used again:
/// `age_with_plenty` if a plan takes at most a quarter of the free memory, else `age_when_short`.
inline constexpr std::int64_t age_with_plenty = 20'000'000, age_when_short = 2'000'000;
/// Returns true if a plan takes so much of the free memory that the reading must be recent.
constexpr auto short_of_memory(index_t needed, index_t free) -> bool { return needed > free / 4; }
/// Returns a plan for the budget in the options or, if they do not state a budget, for the memory
/// that is free now. Throws memory_error if no plan fits.
auto choose_now(planner& plans, const options& o, at::Device where) -> memory_plan;
/// Returns a plan of a lowered expression, for the budget in the options or, if they do not state a
/// budget, for the memory that is free on the tensors' device.
auto plan_for(lowered_expression l, const options& o, bool external_gradients, const bound_tensors& bound)
    -> memory_plan;
/// Lowers an expression, and returns its plan as `plan_for` does. If `with_gradients` is empty, the
/// plan includes gradients under the same conditions as koila::plan.
auto plan_of(const lowering& e, std::optional<bool> with_gradients, const options& o, const bound_tensors& bound)
    -> memory_plan;
/// If a callable of `custom` is running on this thread, records the tensors to which the value of
/// an expression would pass a gradient. These are parameters, tensors that leaves hold, and bound
/// tensors.
void record_run(const lowering& e, const bound_tensors& bound);
/// Runs an expression and returns its value.
auto run_value(const lowering& e, const options& o, const bound_tensors& bound) -> at::Tensor;

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

/// Returns the value of an expression: `run(y, x = images)`. Leaves that hold tensors do not need
/// a binding. Runs the batch in chunks that fit the free memory. Throws shape_error or
/// memory_error before anything runs. Also throws memory_error if memory runs out during the run
/// and no smaller plan is left.
template <Expression E, detail::Binding... B>
auto run(const E& e, const options& o, const B&... bs) -> at::Tensor {
  const detail::bound_tensors bound = detail::bound_of(bs...);
  return detail::run_value(detail::lowering_of(e), o, bound);
}
template <Expression E, detail::Binding... B>
auto run(const E& e, const B&... bs) -> at::Tensor {
  return run(e, options{}, bs...);
}

/// Returns the plan of an expression without running it:
/// `plan(loss, {.memory = 2_GiB}, x = images)`. This is the plan of `backward` if the value is a
/// floating-point scalar at run time and has a gradient with respect to a parameter that requires a
/// gradient. Otherwise, it is the plan of `run`. `plan(detach(loss))` is the plan of `run(loss)`.
/// Throws the exceptions that `backward` or `run` throws before anything runs.
template <Expression E, detail::Binding... B>
auto plan(const E& e, const options& o, const B&... bs) -> memory_plan {
  const detail::bound_tensors bound = detail::bound_of(bs...);
  return detail::plan_of(detail::lowering_of(e), std::nullopt, o, bound);
}
template <Expression E, detail::Binding... B>
auto plan(const E& e, const B&... bs) -> memory_plan {
  return plan(e, options{}, bs...);
}

namespace detail {

/// An argument without a graph: a number or a tensor. The argument is converted to this class, so a
/// user's own overload for numbers is preferred to the deleted overloads below.
struct no_expression {
  template <class T>
    requires(Number<T> || PlainTensor<T>)
  constexpr no_expression(const T&) {}
};
template <class... B>
inline constexpr bool no_bindings = !((Binding<B> || std::same_as<B, options>) && ...);

template <class T, Expression E>
auto evaluate_now(const E& e) -> T {
  if constexpr (PlainTensor<T>) return run(e);
  else return run(e).template item<T>();
}

}  // namespace detail

/// Runs the expression and prints its value.
template <Expression E>
auto operator<<(std::ostream& os, const E& e) -> std::ostream& {
  detail::print(os, run(e));
  return os;
}

}  // namespace koila::inline v0

// The deleted overloads that refuse wrong calls. The name in `#line` is deliberately not that of
// a file; see op.hpp.
#line 1 "koila's run"
namespace koila::inline v0 {
template <class... Ts, author::reason Reason = author::reason::already_a_value,
          detail::text Message = author::message<Reason>("run")>
auto run(detail::no_expression, const Ts&...) -> detail::refused = delete;
template <class S, class... B, author::reason Reason = author::reason::not_an_input_with_its_tensor,
          detail::text Message = author::message<Reason>("run")>
  requires detail::no_bindings<B...>
auto run(const detail::shaped<S>&, const B&...) -> detail::refused = delete;
template <class... Ts, author::reason Reason = author::reason::already_a_value,
          detail::text Message = author::message<Reason>("plan")>
auto plan(detail::no_expression, const Ts&...) -> detail::refused = delete;
template <class S, class... B, author::reason Reason = author::reason::not_an_input_with_its_tensor,
          detail::text Message = author::message<Reason>("plan")>
  requires detail::no_bindings<B...>
auto plan(const detail::shaped<S>&, const B&...) -> detail::refused = delete;
}  // namespace koila::inline v0
