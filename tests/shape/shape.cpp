// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/shape.hpp>
#include <koila/shape/verdict.hpp>

using namespace koila;
using namespace koila::author;

inline constexpr struct words : axis<words> {
  using axis::operator=;
} words;

namespace {

constexpr extent samples{-1, axis_name<struct batch>};

template <auto... D>
using canonical = typename detail::canonical_shape<D...>::type;

// The shape type for dims whose axes occur in the given shapes.
template <dims (*Dims)(), class... Shapes>
struct answer {
  static constexpr verdict value = Dims();
  using type = typename detail::shape_of_verdict<answer, detail::concatenated<Shapes...>>::type;
};

constexpr auto words_by_batch() -> dims {
  return dims({extent{-1, axis_name<struct words>}, extent{7}, extent{}, samples}, int64);
}
constexpr auto nothing() -> dims { return dims(); }
constexpr auto floats() -> dims { return dims(float64); }
constexpr auto bound() -> dims { return dims({extent{64, axis_name<struct batch>}}, float32); }

}  // namespace

TEST_CASE("a shape type says dims and dtype") {
  STATIC_REQUIRE(shape<batch, 784>::value == dims({samples, extent{784}}, float32));
  STATIC_REQUIRE(shape<int64, batch>::value == dims({samples}, int64));
  STATIC_REQUIRE(shape<any, 3>::value == dims({extent{}, extent{3}}, float32));
  STATIC_REQUIRE(shape<>::value == scalar(float32));
  STATIC_REQUIRE(shape<int64>::value == scalar(int64));
  STATIC_REQUIRE(shape<unranked>::value == dims());
  STATIC_REQUIRE(shape<float64, unranked>::value == dims(float64));
  STATIC_REQUIRE(shape<batch, batch>::value == dims({samples, samples}, float32));
  STATIC_REQUIRE(shape<1, 2, 3, 4, 5, 6, 7, 8>::value.rank == 8);
}

TEST_CASE("equal shapes are one type") {
  STATIC_REQUIRE(std::same_as<canonical<batch, 784>, canonical<batch, 784L>>);
  STATIC_REQUIRE(std::same_as<canonical<batch, 784>, canonical<batch, 784U>>);
  STATIC_REQUIRE(std::same_as<canonical<float32, batch>, canonical<batch>>);
  STATIC_REQUIRE(std::same_as<canonical<float32>, canonical<>>);
  STATIC_REQUIRE(std::same_as<canonical<dtype::unknown, unranked>, canonical<unranked>>);
  STATIC_REQUIRE(!std::same_as<canonical<float32, unranked>, canonical<unranked>>);
  STATIC_REQUIRE(!std::same_as<canonical<float64, batch>, canonical<batch>>);
}

TEST_CASE("a rule's answer is a shape type again, its axes those of the operands") {
  STATIC_REQUIRE(
      std::same_as<answer<words_by_batch, shape<3, batch>, shape<words>>::type, shape<int64, words, 7L, any, batch>>);
  STATIC_REQUIRE(std::same_as<answer<bound, shape<batch>>::type, shape<batch>>);
  STATIC_REQUIRE(std::same_as<answer<nothing>::type, shape<unranked>>);
  STATIC_REQUIRE(std::same_as<answer<floats, shape<batch>>::type, shape<float64, unranked>>);
}
