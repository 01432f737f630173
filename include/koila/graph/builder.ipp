// SPDX-License-Identifier: MIT
// Definitions of builder.hpp.
#include <koila/graph/info_of.hpp>
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::detail {

auto builder::leaf_compiled(const leaf_state& s) -> int { return notes != nullptr ? notes->leaf(s) : leaf_now(s); }
auto builder::add_compiled(const op_info& op, const int* operands, int n, handle<const object> attributes) -> int {
  if (notes != nullptr) return notes->call(op, operands, n, std::move(attributes));
  return add_now(op, operands, n, std::move(attributes));
}

}  // namespace koila::inline v0::detail
