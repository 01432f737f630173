#pragma once
// attention: softmax of queries' scores times values, whose scores are never all there.
#include <koila/ops/attention_backward.hpp>
#include <koila/ops/family/attention.hpp>
#include <koila/ops/narrow.hpp>

namespace koila {

/// (..., l, e) x (..., s, e) x (..., s, v) -> (..., l, v): softmax(scale q k^T) v, of the same leading dims each, by blocks of queries.
/// What scaled_dot_product_attention is without mask and dropout.
inline constexpr struct attention : op<attention, 3> {
  static constexpr std::string_view name = "attention";
  using attributes = attention_attributes;
  static constexpr auto rule(const dims& q, const dims& k, const dims& v, const attributes&) -> verdict {
    return rules::attention_of_stacks(q, k, v);
  }
  static constexpr auto flow(const value& q, const value& k, const value& v, const dims& out, const attributes&) -> relations {
    const value in[] = {q, k, v};
    return flows::attention(in, 3, out);
  }
  static constexpr auto cost(const dims& q, const dims& k, const dims& v, const dims& out, const attributes& a) -> work {
    const detail::attention_blocks b(q, k, v);
    return {b.flops(2, a.is_causal.value), static_cast<double>(q.bytes() + k.bytes() + v.bytes() + out.bytes()),
            b.workspace(b.forward_parts() * b.forward_part(), q.count() + k.count() + v.count() + out.count()), true};
  }
  static void evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto& y, const auto& q, const auto& k, const auto& v,
                                 const attributes& a) {
    const auto all = detail::call_with<struct attention_backward>(a, dy, y, q, k, v);
    const index_t l = dims_of(q)[-2].n, s = dims_of(k)[-2].n, e = dims_of(q)[-1].n;
    const auto part = [&](index_t first, index_t rows, index_t columns) {
      return narrow(narrow(all, -2, first, rows), -1, 0, columns);
    };
    return gradients(part(0, l, e), part(l, s, e), part(l + s, s, dims_of(v)[-1].n));
  }
} attention;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/attention.ipp>

namespace koila {

KOILA_INLINE void attention::evaluate(out y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                      const attributes& a) {
  detail::attend(y, q, k, v, nullptr, a);
}

}  // namespace koila
#endif
