// SPDX-License-Identifier: MIT
#pragma once
// Memory and time of a training step against eager LibTorch.

#include <string>

namespace memory {

/// Prints the measured peak and time of eager LibTorch for models like GPT, U-Net and ResNet, and
/// those of koila if its budget is a fraction of LibTorch's peak.
void compare_with_eager(const std::string& filter);

}  // namespace memory
