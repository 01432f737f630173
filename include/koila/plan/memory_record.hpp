#pragma once
// What a run was seen to allocate: tools/record_memory.hpp makes it, timeline and trace draw it.
#include <koila/shape/axis.hpp>

#include <vector>

namespace koila {

/// Bytes of tensors over a time.
struct memory_record {
  struct sample {
    double seconds;  ///< since the beginning
    index_t bytes;   ///< alive from then on, of what was allocated since the beginning
  };
  std::vector<sample> samples;
  double seconds = 0;      ///< how long it took
  index_t peak_bytes = 0;  ///< the most that was alive
};

}  // namespace koila
