// SPDX-License-Identifier: MIT
#pragma once
// Values for each spatial dim, as LibTorch's operators take them.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/convolution/windows.hpp>

namespace koila::inline v0::detail {

/// One value for each of n spatial dims, as LibTorch's operators take them. If n is less than
/// `least`, copies of `otherwise` are put before the n values, so that there are `least` values.
class spatial_values {
 public:
  spatial_values(const attr_list& l, int n, int least = 0, index_t otherwise = 0) {
    for (int i = n; i < least; ++i) v_[n_++] = otherwise;
    for (int i = 0; i < n; ++i) v_[n_++] = l[i].value;
  }
  operator at::IntArrayRef() const { return {v_, n_}; }
  operator c10::SymIntArrayRef() const { return c10::fromIntArrayRefSlow({v_, n_}); }

 private:
  std::int64_t v_[windows::capacity]{};
  std::size_t n_ = 0;
};

}  // namespace koila::inline v0::detail
