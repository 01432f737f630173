// SPDX-License-Identifier: MIT
#include <koila/ops/pointwise/numbers.hpp>

namespace koila {

static_assert(detail::square_root(4) == 2 && detail::square_root(0.25) == 0.5 && detail::square_root(1) == 1);
static_assert(detail::square_root(2) * detail::square_root(2) - 2 < 1e-15);

}  // namespace koila
