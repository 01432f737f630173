#pragma once
// LibTorch's tensors as koila sees them: dims, dtype, layout; and the tensors that leaves hold.
#include <koila/expr/leaf.hpp>
#include <koila/shape/flow.hpp>

#include <ATen/core/Tensor.h>

namespace koila {

/// A leaf's tensor.
struct tensor_box : object {
  at::Tensor tensor;
  explicit tensor_box(at::Tensor t) : tensor(std::move(t)) {}
};

/// The dtype of a tensor; throws shape_error for one that koila does not know (complex, quantised).
auto dtype_of(const at::Tensor& t) -> dtype;
/// LibTorch's name of a dtype.
auto scalar_type(dtype t) -> at::ScalarType;
/// The dims of a tensor: open extents, since the compiler knew nothing of them.
auto shape_of(const at::Tensor& t) -> dims;
/// The device of a tensor, and that on which an expression is computed: the host. An object, so
/// that at::device_of is not meant.
inline constexpr struct device_of {
  auto operator()(const at::Tensor& t) const -> at::Device { return t.device(); }
  auto operator()(const Expression auto&) const -> at::Device { return at::kCPU; }
} device_of;
/// A plain tensor has no batch axis.
inline auto batch_of(const at::Tensor&) -> int { return -1; }

/// The tensor of a parameter, made on first use (see `parameter`); it requires a gradient, as
/// torch::nn's do. Where that is taken from it, `tensor_of(w).set_requires_grad(false)`, neither
/// `step` nor `backward` trains the parameter.
auto tensor_of(const leaf_state& leaf) -> const at::Tensor&;

template <auto... D>
auto tensor_of(const parameter<D...>& p) -> const at::Tensor& {
  return tensor_of(shared_state(p.state));
}
template <auto... D>
auto tensor_of(const buffer<D...>& b) -> const at::Tensor& {
  return tensor_of(shared_state(b.state));
}
/// Gives a parameter new values: a tensor of its dims and dtype, which it then shares (a copy,
/// where the elements do not lie densely). Throws shape_error otherwise.
void set(const leaf_state& leaf, const at::Tensor& value);
template <auto... D>
void set(const parameter<D...>& p, const at::Tensor& value) {
  set(shared_state(p.state), value);
}
template <auto... D>
void set(const buffer<D...>& b, const at::Tensor& value) {
  set(shared_state(b.state), value);
}

namespace detail {

/// A leaf that holds a tensor of which the first dims, or all, are stated.
auto hold_tensor(const at::Tensor& t, const dims& stated, bool all) -> handle<leaf_state>;
auto layout_of(const at::Tensor& t) -> layout;
/// Whether LibTorch would record what is computed of a tensor.
auto asked_for_gradient(const at::Tensor& t) -> bool;
/// Throws shape_error for what koila does not run on: undefined tensors, devices that nothing is
/// linked for, sparse ones.
void require_supported(const at::Tensor& t, std::string_view name);
/// Whether a tensor's elements lie in its storage as its strides say, and are what it has.
auto is_plain(const at::Tensor& t) -> bool;
/// Checks a tensor against the dims a leaf declares and returns both together. Throws shape_error.
auto checked(const leaf_state& leaf, const at::Tensor& t) -> dims;

template <auto... D>
struct with_dtype : canonical_shape<dtype::unknown, D...> {};
template <auto T, auto... D>
  requires Dtype<decltype(T)>
struct with_dtype<T, D...> : canonical_shape<T, D...> {};

template <auto... D>
struct lazy_shape : with_dtype<D...> {};
template <auto D>
struct lazy_shape<D> {  // lazy<batch>(t): of the other dims and of their number nothing is stated
  using type = shape<unranked>;
};
template <>
struct lazy_shape<> {  // lazy(t): of none of them
  using type = shape<unranked>;
};

}  // namespace detail

/// Makes a tensor an expression: `lazy<batch, 784>(images)`; with one dim, `lazy<batch>(images)`,
/// the rest is known at run time, and all of it with none: `lazy(positions)`.
/// Throws shape_error when the tensor has not the stated dims.
template <auto... D, Tensor T>
auto lazy(const T& t) {
  return lazy_leaf<typename detail::lazy_shape<D...>::type>(
      detail::hold_tensor(t, detail::with_dtype<D...>::type::value, (sizeof...(D) > 1)));
}

/// Several tensors with the same first dims: `auto [x, y] = lazy<batch>(images, labels);` gives a
/// std::tuple.
template <auto... D, Tensor... Ts>
  requires(sizeof...(Ts) > 1)
auto lazy(const Ts&... ts) {
  return std::make_tuple(lazy<D...>(ts)...);
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/tensor.ipp>
#endif
