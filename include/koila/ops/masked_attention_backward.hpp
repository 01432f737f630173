#pragma once
// masked_attention_backward: the pull-back of masked_attention to queries, keys and values.
#include <koila/ops/attention_backward.hpp>
#include <koila/ops/sum_to.hpp>

namespace koila {

/// (..., l, v) x (..., l, v) x (..., l, e) x (..., s, e) x (..., s, v) x (..., l, s) -> (..., l + s + s, max(e, v)): attention_backward with
/// masked_attention's mask.
inline constexpr struct masked_attention_backward : op<masked_attention_backward, 5> {
  static constexpr std::string_view name = "masked_attention_backward";
  using attributes = attention_attributes;
  static constexpr auto rule(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v, const dims& mask,
                             const attributes&) -> verdict {
    const verdict of = rules::attention_of_stacks(q, k, v, mask);
    return of.accepted() ? rules::attention_backward(dy, y, q, k, v) : of;
  }
  static constexpr auto flow(const value& dy, const value& y, const value& q, const value& k, const value& v, const value& mask,
                             const dims& out, const attributes&) -> relations {
    const value in[] = {dy, y, q, k, v, mask};
    return flows::masked_attention(in, 6, out);
  }
  static constexpr auto cost(const dims& dy, const dims& y, const dims& q, const dims& k, const dims& v, const dims& mask,
                             const dims& out, const attributes& a) -> work {
    const detail::attention_blocks b(q, k, v, true);
    const index_t elements = dy.count() + y.count() + q.count() + k.count() + v.count();
    return {b.flops(5, a.is_causal.value), static_cast<double>(elements * bytes_of(q.type) + mask.bytes() + out.bytes()),
            b.workspace(b.backward_parts() * b.backward_part(), elements + out.count() + detail::elements_of_added(mask)),
            true};
  }
  static void evaluate(out all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                       const at::Tensor& v, const at::Tensor& mask, const attributes& a);
  static constexpr auto gradient(const auto& d, const auto&, const auto& dy, const auto& y, const auto& q, const auto& k,
                                 const auto& v, const auto& mask, const attributes& a) {
    return detail::attention_pulled_back_twice(
        d, dy, y, q, k, v, detail::attention_weights_of(q, k, mask, a), a,
        [&](const auto& of_dy, const auto& of_y, const auto& of_q, const auto& of_k, const auto& of_v, const auto& of_scores) {
          return gradients(of_dy, of_y, of_q, of_k, of_v, sum_to(of_scores, mask));
        });
  }
} masked_attention_backward;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/attention.ipp>

namespace koila {

KOILA_INLINE void masked_attention_backward::evaluate(out all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q,
                                                      const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                                                      const attributes& a) {
  detail::attend_back(all, dy, y, q, k, v, &mask, a);
}

}  // namespace koila
#endif
