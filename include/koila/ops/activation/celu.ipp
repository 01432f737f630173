// SPDX-License-Identifier: MIT
#pragma once
// Definitions of celu.hpp.
#include <koila/ops/activation/celu.hpp>
#include <koila/ops/activation/elu_base.ipp>

namespace koila::inline v0 {

void celu::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) { detail::elu_into(y, x, factors(a)); }
auto celu::elements() -> detail::float_elements { return detail::elu_elements<struct celu>(); }

}  // namespace koila::inline v0
