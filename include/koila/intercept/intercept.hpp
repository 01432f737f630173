// SPDX-License-Identifier: MIT
#pragma once
// One line for a LibTorch program as it stands: `auto [x, y] = koila::intercept(images, labels);`.
// Operators on x and y are recorded. They run in chunks, by koila's planner, when a value is
// needed.
#include <koila/plan/plan.hpp>

#include <ATen/core/Tensor.h>

#include <tuple>
#include <vector>

namespace koila::inline v0 {

/// The options of `intercept`.
struct intercept_options {
  int batch_dim = 0;     ///< the dim with the samples; negative numbers count from the end
  index_t memory = -1;   ///< bytes, as in `options`
  index_t chunk = 0;     ///< samples per chunk, as in `options`
  bool strict = false;   ///< an operator that koila does not know throws usage_error
  friend constexpr auto operator==(const intercept_options&, const intercept_options&) -> bool = default;
};

namespace detail {

auto intercept_tensors(const std::vector<at::Tensor>& tensors, const intercept_options& o) -> std::vector<at::Tensor>;

}  // namespace detail

/// (..., N, ...) -> (..., N, ...) for each tensor, where dim `batch_dim` has the N samples: returns
/// tensors of the same values on which operators are recorded instead of run. A value is
/// computed when its elements are read, and `backward()` computes the gradients of the whole batch.
/// Both run in chunks of the batch that fit the memory. Tensors with one sample are returned as
/// they are. Throws shape_error if the tensors do not have the same number of samples, and
/// argument_error if an option is out of range. `backward()` throws memory_error if no chunk fits.
template <class... T>
  requires(sizeof...(T) > 0 && (std::is_convertible_v<const T&, at::Tensor> && ...))
auto intercept(const intercept_options& o, const T&... tensors) {
  const std::vector<at::Tensor> all = detail::intercept_tensors({at::Tensor(tensors)...}, o);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::make_tuple(all[I]...);
  }(std::index_sequence_for<T...>{});
}
template <class... T>
  requires(sizeof...(T) > 0 && (std::is_convertible_v<const T&, at::Tensor> && ...))
auto intercept(const T&... tensors) {
  return koila::intercept(intercept_options{}, tensors...);
}

/// Returns the plan of the backward pass of a recorded loss, without running it. Throws usage_error
/// if the tensor is not such a loss or was computed already.
auto plan(const at::Tensor& loss) -> memory_plan;

/// Returns true if the value of an intercepted tensor was not computed yet.
auto is_lazy(const at::Tensor& t) -> bool;

}  // namespace koila::inline v0
