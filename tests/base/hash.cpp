// SPDX-License-Identifier: MIT
#include <koila/base/hash.hpp>

#include "catch.hpp"

#include <set>

using koila::detail::mix;

static_assert(mix(mix(0, 1), 2) != mix(mix(0, 2), 1));  // the order matters

TEST_CASE("hashes of small numbers differ, in their first bits too") {
  std::set<std::size_t> all, first;
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t j = 0; j < 64; ++j) {
      const std::size_t h = mix(mix(0, i), j);
      all.insert(h), first.insert(h >> 52);
    }
  CHECK(all.size() == 64 * 64);
  CHECK(first.size() > 2000);  // 2589 different values are expected for 4096 random hashes
}
