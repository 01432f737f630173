// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/variadic.hpp>

#include "catch.hpp"

namespace koila::test {

using namespace detail;

TEST_CASE("what takes any number of operands is called with an array of them") {
  using detail::leads, detail::type_list, detail::with_array;
  STATIC_REQUIRE(leads<dims, 1, 2, type_list<int>, dims, int>);
  STATIC_REQUIRE(leads<dims, 1, 2, type_list<int>, dims, dims, int>);
  STATIC_REQUIRE(!leads<dims, 1, 2, type_list<int>, int>);
  STATIC_REQUIRE(!leads<dims, 1, 2, type_list<int>, dims, dims, dims, int>);
  STATIC_REQUIRE(!leads<dims, 1, 2, type_list<int>, dims, dims>);
  STATIC_REQUIRE(!leads<dims, 1, 2, type_list<int>, dims, int, int>);
  STATIC_REQUIRE(leads<dims, 2, 6, type_list<>, dims, dims>);

  constexpr auto rank = [](const dims* x, int scale) { return scale * (x[0].rank + x[1].rank); };
  STATIC_REQUIRE(with_array<2>(rank, open_dims(3), open_dims(4), 10) == 70);
}

}  // namespace koila::test
