// SPDX-License-Identifier: MIT
#pragma once
// The cost of an op.
#include <koila/shape/dims.hpp>

namespace koila {

/// Cost of one kernel: floating-point operations, bytes read and written, and `workspace`, the
/// bytes that it allocates while it runs, besides its result. A kernel that needs no workspace for
/// the whole batch needs none for a part of it.
struct op_cost {
  double flops = 0, bytes = 0;
  index_t workspace = 0;
  bool is_scratch = false;  ///< the workspace is `detail::scratch`, which a program may keep between runs
};

namespace detail {

/// Bytes that LibTorch's kernels allocate to convert an operand to dtype `to`, in which they
/// compute.
constexpr auto converted(const dims& x, dtype to) -> index_t { return x.type == to ? 0 : x.count() * bytes_of(to); }

/// The cost of a kernel that adds up in a float32 copy of its result, if that is of 16 bits.
constexpr auto with_float32_sums(op_cost w, const dims& out) -> op_cost {
  w.workspace = converted(out, accumulator_of(out.type));
  w.bytes += 2 * static_cast<double>(w.workspace);
  w.is_scratch = true;
  return w;
}

}  // namespace detail

}  // namespace koila
