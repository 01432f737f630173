// SPDX-License-Identifier: MIT
#pragma once
// Memory and time of a training step against eager LibTorch.

#include <string>

namespace memory {

/// Prints, for models like GPT, U-Net and ResNet, the measured peak and time of eager LibTorch, and
/// those of koila with parts of that peak as its budget.
void compare_with_eager(const std::string& filter);

}  // namespace memory
