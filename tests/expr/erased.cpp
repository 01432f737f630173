// SPDX-License-Identifier: MIT
// Which expressions may be converted to `erased`. tests/graph checks how erased expressions are
// built, copied and destroyed.
#include "catch.hpp"

#include <koila/expr/erased.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

template <class To, class From>
concept becomes = std::is_constructible_v<To, const From&> && std::is_assignable_v<To&, const From&>;

using hidden = erased<batch, 512>;

}  // namespace

TEST_CASE("an erased expression has its stated shape") {
  STATIC_REQUIRE(shape_t<hidden>::value == shape<batch, 512>::value);
  STATIC_REQUIRE(shape_t<erased<float64, any>>::value == shape<float64, any>::value);
  STATIC_REQUIRE(shape_t<erased<dtype::unknown, unranked>>::value == dims());
  STATIC_REQUIRE(Expression<hidden>);
}

TEST_CASE("what may be erased") {
  STATIC_REQUIRE(becomes<hidden, input<batch, 512>>);
  STATIC_REQUIRE(becomes<hidden, input<any, 512>>);  // a wrong extent is found when the input is bound
  STATIC_REQUIRE(becomes<hidden, input<unranked>>);
  STATIC_REQUIRE(becomes<erased<any, any>, input<batch, 512>>);
  STATIC_REQUIRE(becomes<erased<dtype::unknown, unranked>, input<float64, batch>>);
  STATIC_REQUIRE(becomes<hidden, erased<any, 512>>);
  STATIC_REQUIRE(!becomes<hidden, input<batch, 256>>);
  STATIC_REQUIRE(!becomes<hidden, input<512, batch>>);
  STATIC_REQUIRE(!becomes<hidden, input<64, 512>>);
  STATIC_REQUIRE(!becomes<hidden, input<batch, 1, 512>>);
  STATIC_REQUIRE(!becomes<hidden, input<float64, batch, 512>>);
  STATIC_REQUIRE(!becomes<hidden, int>);
}
