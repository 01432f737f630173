// SPDX-License-Identifier: MIT
#pragma once
// Precompiled headers of all tests that run LibTorch.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <koila/koila.hpp>

#include "catch.hpp"
