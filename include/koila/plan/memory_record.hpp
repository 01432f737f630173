// SPDX-License-Identifier: MIT
#pragma once
// The measured memory of a run. tools/record_memory.hpp records it; timeline and trace draw it.
#include <koila/shape/axis.hpp>

#include <vector>

namespace koila {

/// Bytes of tensors over time.
struct memory_record {
  struct sample {
    double seconds;  ///< since the recording began
    index_t bytes;   ///< alive from then on, of those allocated since the recording began
  };
  std::vector<sample> samples;
  double seconds = 0;      ///< length of the recording
  index_t peak_bytes = 0;  ///< the most bytes alive
};

}  // namespace koila
