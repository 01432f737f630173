// SPDX-License-Identifier: MIT
#pragma once
// Compares a training step's memory and time with eager LibTorch's.

#include <string>

namespace memory {

/// Prints eager LibTorch's measured peak memory and time for a GPT, a U-Net and a ResNet. Also
/// prints koila's peak and time for budgets that are fractions of eager LibTorch's peak. Leaves out
/// models whose name does not contain `filter`.
void compare_with_eager(const std::string& filter);

}  // namespace memory
