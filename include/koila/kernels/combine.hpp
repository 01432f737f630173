// SPDX-License-Identifier: MIT
#pragma once
// How the parts of a partial, one for each chunk, are combined.
#include <koila/kernels/routine.hpp>

namespace koila::kernels {

/// Combines a chunk's part with the total of the samples before it. LibTorch's operators would
/// first copy the part to the total's dtype. `share`: the chunk's fraction of all samples so far.
extern routine<void(at::Tensor& total, const at::Tensor& part, monoid m, double share)> combine_in_total;

/// Adds a part to a sum, and the rounding error of this addition to `lost` (Neumaier 1974).
/// LibTorch's operators ignore the error, because they would need temporaries.
extern routine<void(at::Tensor& sum, at::Tensor& lost, const at::Tensor& part)> add_compensated;

/// Adds the rounding errors to a sum. It skips elements whose error is not finite, because their
/// sum is infinite.
extern routine<void(at::Tensor& sum, const at::Tensor& lost)> add_lost;

/// Combines a chunk's part with a partial.
void combine(at::Tensor& y, const at::Tensor& part, monoid m);

}  // namespace koila::kernels
