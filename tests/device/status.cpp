// SPDX-License-Identifier: MIT
// How koila classifies failures on CUDA devices: status codes by number, exceptions by type.
#include <koila/device/status.hpp>

#include "pch.hpp"

namespace {

using koila::device::outcome;
using koila::device::outcome_of;

}  // namespace

TEST_CASE("status codes") {
  STATIC_REQUIRE(outcome_of(0) == outcome::success);
  STATIC_REQUIRE(outcome_of(2) == outcome::out_of_memory);
  for (const int sticky : {214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999})
    CHECK(outcome_of(sticky) == outcome::unrecoverable);
  for (const int other : {1, 3, 35, 98, 100, 101, 209, 600, 701, 720, 801, 900})
    CHECK(outcome_of(other) == outcome::failed);
}

TEST_CASE("exceptions of devices are told by type, not by what they say") {
  const c10::SourceLocation here{"f", "file", 1};
  CHECK(outcome_of(c10::OutOfMemoryError(here, "CUDA out of memory")) == outcome::out_of_memory);
  CHECK(outcome_of(c10::AcceleratorError(here, 2, "")) == outcome::out_of_memory);
  CHECK(outcome_of(c10::AcceleratorError(here, 700, "")) == outcome::unrecoverable);
  CHECK(outcome_of(c10::AcceleratorError(here, 98, "out of memory")) == outcome::failed);
  CHECK(outcome_of(c10::Error(here, "CUDA out of memory")) == outcome::failed);
  CHECK(outcome_of(std::runtime_error("out of memory")) == outcome::failed);
}
