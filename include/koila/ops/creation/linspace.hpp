// SPDX-License-Identifier: MIT
#pragma once
// linspace: a given number of evenly spaced numbers.
#include <koila/ops/creation/constants.hpp>

namespace koila::inline v0 {

/// () -> (steps): linspace(start, end, steps) returns evenly spaced float32 numbers from start to
/// end, both included.
inline constexpr struct linspace : detail::constant_op<linspace> {
  static constexpr std::string_view name = "linspace";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr<double> start = 0.0, end = 0.0;
    attr<index_t> steps = -1;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, start, end, steps); }
    constexpr void write(auto& w) const { w.put(", steps "), steps.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const attributes& a) -> verdict {
    for (const attr<double>& number : {a.start, a.end})
      if (!rules::holds(dtype::float32, number)) return reason::number_out_of_range;
    if (!a.steps.known) return detail::open_dims(1, dtype::float32);
    if (a.steps.value < 0) return reason::size_out_of_range;
    return dims({extent{a.steps.value}}, dtype::float32);
  }
  static void evaluate(at::Tensor& y, const attributes& a);
} linspace;

}  // namespace koila::inline v0
