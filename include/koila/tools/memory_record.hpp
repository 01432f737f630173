// SPDX-License-Identifier: MIT
#pragma once
// The measured memory of a run. tools/record_memory.hpp records it; memory_plan::timeline and
// memory_plan::trace draw it.
#include <koila/shape/axis.hpp>

#include <vector>

namespace koila::inline v0 {

/// The allocated bytes over the time of a recording.
struct memory_record {
  struct sample {
    double seconds;  ///< since the recording began
    index_t bytes;   ///< allocated minus freed bytes since the recording began, as of this time
  };
  std::vector<sample> samples;
  double seconds = 0;      ///< length of the recording
  index_t peak_bytes = 0;  ///< the maximum of sample::bytes
};

}  // namespace koila::inline v0
