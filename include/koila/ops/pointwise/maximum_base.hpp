// SPDX-License-Identifier: MIT
#pragma once
// Shared by the ops that return the larger or the smaller of two values.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/lt.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0::detail {

/// Returns the gradient of the operand `like`: 0 where `lesser` < `greater`, dy / 2 where `lesser`
/// == `greater`, else dy.
constexpr auto taken_unless_less(const auto& dy, const auto& lesser, const auto& greater, const auto& like) {
  return internal::sum_to(where(lt(lesser, greater), 0, where(eq(lesser, greater), mul(dy, 0.5), dy)), like);
}

}  // namespace koila::inline v0::detail
