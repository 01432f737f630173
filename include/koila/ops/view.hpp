#pragma once
// view: LibTorch's other name for a reshape.
#include <koila/ops/reshape.hpp>

namespace koila {

/// view(x, batch, 784_c) is reshape(x, batch, 784_c): a view where x is contiguous. What is not is
/// copied, where LibTorch refuses.
inline constexpr const auto& view = reshape;

}  // namespace koila
