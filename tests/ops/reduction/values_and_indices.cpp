// SPDX-License-Identifier: MIT
#include <koila/ops/reduction/max.hpp>

namespace koila::test::values_and_indices_family {

// With a dim the op returns two results, without a dim one result.
using some = input<batch, 3>;
static_assert(std::tuple_size_v<decltype(koila::max(std::declval<const some&>(), 1_c))> == 2);
static_assert(Expression<decltype(koila::max(std::declval<const some&>()))>);

}  // namespace koila::test::values_and_indices_family
