// SPDX-License-Identifier: MIT
#pragma once
// The bound on float32 errors for all tests. It holds for any processor and any BLAS.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "pch.hpp"

namespace test {

/// The largest relative error of one rounding to float32.
inline constexpr double float32_rounding = 0x1p-24;

/// Returns how far a float32 result may be from the exact result, relative to the scale of the
/// operands.  `terms`: the number n of terms that are added one after another in float32, as a BLAS
/// may do in one call. Let S be the sum of the magnitudes of the terms. If the terms have similar
/// magnitudes, the addition of term k rounds a partial sum of at most (k / n) * S. The error of
/// this rounding is at most u * (k / n) * S, where u is `float32_rounding`, and is uniformly
/// distributed up to that bound. So its variance is at most (u * (k / n) * S)^2 / 3. The errors are
/// independent, and the sum of (k / n)^2 over all k is about n / 3. So the error of the whole sum
/// has a standard deviation of at most (sqrt(n) / 3) * u * S. A sum of independent uniform numbers
/// exceeds l standard deviations with a probability of at most 2 * exp(-l^2 / 2) (Hoeffding's
/// inequality, as in Higham and Mary, SIAM J. Sci. Comput. 41(5), 2019). With l = 6, the
/// probability is 3e-8 per sum, and the error is at most 2 * sqrt(n) * u * S. The worst case, (n /
/// 2) * u * S, is so large that a bound of this size would hardly detect a mistake.  Sixteen more
/// roundings are allowed for the element-wise functions before and after the sum. koila itself adds
/// up the sums of the chunks, with compensation. So these sums count as only `few_parts` (64)
/// terms, however many chunks there are.  A sum that lacks one of n equal terms has an error of
/// 1/n. That is 200 times this bound for 1,000 terms, and 2.8 times for 20,000. A result that was
/// rounded to float16 has an error of up to 2^-11. That is 100 times the bound for 1,000 terms, and
/// 27 times the bound for 20,000 terms. `of_libtorch`: the error of LibTorch's float32 result for
/// the same data. This error is one sample of the rounding errors, and depends on how much the data
/// magnify them. A result with a different order of summation may have an additional error: as
/// large as `of_libtorch`, or as large as the roundings above, whichever is larger.  `elements`:
/// the number of elements over which `of_libtorch` is the maximum. The maximum over a few elements
/// varies much between two orders of summation, so for results of fewer than 64 elements the
/// additional error may be twice as large as `of_libtorch`.
inline auto float32_bound(double terms, double of_libtorch = 0, std::int64_t elements = 64) -> double {
  return of_libtorch +
         std::max((elements < 64 ? 2 : 1) * of_libtorch, float32_rounding * (16 + 2 * std::sqrt(std::max(terms, 1.0))));
}

/// Returns the number of terms of a float32 sum over all samples: the samples of one chunk, which a
/// BLAS may add in one call, and `few_parts` for koila's sum over the chunks.
inline auto terms_of_chunks(koila::index_t chunk) -> double {
  return static_cast<double>(chunk + koila::detail::few_parts);
}

/// Returns the largest difference of two tensors over the elements that are finite in both,
/// computed in float64.
inline auto largest_difference(const at::Tensor& a, const at::Tensor& b) -> double {
  if (a.numel() == 0) return 0;
  const at::Tensor x = a.detach().to(at::kDouble), y = b.detach().to(at::kDouble);
  return at::where(x.isfinite().logical_and(y.isfinite()), (x - y).abs(), 0).max().item<double>();
}
/// Returns the largest finite magnitude.
inline auto largest_of(const at::Tensor& t) -> double {
  if (t.numel() == 0) return 0;
  const at::Tensor x = t.detach().to(at::kDouble).abs();
  return at::where(x.isfinite(), x, 0).max().item<double>();
}
/// Returns true if the error of a float32 result is within float32_bound of the error of LibTorch's
/// float32 result. `scale`: the magnitude of the operands. Elements that are not finite in
/// LibTorch's result must be the same in `got`.
inline auto is_as_exact(const at::Tensor& got, const at::Tensor& of_libtorch, const at::Tensor& exact, double terms,
                        double scale) -> bool {
  if (got.sizes() != exact.sizes() || got.sizes() != of_libtorch.sizes()) return false;
  const at::Tensor finite = of_libtorch.detach().isfinite(), mine = got.detach(), theirs = of_libtorch.detach();
  if (!at::allclose(at::where(finite, 0, mine), at::where(finite, 0, theirs), 0, 0, true)) return false;
  if (!at::where(finite, mine, 0).isfinite().all().item<bool>()) return false;
  // If an element of the exact result is not finite but LibTorch's float32 result is, LibTorch's
  // element is the reference.
  const at::Tensor right = exact.detach().isfinite();
  const at::Tensor want = at::where(right, exact.detach().to(at::kDouble), theirs.to(at::kDouble));
  const double most = std::max({scale, largest_of(want), std::numeric_limits<double>::min()});
  return largest_difference(got, want) / most <=
         float32_bound(terms, largest_difference(theirs, want) / most, got.numel());
}

/// Returns true if both tensors have the same bits; all NaNs count as equal.
inline auto same_bits(const at::Tensor& a, const at::Tensor& b) -> bool {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  at::Tensor x = a.detach(), y = b.detach();
  if (x.is_floating_point()) {
    const at::Tensor none = x.isnan();
    if (!at::equal(none, y.isnan())) return false;
    x = at::where(none, 0, x), y = at::where(none, 0, y);
  }
  x = x.contiguous(), y = y.contiguous();
  return x.numel() == 0 || std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

}  // namespace test
