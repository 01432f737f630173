// SPDX-License-Identifier: MIT
#pragma once
// Definitions of elu.hpp.
#include <koila/ops/activation/elu.hpp>
#include <koila/ops/activation/elu_base.ipp>

namespace koila::inline v0 {

void elu::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) { detail::elu_into(y, x, factors(a)); }
auto elu::elements() -> detail::float_elements { return detail::elu_elements<struct elu>(); }

}  // namespace koila::inline v0
