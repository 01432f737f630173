// SPDX-License-Identifier: MIT
#pragma once
// Shared by ops that copy elements to other positions along each dim: pad, flip, roll.
#include <koila/ops/indexing/slices.hpp>

namespace koila::inline v0 {

namespace flows {

/// If the op moves elements along the batch axis (`samples` is true), x is gathered. Otherwise the
/// result has the batch relation of x.
constexpr auto moved(const value& x, bool samples, const dims& out) -> relations {
  if (samples) return gather(&x, 1, out);
  relations f;
  f.out = x.batch_relation;
  return f;
}

}  // namespace flows
}  // namespace koila::inline v0
