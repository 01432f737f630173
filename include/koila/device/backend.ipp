// SPDX-License-Identifier: MIT
// Definitions of backend.hpp.
#include <koila/device/backend.hpp>
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::device {

auto free_memory(c10::Device d) -> index_t {
  if (d.is_cpu()) return free_host_memory();
  const backend* const b = backend_of(d);
  if (b == nullptr) throw argument_error("koila: nothing is known of device " + d.str());
  return b->free_memory(d.has_index() ? d.index() : 0);
}
auto free_memory_now(c10::Device d, std::int64_t age) -> memory_reading {
  if (d.is_cpu()) return host_memory_now(age);
  static std::atomic<std::uint64_t> readings{0};
  return {free_memory(d), ++readings};
}

}  // namespace koila::inline v0::device
