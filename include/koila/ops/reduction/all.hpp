#pragma once
// all: whether all elements are nonzero.
#include <koila/ops/reduction/truth.hpp>

namespace koila {

/// (..., n, ...) -> bool (..., ...): whether all elements over the dims `dim`, or over all dims,
/// are nonzero.
inline constexpr struct all : reducing_truth<all, monoid::min> {
  static constexpr std::string_view name = "all";
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
} all;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/reduction.ipp>

#include <ATen/ops/all_ops.h>

namespace koila {

inline void all::evaluate(out y, const at::Tensor& x, const attributes& a) {
  const auto over = [](at::Tensor to, const at::Tensor& of, at::OptionalIntArrayRef dims) {
    at::_ops::all_dims_out::call(of, dims, false, to);
  };
  if (detail::reduces_in_parts(y, x)) detail::reduce_in_parts(y, x, over);
  else at::_ops::all_dims_out::call(x, detail::reduced_dims(a, x).given(), a.keepdim.value, y);
}

}  // namespace koila
#endif
