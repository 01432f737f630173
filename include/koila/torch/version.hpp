// SPDX-License-Identifier: MIT
#pragma once
// Stops the compilation if LibTorch is too old.
#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#endif
#if !defined(TORCH_VERSION_MAJOR) || TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 11)
#error "koila needs LibTorch 2.11.0 or newer"
#endif
