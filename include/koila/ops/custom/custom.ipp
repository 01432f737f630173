// SPDX-License-Identifier: MIT
#pragma once
// Definitions of custom.hpp.
#include <koila/ops/custom/custom.hpp>

#include <koila/ops/common/opaque.ipp>
