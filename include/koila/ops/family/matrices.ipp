#pragma once
// Definitions of matrices.hpp.
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/matrices.hpp>
#include <koila/ops/family/packed_product.ipp>

#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/baddbmm_ops.h>
#include <ATen/ops/bmm_ops.h>
#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/mm_ops.h>

namespace koila::detail {

inline auto of_16_bits(const at::Tensor& t) -> bool { return t.scalar_type() == at::kBFloat16 || t.scalar_type() == at::kHalf; }

/// A float32 tensor of the same sizes and, where its elements lie together, the same strides, without values; t itself where it
/// has not 16 bits.
inline auto float_like(const at::Tensor& t) -> at::Tensor {
  if (!of_16_bits(t)) return t;
  return at::_ops::empty_like::call(t, at::kFloat, std::nullopt, std::nullopt, std::nullopt, at::MemoryFormat::Preserve);
}
/// The same with t's values.
inline auto as_float(const at::Tensor& t) -> at::Tensor {
  at::Tensor f = float_like(t);
  if (!f.is_same(t)) f.copy_(t);
  return f;
}

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
  at::Tensor wide = float_like(y);
  if (start != nullptr) wide.copy_(*start);
  multiply_now(wide, as_float(a), as_float(b), start != nullptr ? &wide : nullptr);
  y.copy_(wide);
}

}  // namespace koila::detail
