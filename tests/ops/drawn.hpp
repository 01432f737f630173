#pragma once
// What the tests of random ops ask: the same numbers for every chunk.
#include "check.hpp"

namespace koila::test {

/// The value that an expression of one input has after manual_seed, having checked that it is the same in chunks of any size.
inline auto drawn(const anything& e, const bound& x) -> at::Tensor {
  const auto value = [&](index_t chunk) {
    manual_seed(20240531);
    return run(e, options{.chunk = chunk}, binding<at::Tensor>{x.leaf.state, x.value});
  };
  const at::Tensor whole = value(index_t{1} << 40);
  for (const index_t chunk : {1, 2, 3, 8}) {
    INFO("chunk " << chunk);
    CHECK(at::equal(value(chunk), whole));
  }
  return whole;
}
/// An input of these sizes.
inline auto some_input(at::IntArrayRef sizes, int batch, at::ScalarType type = at::kDouble) -> bound {
  return leaf(normal(sizes).to(type), batch);
}

}  // namespace koila::test
