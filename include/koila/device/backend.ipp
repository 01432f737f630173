// SPDX-License-Identifier: MIT
// Definitions of backend.hpp.
#include <koila/device/backend.hpp>
#include <koila/ops/common/definitions.hpp>

#include <stdexcept>

namespace koila::device {

auto free_memory(c10::Device d) -> index_t {
  if (d.is_cpu()) return free_host_memory();
  const backend* const b = backend_of(d);
  if (b == nullptr) throw argument_error("koila: nothing is known of device " + d.str());
  return b->free_memory(d.has_index() ? d.index() : 0);
}

}  // namespace koila::device
