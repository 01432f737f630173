// SPDX-License-Identifier: MIT
#pragma once
// view: another name for reshape.
#include <koila/ops/indexing/reshape.hpp>

namespace koila::inline v0 {

/// view(x, batch, 784_c) is reshape(x, batch, 784_c). The result is a view if x is contiguous.
/// Otherwise x is copied, whereas LibTorch's view throws.
inline constexpr const auto& view = reshape;

}  // namespace koila::inline v0
