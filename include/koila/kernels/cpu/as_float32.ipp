// SPDX-License-Identifier: MIT
#pragma once
// Float32 copies of 16-bit tensors, for kernels that sum in float32.
#include <koila/kernels/cpu/scratch.ipp>
#include <koila/ops/common/definitions.hpp>

#include <ATen/OpMathType.h>
#include <ATen/ops/from_blob.h>

namespace koila::inline v0::detail {

inline auto of_16_bits(const at::Tensor& t) -> bool {
  return t.scalar_type() == at::kBFloat16 || t.scalar_type() == at::kHalf;
}

/// A float32 copy of a 16-bit tensor, in scratch memory. The copy has the same sizes and, if the
/// tensor is dense, the same strides. If the tensor has another dtype, no copy is made and the
/// tensor itself is used.
class as_float32 {
 public:
  /// The copy is uninitialised if `with_values` is false.
  explicit as_float32(const at::Tensor& t, bool with_values = true) : of_(t), own_(of_16_bits(t) ? t.numel() : 0) {
    if (!of_16_bits(t)) {
      wide_ = t;
      return;
    }
    const auto options = t.options().dtype(at::kFloat);
    wide_ = t.is_non_overlapping_and_dense() ? at::from_blob(own_.data(), t.sizes(), t.strides(), options)
                                             : at::from_blob(own_.data(), t.sizes(), options);
    if (with_values) wide_.copy_(t);
  }
  auto operator*() -> at::Tensor& { return wide_; }
  /// Writes the values of the copy back to the tensor, rounded. Does nothing if no copy was made.
  void round() const {
    if (!wide_.is_same(of_)) of_.copy_(wide_);
  }

 private:
  const at::Tensor& of_;
  scratch<float> own_;
  at::Tensor wide_;
};

}  // namespace koila::inline v0::detail
