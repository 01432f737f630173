// SPDX-License-Identifier: MIT
#pragma once
// Definitions of repeat_backward.hpp.
#include <koila/ops/common/repeats.ipp>
#include <koila/ops/internal/repeat_backward.hpp>

#include <ATen/ops/sum_ops.h>

namespace koila::inline v0::internal {

void repeat_backward::evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&, const attributes& a) {
  const detail::repetitions r(dx, dy, a);
  at::Tensor once = dx.view(r.single());
  at::_ops::sum_IntList_out::call(dy.view(r.all()), r.over(), true, once.scalar_type(), once);
}

}  // namespace koila::inline v0::internal
