#pragma once
// What an op costs.
#include <koila/shape/dims.hpp>

namespace koila {

/// Floating-point operations, bytes read and written, and bytes that the kernel allocates besides
/// its result while it runs; a kernel that allocates none for the whole batch allocates none for a
/// part of it.
struct work {
  double flops = 0, bytes = 0;
  index_t workspace = 0;
  bool is_scratch = false;  ///< the workspace is `detail::scratch`, which a program may keep for its kernels
};

namespace detail {

/// Bytes that LibTorch's kernels take for an operand whose dtype is not the one that they compute
/// in: they convert it first.
constexpr auto converted(const dims& x, dtype to) -> index_t { return x.type == to ? 0 : x.count() * bytes_of(to); }

}  // namespace detail

}  // namespace koila
