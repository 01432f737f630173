#pragma once
// swapaxes, swapdims: other names for a transpose.
#include <koila/ops/transpose.hpp>

namespace koila {

/// swapaxes(x, dim0, dim1) is transpose(x, dim0, dim1).
inline constexpr const auto& swapaxes = transpose;
inline constexpr const auto& swapdims = transpose;

}  // namespace koila
