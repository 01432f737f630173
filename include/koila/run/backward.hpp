// SPDX-License-Identifier: MIT
#pragma once
// backward: adds the gradients of all parameters to their `.grad()`, as LibTorch does.
#include <koila/run/run.hpp>

namespace koila::inline v0 {

namespace detail {

auto run_backward(const lowering& e, const options& o, const bound_tensors& bound) -> at::Tensor;
/// Adds `gradient` to `to`, an existing gradient, as LibTorch's add_ does. Allocates nothing on the
/// host.
void add_gradient(const at::Tensor& to, const at::Tensor& gradient);

}  // namespace detail

/// Adds the gradient of a scalar to `.grad()` of every parameter that requires a gradient, and
/// returns the scalar. `.grad()` receives the gradient over the full batch, whatever the chunk
/// size. If an exception is thrown, every `.grad()` stays unchanged. Before anything runs, throws
/// shape_error, memory_error or, if no parameter requires a gradient, argument_error. Also throws
/// memory_error if memory runs out during the run and no smaller plan is left.
template <Expression E, detail::Binding... B>
auto backward(const E& loss, const options& o, const B&... bs) -> at::Tensor {
  static_assert(detail::shape_t<E>::value.rank <= 0,
                "backward: only a scalar has gradients; reduce the value with sum(...) or mean(...)");
  const detail::bound_tensors bound = detail::bound_of(bs...);
  return detail::run_backward(detail::lowering_of(loss), o, bound);
}
template <Expression E, detail::Binding... B>
auto backward(const E& loss, const B&... bs) -> at::Tensor {
  return backward(loss, options{}, bs...);
}

}  // namespace koila::inline v0

// The deleted overloads that refuse wrong calls. The name in `#line` is deliberately not that of
// a file; see op.hpp.
#line 1 "koila's backward"
namespace koila::inline v0 {
template <class... Ts, author::reason Reason = author::reason::already_a_value,
          detail::text Message = author::message<Reason>("backward")>
auto backward(detail::no_expression, const Ts&...) -> detail::refused = delete;
template <class S, class... B, author::reason Reason = author::reason::not_an_input_with_its_tensor,
          detail::text Message = author::message<Reason>("backward")>
  requires detail::no_bindings<B...>
auto backward(const detail::shaped<S>&, const B&...) -> detail::refused = delete;
}  // namespace koila::inline v0
