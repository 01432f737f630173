#pragma once
// Memory and time of a training step against eager LibTorch's.

#include <string>

namespace memory {

/// GPT-, U-Net- and ResNet-shaped: prints eager LibTorch's measured peak and time, and koila's with
/// parts of that peak allowed.
void compare_with_eager(const std::string& filter);

}  // namespace memory
