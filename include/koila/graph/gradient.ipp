// SPDX-License-Identifier: MIT
// Definitions of gradient.hpp.
#include <koila/graph/gradient.hpp>
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::detail {

auto add_gradients_compiled(builder& b, int loss, const std::vector<int>& wrt) -> std::vector<int> {
  return add_gradients_now(b, loss, wrt);
}

}  // namespace koila::inline v0::detail
