#pragma once
// How exact float32 results must be: one bound for all tests, which holds for any processor and any
// BLAS.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "pch.hpp"

namespace test {

/// What rounding takes from a float32 number at most, relative to it.
inline constexpr double float32_rounding = 0x1p-24;

/// How far a float32 result may be from the exact one, relative to the size of what it is computed
/// of.
///
/// `terms`: how many numbers are added up in float32 one after the other, as a BLAS may add what
/// one call gives it. Each sum on the way is rounded; of terms of one sign that is sqrt(terms) / 3
/// roundings of the whole in the mean. Sixteen more are for the functions of elements before and
/// after it. Sums of many chunks are koila's own, and compensated: they count as `few_parts` terms,
/// however many there are.
///
/// `of_libtorch`: the error of LibTorch's float32 result of the same data. It says how much the
/// data magnify rounding errors, and is a sample of these. A result in another order of summation
/// differs from LibTorch's by as much again, or by the roundings above where these are more.
///
/// `elements`: how many elements that error is the largest of. The largest of a few varies much
/// between two orders of summation, so results of less than 64 elements may differ from LibTorch's
/// by twice its error.
inline auto float32_bound(double terms, double of_libtorch = 0, std::int64_t elements = 64) -> double {
  return of_libtorch +
         std::max((elements < 64 ? 2 : 1) * of_libtorch, float32_rounding * (16 + std::sqrt(std::max(terms, 1.0)) / 3));
}

/// The terms of float32 sums over all samples: those of a chunk, which a BLAS may add in one call,
/// and koila's of chunks.
inline auto terms_of_chunks(koila::index_t chunk) -> double { return static_cast<double>(chunk + koila::few_parts); }

/// The largest difference of two tensors where both are finite, in float64.
inline auto largest_difference(const at::Tensor& a, const at::Tensor& b) -> double {
  if (a.numel() == 0) return 0;
  const at::Tensor x = a.detach().to(at::kDouble), y = b.detach().to(at::kDouble);
  return at::where(x.isfinite().logical_and(y.isfinite()), (x - y).abs(), 0).max().item<double>();
}
/// The largest finite magnitude.
inline auto largest_of(const at::Tensor& t) -> double {
  if (t.numel() == 0) return 0;
  const at::Tensor x = t.detach().to(at::kDouble).abs();
  return at::where(x.isfinite(), x, 0).max().item<double>();
}
/// Whether a float32 result is as near to the exact one as LibTorch's float32 result lets it be.
/// `scale`: the size of what it is computed of. What is not finite in LibTorch's must be the same.
inline auto is_as_exact(const at::Tensor& got, const at::Tensor& of_libtorch, const at::Tensor& exact, double terms,
                        double scale) -> bool {
  if (got.sizes() != exact.sizes() || got.sizes() != of_libtorch.sizes()) return false;
  const at::Tensor finite = of_libtorch.detach().isfinite(), mine = got.detach(), theirs = of_libtorch.detach();
  if (!at::allclose(at::where(finite, 0, mine), at::where(finite, 0, theirs), 0, 0, true)) return false;
  if (!at::where(finite, mine, 0).isfinite().all().item<bool>()) return false;
  const at::Tensor right = exact.detach().isfinite();  // else float32 alone is finite, and LibTorch's is what is right
  const at::Tensor want = at::where(right, exact.detach().to(at::kDouble), theirs.to(at::kDouble));
  const double most = std::max({scale, largest_of(want), std::numeric_limits<double>::min()});
  return largest_difference(got, want) / most <=
         float32_bound(terms, largest_difference(theirs, want) / most, got.numel());
}

/// Equal to the bit, NaN being NaN.
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
