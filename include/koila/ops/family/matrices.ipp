#pragma once
// Definitions of matrices.hpp.
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/matrices.hpp>
#include <koila/ops/family/packed_product.ipp>
#include <koila/ops/family/scratch.ipp>

#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/baddbmm_ops.h>
#include <ATen/ops/bmm_ops.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm_ops.h>

namespace koila::detail {

inline auto of_16_bits(const at::Tensor& t) -> bool { return t.scalar_type() == at::kBFloat16 || t.scalar_type() == at::kHalf; }

/// A tensor in float32 while a kernel runs, in scratch: of the same sizes and, where its elements lie together, the same strides; the
/// tensor itself where it has not 16 bits.
class as_float32 {
 public:
  /// With its values, or without any.
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
  /// Gives the tensor the values that it has in float32.
  void round() const {
    if (!wide_.is_same(of_)) of_.copy_(wide_);
  }

 private:
  const at::Tensor& of_;
  scratch<float> own_;
  at::Tensor wide_;
};

inline void multiply_now(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start) {
  if (multiply_in_blocks(y, a, b, start)) return;
  if (y.dim() == 2) start != nullptr ? at::_ops::addmm_out::call(*start, a, b, 1, 1, y) : at::_ops::mm_out::call(a, b, y);
  else start != nullptr ? at::_ops::baddbmm_out::call(*start, a, b, 1, 1, y) : at::_ops::bmm_out::call(a, b, y);
}

KOILA_INLINE void multiply(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, const at::Tensor* start) {
  if (!of_16_bits(y) || !on_host(y)) return multiply_now(y, a, b, start);
  if (a.numel() == 0 || b.numel() == 0) {
    if (start == nullptr) y.zero_();
    else if (start != &y) y.copy_(*start);
    return;
  }
  as_float32 to(y, false), left(a), right(b);
  if (start != nullptr) (*to).copy_(*start);
  multiply_now(*to, *left, *right, start != nullptr ? &*to : nullptr);
  to.round();
}

}  // namespace koila::detail
