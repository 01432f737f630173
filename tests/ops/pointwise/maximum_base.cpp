// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("the part of a gradient that the larger value takes") {
  const input<float64, any> dy{"dy"}, a{"a"}, b{"b"};
  const at::Tensor g = normal({3}), lesser = at::tensor({1.0, 2.0, 2.0}, at::kDouble),
                   greater = at::tensor({2.0, 2.0, 1.0}, at::kDouble);
  same(run(detail::taken_unless_less(dy, a, b, a), dy = g, a = lesser, b = greater),
       g * at::tensor({0.0, 0.5, 1.0}, at::kDouble));
}

}  // namespace koila::test
