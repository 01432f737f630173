#pragma once
// What the larger and the smaller of two values share.
#include <koila/ops/eq.hpp>
#include <koila/ops/lt.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/sum_to.hpp>
#include <koila/ops/where.hpp>

namespace koila::detail {

/// The part of dy that goes to `like`, whose value was taken unless `lesser` < `greater`; of what
/// is equal each gets a half.
constexpr auto taken_unless_less(const auto& dy, const auto& lesser, const auto& greater, const auto& like) {
  return sum_to(where(lt(lesser, greater), 0, where(eq(lesser, greater), mul(dy, 0.5), dy)), like);
}

}  // namespace koila::detail
