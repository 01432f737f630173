// SPDX-License-Identifier: MIT
// The host's capabilities.
#include <koila/kernels/capabilities.hpp>
#include <koila/kernels/cpu/host.hpp>

namespace koila::inline v0::kernels::cpu {

inline constexpr capabilities of_host{.fuses = true, .lends_scratch = true, .keeps_programs = true};
[[gnu::init_priority(registered_first)]] inline const struct host_capabilities {
  host_capabilities() { use(at::kCPU, &of_host); }
} capabilities_registered;

}  // namespace koila::inline v0::kernels::cpu
