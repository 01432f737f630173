#pragma once
// attention: softmax of queries' scores times values, whose scores are never all there.
#include <koila/ops/attention_backward.hpp>

namespace koila {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v): softmax(scale q k^T) v, of the same
/// leading dims each, by blocks of queries. What scaled_dot_product_attention is without dropout.
/// With a fourth operand that broadcasts with (..., l, s): a mask of which true means that the key
/// takes part, or a value that is added to the scores. A query whose keys are all masked gives
/// zeros.
inline constexpr struct attention : attention_op<attention, struct attention_backward> {
  static constexpr std::string_view name = "attention";
  static void evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const attributes& a);
  static void evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                       const attributes& a);
} attention;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/attention.ipp>

namespace koila {

KOILA_INLINE void attention::evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                      const attributes& a) {
  detail::attend(y, {q, k, v, nullptr}, a);
}
KOILA_INLINE void attention::evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                      const at::Tensor& mask, const attributes& a) {
  detail::attend(y, {q, k, v, &mask}, a);
}

}  // namespace koila
#endif
