// SPDX-License-Identifier: MIT
// Copies on the host.
#include <koila/kernels/cpu/copies.ipp>
#include <koila/kernels/cpu/host.hpp>

#include <cstring>

namespace koila::inline v0::kernels::cpu {

inline void overwrite(const at::Tensor& y, void* elements, const at::Tensor& x) {
  if (!y.is_non_overlapping_and_dense()) y.copy_(x);
  else if (y.nbytes() > 0) std::memmove(elements, x.const_data_ptr(), y.nbytes());  // allocates nothing
}

[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::overwrite, overwrite> overwrite_registered;
[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::copy, detail::copy_values> copy_registered;

}  // namespace koila::inline v0::kernels::cpu
