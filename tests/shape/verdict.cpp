// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/verdict.hpp>

using namespace koila;
using namespace koila::author;

namespace {

constexpr extent samples{-1, axis_name<struct batch>};

constexpr auto message(std::string_view expected, std::string_view name, reason r, std::initializer_list<dims> operands)
    -> bool {
  return detail::write(name, r, operands.begin(), static_cast<int>(operands.size()), 0).view() == expected;
}

struct along {
  constexpr void write(auto& w) const { w.put(", dim "), w.put(index_t{-3}); }
};

}  // namespace

TEST_CASE("a sentence is operation, shapes, reason") {
  STATIC_REQUIRE(message("matmul: [batch, 128] x [64, 10]: inner dimensions differ", "matmul",
                         reason::inner_dimensions_differ,
                         {dims({samples, extent{128}}, float32), dims({extent{64}, extent{10}}, float32)}));
  STATIC_REQUIRE(message("relu: []: not bound to a tensor", "relu", reason::not_bound, {scalar(float32)}));
  STATIC_REQUIRE(message("add: no rule for these ranks", "add", reason::no_rule_for_these_ranks, {}));
}

TEST_CASE("dtypes are spelled where they are not float32") {
  STATIC_REQUIRE(message("f: int64[batch] x bool[]: shapes differ", "f", reason::shapes_differ,
                         {dims({samples}, int64), scalar(boolean)}));
}

TEST_CASE("what is not known is spelled too") {
  STATIC_REQUIRE(message("f: [?, 3] x [...]: shapes differ", "f", reason::shapes_differ,
                         {dims({extent{}, extent{3}}), dims(float32)}));
}

TEST_CASE("a bound axis is spelled with its extent, and without its namespace") {
  STATIC_REQUIRE(message("f: [batch=64, words]: shapes differ", "f", reason::shapes_differ,
                         {dims({extent{64, axis_name<struct batch>}, extent{-1, "text::words"}})}));
}

TEST_CASE("attributes stand before the reason") {
  constexpr dims x({samples, extent{10}}, float32);
  STATIC_REQUIRE(detail::write("sum", reason::dimension_out_of_range, &x, 1, along{}).view() ==
                 "sum: [batch, 10], dim -3: dimension out of range");
}

TEST_CASE("numbers are written to the last digit") {
  const auto digits = [](index_t n) {
    detail::writer w;
    w.put(n);
    return std::string(w.view());
  };
  CHECK(digits(0) == "0");
  CHECK(digits(1000000007) == "1000000007");
  CHECK(digits(-15) == "-15");
  CHECK(digits(INT64_MAX) == "9223372036854775807");
  CHECK(digits(INT64_MIN) == "-9223372036854775808");
}

TEST_CASE("a sentence that is too long is cut, not overrun") {
  detail::writer w;
  for (int i = 0; i < 1000; ++i) w.put('x');
  CHECK(w.view() == std::string(512, 'x'));
}

TEST_CASE("a verdict is dims or a reason") {
  STATIC_REQUIRE(verdict(scalar(float32)).accepted());
  STATIC_REQUIRE(verdict(scalar(float32)).out == scalar(float32));
  STATIC_REQUIRE(!verdict(reason::shapes_differ).accepted());
}

TEST_CASE("every reason has a sentence, and no two the same") {
  constexpr int last = static_cast<int>(reason::no_dim_given);
  for (int i = 1; i <= last; ++i) {
    CHECK(!to_string(static_cast<reason>(i)).empty());
    // g++ prints \' for an apostrophe, so its message would differ from the message at run time.
    CHECK(to_string(static_cast<reason>(i)).find_first_of("'\"\\") == std::string_view::npos);
    for (int k = 1; k < i; ++k) CHECK(to_string(static_cast<reason>(i)) != to_string(static_cast<reason>(k)));
  }
  CHECK(to_string(reason::accepted).empty());
}

TEST_CASE("the sentence is what is thrown at run time") {
  const dims operands[] = {dims({extent{64, axis_name<struct batch>}, extent{128}}, float32),
                           dims({extent{64}, extent{10}}, float32)};
  CHECK_THROWS_WITH(koila::detail::refuse("matmul", reason::inner_dimensions_differ, operands, 2),
                    "matmul: [batch=64, 128] x [64, 10]: inner dimensions differ");
  CHECK_THROWS_AS(koila::detail::refuse("matmul", reason::inner_dimensions_differ, operands, 2), shape_error);
}
