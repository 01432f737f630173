// SPDX-License-Identifier: MIT
#pragma once
// Shared by elu, selu and celu, which use one kernel with three factors.
#include <koila/ops/internal/elu_backward.hpp>

namespace koila::inline v0::detail {

/// The base of elu, selu and celu. `Op` must define factors(attributes) -> elu_attributes.
template <class Op>
struct elu_like : activation<Op> {
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& a) {
    return gradients(detail::call_with<struct internal::elu_backward>(Op::factors(a), dy, x));
  }
};

}  // namespace koila::inline v0::detail
