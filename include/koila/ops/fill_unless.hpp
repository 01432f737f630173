#pragma once
// fill_unless: what a mask does not keep is replaced.
#include <koila/ops/family/elementwise.hpp>
#include <koila/ops/sum_to.hpp>

namespace koila {

/// (...) x bool (...) -> (...), broadcast: x where the mask is true, else `otherwise`.
inline constexpr struct fill_unless : op<fill_unless, 2> {
  static constexpr std::string_view name = "fill_unless";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<double> otherwise = 0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, otherwise); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const dims& mask, const attributes&) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return why::not_a_floating_type;
    if (mask.type != dtype::unknown && mask.type != dtype::boolean) return why::mask_is_not_boolean;
    return rules::broadcast(x, mask, x.type);
  }
  static constexpr auto flow(const value& x, const value& mask, const dims& out, const attributes&) -> relations {
    const value in[] = {x, mask};
    return flows::elementwise(in, 2, out);
  }
  /// The workspace is the number that is filled in.
  static constexpr auto cost(const dims& x, const dims& mask, const dims& out) -> work {
    return {static_cast<double>(out.count()), static_cast<double>(x.bytes() + mask.bytes() + out.bytes()), bytes_of(x.type)};
  }
  static void evaluate(out y, const at::Tensor& x, const at::Tensor& mask, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x, const auto& mask, const attributes&) {
    return gradients(sum_to(fill_unless{}(dy, mask, 0.0), x), no_gradient);
  }
} fill_unless;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

#include <ATen/ops/scalar_tensor_ops.h>
#include <ATen/ops/where_ops.h>

namespace koila {

KOILA_INLINE void fill_unless::evaluate(out y, const at::Tensor& x, const at::Tensor& mask, const attributes& a) {
  const at::Tensor otherwise =
      at::_ops::scalar_tensor::call(a.otherwise.value, x.scalar_type(), std::nullopt, x.device(), std::nullopt);
  at::_ops::where_self_out::call(mask, x, otherwise, y);
}

}  // namespace koila
#endif
