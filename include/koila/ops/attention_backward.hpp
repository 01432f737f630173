#pragma once
// attention_backward: the pull-back of attention to queries, keys and values.
#include <koila/ops/family/attention_weights.hpp>

namespace koila {

/// (..., l, v) x (..., l, v) x (..., l, e) x (..., s, e) x (..., s, v) -> (..., l + s + s, max(e, v)): of dy, attention's value y, q, k
/// and v the gradients of q, k and v, one below the other; columns that one has less are 0. The weights are computed again, by blocks.
inline constexpr struct attention_backward : op<attention_backward, 5> {
  static constexpr std::string_view name = "attention_backward";
  using attributes = attention_attributes;
  static constexpr auto rule(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v, const attributes&)
      -> verdict {
    return rules::attention_backward(dy, y, q, k, v);
  }
  static constexpr auto flow(const value& dy, const value& y, const value& q, const value& k, const value& v, const dims& out,
                             const attributes&) -> relations {
    const value in[] = {dy, y, q, k, v};
    return flows::attention(in, 5, out);
  }
  static constexpr auto cost(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v, const dims& out,
                             const attributes& a) -> work {
    const detail::attention_blocks b(q, k, v);
    const index_t elements = dy.count() + y.count() + q.count() + k.count() + v.count();
    return {b.flops(5, a.is_causal.value), static_cast<double>(elements * bytes_of(q.type) + out.bytes()),
            b.workspace(b.backward_parts() * b.backward_part(), elements + out.count()), true};
  }
  static void evaluate(out all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                       const at::Tensor& v, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const auto& q, const auto& k,
                                 const auto& v, const attributes& a) {
    return detail::attention_pulled_back_twice(
        d, dy, y, q, k, v, detail::attention_weights_of(q, k, a), a,
        [](const auto& of_dy, const auto& of_y, const auto& of_q, const auto& of_k, const auto& of_v, const auto&) {
          return gradients(of_dy, of_y, of_q, of_k, of_v);
        });
  }
} attention_backward;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/attention.ipp>

namespace koila {

KOILA_INLINE void attention_backward::evaluate(out all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                                               const at::Tensor& k, const at::Tensor& v, const attributes& a) {
  detail::attend_back(all, dy, y, q, k, v, nullptr, a);
}

}  // namespace koila
#endif
