// SPDX-License-Identifier: MIT
#pragma once
// swapaxes, swapdims: other names for transpose.
#include <koila/ops/indexing/transpose.hpp>

namespace koila::inline v0 {

/// (..., n, ..., m, ...) -> (..., m, ..., n, ...): `swapaxes(x, dim0, dim1)` and `swapdims(x, dim0,
/// dim1)` are `transpose(x, dim0, dim1)`.
inline constexpr const auto& swapaxes = transpose;
inline constexpr const auto& swapdims = transpose;

}  // namespace koila::inline v0
