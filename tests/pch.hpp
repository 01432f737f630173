#pragma once
// What every test that runs LibTorch includes, parsed once.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <koila/koila.hpp>

#include "catch.hpp"
