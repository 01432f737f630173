// SPDX-License-Identifier: MIT
#pragma once
// grid_line: coordinates of evenly spaced cells on the line from -1 to 1.
#include <koila/ops/creation/constants.hpp>
#include <koila/ops/vision/interpolation.hpp>

namespace koila::inline v0::internal {

/// (...) -> (steps): the coordinates of the centres of `steps` cells on the line from -1 to 1, in
/// the dtype of x. With align_corners, the first centre is -1 and the last one is 1; otherwise the
/// cells cover the line. The centre of a single cell is 0. The values of x are not read.
inline constexpr struct grid_line : op<grid_line, 1> {
  static constexpr std::string_view name = "grid_line";
  static constexpr unsigned shape_only = 1;
  struct attributes {
    attr<index_t> steps = 1;
    attr<bool> align_corners = false;
    constexpr void write(auto& w) const { w.put(", steps "), steps.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (!rules::may_float(x.type)) return reason::not_a_floating_type;
    if (a.steps.known && a.steps.value < 1) return reason::size_out_of_range;
    return dims({a.steps.known ? extent{a.steps.value} : extent{}}, x.type);
  }
  static constexpr auto flow(const value&, const dims&) -> relations { return relations{}; }
  static constexpr auto cost(const dims&, const dims& out) -> op_cost {
    return {static_cast<double>(out.count()), static_cast<double>(out.bytes()), 0};
  }
  static void evaluate(at::Tensor& y, const at::Tensor&, const attributes& a);
} grid_line;

}  // namespace koila::inline v0::internal
