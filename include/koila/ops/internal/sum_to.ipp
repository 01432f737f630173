// SPDX-License-Identifier: MIT
#pragma once
// Definitions of sum_to.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/internal/sum_to.hpp>

#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/sum_ops.h>

namespace koila::inline v0 {

namespace detail {

/// Computes y, the sum of dy over the dims along which y was broadcast. `sum(y, dy, dims, keepdim)`
/// must compute a sum over `dims`.
template <class Sum>
void sum_broadcast(at::Tensor& y, const at::Tensor& dy, const Sum& sum) {
  std::int64_t over[dims::capacity], kept[dims::capacity];
  std::size_t n = 0;
  const auto lead = dy.dim() - y.dim();
  for (std::int64_t i = 0; i < dy.dim(); ++i) {
    kept[i] = i < lead ? 1 : y.size(i - lead);
    if (kept[i] == 1 && (i < lead || dy.size(i) != 1)) over[n++] = i;
  }
  if (n == 0) {
    y.copy_(dy);
    return;
  }
  const auto sum_into = [&](const at::Tensor& into) {
    at::Tensor all =
        into.view(at::IntArrayRef(kept, static_cast<std::size_t>(dy.dim())));  // with leading dims of extent 1
    sum(all, dy, at::OptionalIntArrayRef(at::IntArrayRef(over, n)), true);
  };
  if (dy.scalar_type() == y.scalar_type()) return sum_into(y);
  const at::Tensor wide =
      at::_ops::empty_like::call(y, dy.scalar_type(), std::nullopt, std::nullopt, std::nullopt, std::nullopt);
  sum_into(wide);  // as in LibTorch, the sum is converted, not the elements
  y.copy_(wide);
}

}  // namespace detail

namespace internal {

void sum_to::evaluate(at::Tensor& y, const at::Tensor& dy, const at::Tensor&) {
  detail::sum_broadcast(y, dy, [](at::Tensor& to, const at::Tensor& from, at::OptionalIntArrayRef over, bool keepdim) {
    at::_ops::sum_IntList_out::call(from, over, keepdim, to.scalar_type(), to);
  });
}

}  // namespace internal

}  // namespace koila::inline v0
