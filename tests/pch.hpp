// SPDX-License-Identifier: MIT
#pragma once
// Headers of every test that runs LibTorch, compiled once.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <koila/koila.hpp>

#include "catch.hpp"
