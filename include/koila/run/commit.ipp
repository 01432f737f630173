// SPDX-License-Identifier: MIT
// Definitions of program.hpp: the commit, which writes the new values of buffers.
#include <koila/run/program.hpp>
#include <koila/run/tensor.ipp>
#include <koila/torch/dispatch.hpp>

namespace koila::inline v0::detail {

void program::commit() {
  const detail::below_autograd below;
  std::size_t update = plan_.outputs.size() - plan_.graph.updates.size();
  for (const auto& u : plan_.graph.updates) {
    tensor_of(*u.leaf).copy_(*whole_[static_cast<std::size_t>(plan_.outputs[update++])]);
    detail::bump_version(tensor_of(*u.leaf));
  }
}

}  // namespace koila::inline v0::detail
