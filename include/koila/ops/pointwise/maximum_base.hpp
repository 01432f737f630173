// SPDX-License-Identifier: MIT
#pragma once
// Shared by the ops that give the larger or the smaller of two values.
#include <koila/ops/indexing/where.hpp>
#include <koila/ops/internal/sum_to.hpp>
#include <koila/ops/pointwise/eq.hpp>
#include <koila/ops/pointwise/lt.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0::detail {

/// The gradient of the operand `like`. The gradient is dy, or 0 if `lesser` < `greater`, or half of
/// dy if `lesser` == `greater`.
constexpr auto taken_unless_less(const auto& dy, const auto& lesser, const auto& greater, const auto& like) {
  return internal::sum_to(where(lt(lesser, greater), 0, where(eq(lesser, greater), mul(dy, 0.5), dy)), like);
}

}  // namespace koila::inline v0::detail
