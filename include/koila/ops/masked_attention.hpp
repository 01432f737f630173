#pragma once
// masked_attention: attention of which a mask says what takes part.
#include <koila/ops/family/attention.hpp>
#include <koila/ops/masked_attention_backward.hpp>
#include <koila/ops/narrow.hpp>

namespace koila {

/// (..., l, e) x (..., s, e) x (..., s, v) x (..., l, s) -> (..., l, v): attention whose mask broadcasts with the scores and is boolean, true
/// where the key takes part, or is added to them. A query whose keys are all masked gives zeros.
inline constexpr struct masked_attention : op<masked_attention, 4> {
  static constexpr std::string_view name = "masked_attention";
  using attributes = attention_attributes;
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const dims& mask, const attributes&) -> verdict {
    return rules::attention_of_stacks(q, k, v, mask);
  }
  static constexpr auto flow(const value& q, const value& k, const value& v, const value& mask, const dims& out,
                             const attributes&) -> relations {
    const value in[] = {q, k, v, mask};
    return flows::masked_attention(in, 4, out);
  }
  static constexpr auto cost(const dims& q, const dims& k, const dims& v, const dims& mask, const dims& out,
                             const attributes& a) -> work {
    const detail::attention_blocks b(q, k, v, true);
    return {b.flops(2, a.is_causal.value), static_cast<double>(q.bytes() + k.bytes() + v.bytes() + mask.bytes() + out.bytes()),
            b.workspace(b.forward_parts() * b.forward_part(),
                        q.count() + k.count() + v.count() + out.count() + detail::elements_of_added(mask)),
            true};
  }
  static void evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                       const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& q, const auto& k, const auto& v, const auto& mask,
                                 const attributes& a) {
    const auto all = detail::call_with<struct masked_attention_backward>(a, dy, y, q, k, v, mask);
    const index_t l = dims_of(q)[-2].n, s = dims_of(k)[-2].n, e = dims_of(q)[-1].n;
    const auto part = [&](index_t first, index_t rows, index_t columns) {
      return narrow(narrow(all, -2, first, rows), -1, 0, columns);
    };
    const auto slopes = detail::attention_slopes_of(dy, y, v, detail::attention_weights_of(q, k, mask, a));
    return gradients(part(0, l, e), part(l, s, e), part(l + s, s, dims_of(v)[-1].n), sum_to(slopes, mask));
  }
} masked_attention;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/attention.ipp>

namespace koila {

KOILA_INLINE void masked_attention::evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                             const at::Tensor& mask, const attributes& a) {
  detail::attend(y, q, k, v, &mask, a);
}

}  // namespace koila
#endif
