// SPDX-License-Identifier: MIT
#pragma once
// Definitions of custom_backward.hpp.
#include <koila/ops/internal/custom_backward.hpp>

#include <koila/ops/common/opaque.ipp>
