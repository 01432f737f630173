// SPDX-License-Identifier: MIT
#pragma once
// The dims, dtypes and layouts of LibTorch's tensors, and the tensors that leaves hold.
#include <koila/expr/leaf.hpp>
#include <koila/shape/flow.hpp>
#include <koila/torch/version.hpp>

#include <ATen/core/Tensor.h>

#include <optional>

namespace koila::inline v0 {

namespace detail {

/// The tensor of a leaf.
struct tensor_box : object {
  at::Tensor tensor;
  explicit tensor_box(at::Tensor t) : tensor(std::move(t)) {}
};

}  // namespace detail

/// Returns the dtype of a tensor. Throws shape_error if koila does not support the dtype, such as a
/// complex or a quantised dtype.
auto dtype_of(const at::Tensor& t) -> dtype;
/// Returns koila's name of a dtype, or nothing if koila does not support the dtype.
auto dtype_of(at::ScalarType t) -> std::optional<dtype>;
/// Returns LibTorch's name of a dtype.
auto scalar_type(dtype t) -> at::ScalarType;
/// Returns the dims of a tensor. All extents are open: they are known only at run time.
auto shape_of(const at::Tensor& t) -> author::dims;
/// Returns the device of a tensor, or the host for an expression. This is an object and not a
/// function, so that argument-dependent lookup does not find at::device_of.
inline constexpr struct device_of {
  auto operator()(const at::Tensor& tensor) const -> at::Device { return tensor.device(); }
  auto operator()(const Expression auto&) const -> at::Device { return at::kCPU; }
} device_of;
/// Returns -1: a plain tensor has no batch axis.
inline auto batch_of(const at::Tensor&) -> int { return -1; }

auto tensor_of(const detail::leaf_state& leaf) -> const at::Tensor&;
/// Returns the tensor of a parameter, which is made on first use (see `parameter`). The tensor
/// requires a gradient, as parameters in torch::nn do. After
/// `tensor_of(w).set_requires_grad(false)`, neither `step` nor `backward` trains the parameter.
template <auto... D>
auto tensor_of(const parameter<D...>& leaf) -> const at::Tensor& {
  return tensor_of(detail::shared_state(leaf.state));
}
/// Returns the tensor of a buffer, which is made on first use.
template <auto... D>
auto tensor_of(const buffer<D...>& b) -> const at::Tensor& {
  return tensor_of(detail::shared_state(b.state));
}
void set(const detail::leaf_state& leaf, const at::Tensor& value);
/// Gives a parameter a new tensor that shares the memory of `value`. If the elements of `value` are
/// not dense, or if `value` is an inference tensor, the new tensor is a copy. Throws shape_error if
/// `value` does not have the dims and dtype of the parameter.
template <auto... D>
void set(const parameter<D...>& leaf, const at::Tensor& value) {
  set(detail::shared_state(leaf.state), value);
}
/// Gives a buffer a new tensor, as `set` does for a parameter.
template <auto... D>
void set(const buffer<D...>& b, const at::Tensor& value) {
  set(detail::shared_state(b.state), value);
}

namespace detail {

/// Returns a leaf that holds a tensor. `stated` has the first dims of the tensor or, if `all` is
/// true, all its dims. Throws shape_error if the tensor does not have the stated dims.
auto hold_tensor(const at::Tensor& t, const dims& stated, bool all) -> handle<leaf_state>;
auto layout_of(const at::Tensor& t) -> layout;
/// Returns true if LibTorch would record operations on the tensor.
auto asked_for_gradient(const at::Tensor& t) -> bool;
/// Throws shape_error if koila cannot run on the tensor, because the tensor is undefined or not
/// plain (sparse, for example), or because no backend for its device is linked.
void require_supported(const at::Tensor& t, std::string_view name);
/// Returns true if a tensor's elements can be read from its storage by its strides. This is true if
/// the tensor is not sparse or nested, and if no negation or conjugation of its elements is
/// pending.
auto is_plain(const at::Tensor& t) -> bool;
/// Checks a tensor against the dims that a leaf declares. Returns the tensor's extents with the
/// leaf's axis names. Throws shape_error if the tensor does not have the declared dims or dtype.
auto checked(const leaf_state& leaf, const at::Tensor& t) -> dims;

template <auto... D>
struct with_dtype : canonical_shape<dtype::unknown, D...> {};
template <auto T, auto... D>
  requires Dtype<decltype(T)>
struct with_dtype<T, D...> : canonical_shape<T, D...> {};

template <auto... D>
struct lazy_shape : with_dtype<D...> {};
template <auto D>
struct lazy_shape<D> {  // lazy<batch>(t) states the first dim; the others, and their number, are open
  using type = shape<unranked>;
};
template <>
struct lazy_shape<> {  // lazy(t) states no dims
  using type = shape<unranked>;
};

}  // namespace detail

/// Makes an expression of a tensor, with the stated dims: `lazy<batch, 784>(images)`. If only one
/// dim is stated, `lazy<batch>(images)`, the other dims are known only at run time. If no dim is
/// stated, `lazy(positions)`, all dims are known only at run time. Throws shape_error if the tensor
/// does not have the stated dims.
template <auto... D, PlainTensor T>
auto lazy(const T& tensor) {
  return lazy_leaf<typename detail::lazy_shape<D...>::type>(
      detail::hold_tensor(tensor, detail::with_dtype<D...>::type::value, (sizeof...(D) > 1)));
}

/// Makes expressions of several tensors with the same first dims, and returns a std::tuple of them:
/// `auto [x, y] = lazy<batch>(images, labels);`.
template <auto... D, PlainTensor... Ts>
  requires(sizeof...(Ts) > 1)
auto lazy(const Ts&... ts) {
  return std::make_tuple(lazy<D...>(ts)...);
}

}  // namespace koila::inline v0
