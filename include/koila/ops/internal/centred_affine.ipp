// SPDX-License-Identifier: MIT
#pragma once
// Definitions of centred_affine.hpp.
#include <koila/ops/common/elements.ipp>
#include <koila/ops/internal/centred_affine.hpp>

namespace koila::inline v0::internal {

void centred_affine::evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& mean, const at::Tensor& scale,
                              const at::Tensor& shift) {
  y.copy_(x.expand_as(y)).sub_(mean).mul_(scale).add_(shift);
}
auto centred_affine::elements() -> detail::all_elements { return detail::elements_of<struct centred_affine, 4>(); }

}  // namespace koila::inline v0::internal
