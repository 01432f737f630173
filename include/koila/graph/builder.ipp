// SPDX-License-Identifier: MIT
// Definitions of builder.hpp.
#include <koila/graph/builder.hpp>
#include <koila/ops/common/definitions.hpp>

namespace koila::inline v0::detail {

auto builder::leaf_compiled(const leaf_state& s) -> int { return notes != nullptr ? notes->leaf(s) : leaf_now(s); }
auto builder::add_compiled(const op_info& op, const int* in, int n, handle<const object> at) -> int {
  if (notes != nullptr) return notes->call(op, in, n, std::move(at));
  return add_now(op, in, n, std::move(at));
}

}  // namespace koila::inline v0::detail
