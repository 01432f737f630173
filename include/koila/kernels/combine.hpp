// SPDX-License-Identifier: MIT
#pragma once
// How partial values are combined. A partial value, for example a loss, is combined from parts.
// Each chunk of the batch computes one part.
#include <koila/kernels/routine.hpp>

namespace koila::inline v0::kernels {

/// Combines a chunk's part with `accumulator`, the value over all earlier samples. `m` must be sum,
/// prod or moments (means and variances). `share` is the chunk's fraction of all samples up to and
/// including this chunk. LibTorch's operators first copy the part to the accumulator's dtype; the
/// host's implementation does not.
extern routine<void(at::Tensor& accumulator, const at::Tensor& part, monoid m, double share)> combine_in_accumulator;

/// Adds a part to a sum, and adds the rounding error of this addition to `compensation` (Neumaier
/// 1974). The implementation by LibTorch's operators does not change `compensation`, because
/// computing the error would need temporaries.
extern routine<void(at::Tensor& sum, at::Tensor& compensation, const at::Tensor& part)> add_compensated;

/// Adds the rounding errors to a sum. Skips errors that are not finite. In that case the sum is
/// not finite either, and adding the error could turn an infinite sum into NaN.
extern routine<void(at::Tensor& sum, const at::Tensor& compensation)> add_compensation;

/// Combines a chunk's part with the partial value y. `m` must be sum, prod, max or min.
void combine(at::Tensor& y, const at::Tensor& part, monoid m);

}  // namespace koila::inline v0::kernels
