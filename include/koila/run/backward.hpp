#pragma once
// backward: gradients of all parameters, added to what is there, as LibTorch does.
#include <koila/run/run.hpp>

namespace koila {

namespace detail {

auto run_backward(const lowering& e, const options& o, const bound_tensors& bound) -> at::Tensor;

}  // namespace detail

/// Adds the gradient of a scalar to `.grad()` of every parameter, and returns the scalar. The
/// gradient is the full batch's, in whatever chunks it runs. All or nothing: after an exception
/// every `.grad()` is as before. Throws shape_error, memory_error or, if no parameter requires a
/// gradient, std::invalid_argument. It throws these before anything runs.
template <Expression E, detail::Binding... B>
auto backward(const E& loss, const options& o, const B&... bs) -> at::Tensor {
  static_assert(shape_t<E>::value.rank <= 0,
                "backward: only a scalar has gradients; reduce the value with sum(...) or mean(...)");
  const bound_tensors bound = detail::bound_of(bs...);
  return detail::run_backward(detail::lowering_of(loss), o, bound);
}
template <Expression E, detail::Binding... B>
auto backward(const E& loss, const B&... bs) -> at::Tensor {
  return backward(loss, options{}, bs...);
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/backward.ipp>
#endif

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's backward"
namespace koila {
template <class... Ts, why Reason = why::already_a_value, text Says = says<Reason>("backward")>
auto backward(detail::no_expression, const Ts&...) -> refused = delete;
template <class S, class... B, why Reason = why::not_an_input_with_its_tensor, text Says = says<Reason>("backward")>
  requires detail::no_bindings<B...>
auto backward(const shaped<S>&, const B&...) -> refused = delete;
}  // namespace koila
