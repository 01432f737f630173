// SPDX-License-Identifier: MIT
#pragma once
// Definitions of selu.hpp.
#include <koila/ops/activation/elu_base.ipp>
#include <koila/ops/activation/selu.hpp>

namespace koila::inline v0 {

void selu::evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) { detail::elu_into(y, x, factors(a)); }
auto selu::elements() -> detail::float_elements { return detail::elu_elements<struct selu>(); }

}  // namespace koila::inline v0
