// SPDX-License-Identifier: MIT
#pragma once
// The cost of an op.
#include <koila/shape/dims.hpp>

namespace koila::inline v0 {

namespace author {

/// Cost of one kernel: floating-point operations, bytes read and written, and `workspace`, which
/// is the number of bytes that the kernel allocates while it runs, in addition to its result. A
/// kernel that needs no workspace for the whole batch must need none for a part of the batch.
struct op_cost {
  double flops = 0, bytes = 0;
  index_t workspace = 0;
  bool is_scratch = false;  ///< the workspace is `detail::scratch`, which a program may keep between runs
};

}  // namespace author

namespace detail {

/// Bytes that a LibTorch kernel allocates to convert operand `x`, if the kernel computes in dtype
/// `to`.
constexpr auto converted(const dims& x, dtype to) -> index_t { return x.type == to ? 0 : x.count() * bytes_of(to); }

/// Returns `w`, the cost of a kernel, with the workspace and the memory traffic of the float32
/// copy in which the kernel accumulates a 16-bit result.
constexpr auto with_float32_sums(op_cost w, const dims& out) -> op_cost {
  w.workspace = converted(out, accumulator_of(out.type));
  w.bytes += 2 * static_cast<double>(w.workspace);
  w.is_scratch = true;
  return w;
}

}  // namespace detail

}  // namespace koila::inline v0
