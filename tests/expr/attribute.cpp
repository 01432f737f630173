// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/expr/verdict_of.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

inline constexpr struct words : axis<words> {
  using axis::operator=;
} words;

namespace {

// An op with three attributes: two may be positional, all may be named.
struct cut {
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr<index_t> dim0 = 0, dim1 = 1;
    attr<bool> keepdim = false;
    extent last{};
    constexpr void set(std::size_t i, attr<index_t> v) { (i == 0 ? dim0 : dim1) = v; }
    constexpr void set(std::size_t, const extent& e) { last = e; }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes&) -> verdict { return x; }
};
struct plain {
  static constexpr auto rule(const dims& x) -> verdict { return x; }
};

constexpr auto made(auto... a) { return attributes_from<cut>(a...); }
template <class... A>
constexpr auto known_of(A...) {
  return static_attributes<cut, A...>();
}
template <class Op, class... A>
constexpr auto has(A...) -> bool {
  return Has<Op, A...>;
}

}  // namespace

TEST_CASE("attributes are named or in order") {
  // The value must have the attribute's kind.
  STATIC_REQUIRE((has<cut>(keepdim = hana::true_c) && !has<cut>(keepdim = kSame) && !has<cut>(kSame)));
  STATIC_REQUIRE((made().dim0.value == 0 && made().dim1.value == 1));
  STATIC_REQUIRE((made(3, 4).dim0.value == 3 && made(3, 4).dim1.value == 4));
  STATIC_REQUIRE((made(3_c, -4_c).dim0.value == 3 && made(3_c, -4_c).dim1.value == -4));
  STATIC_REQUIRE((made(dim1 = 4).dim0.value == 0 && made(dim1 = 4).dim1.value == 4));
  STATIC_REQUIRE(made(dim1 = 4, dim0 = 3) == made(3, 4));
  STATIC_REQUIRE(made(3, dim1 = 4) == made(3_c, 4_c));
  STATIC_REQUIRE(made(keepdim = true).keepdim.value);
  STATIC_REQUIRE(made(words).last.axis == axis_name<struct words>);
}

TEST_CASE("the value of an attribute: a constant, a number, another attribute") {
  STATIC_REQUIRE(made(dim0 = -1_c).dim0.value == -1);
  STATIC_REQUIRE(made(dim0 = std::size_t{2}).dim0.value == 2);
  STATIC_REQUIRE(made(dim0 = attr<index_t>(5)).dim0.value == 5);
  STATIC_REQUIRE(made(keepdim = hana::true_c).keepdim.value);
  STATIC_REQUIRE(made(keepdim = attr<bool>(true)).keepdim.value);
}

TEST_CASE("the compiler knows constants and axes, not numbers") {
  STATIC_REQUIRE(known_of(3_c).dim0 == attr<index_t>(3, true));
  STATIC_REQUIRE(!known_of(3).dim0.known);
  STATIC_REQUIRE(known_of(3).dim1 == attr<index_t>(1, true));  // the default value
  STATIC_REQUIRE(known_of(dim1 = -1_c).dim1 == attr<index_t>(-1, true));
  STATIC_REQUIRE(!known_of(dim1 = 7).dim1.known);
  STATIC_REQUIRE(!known_of(keepdim = true).keepdim.known);
  STATIC_REQUIRE(known_of(keepdim = hana::true_c).keepdim == attr<bool>(true, true));
  STATIC_REQUIRE(!known_of(dim0 = attr<index_t>(5)).dim0.known);
  STATIC_REQUIRE(known_of(words).last.axis == axis_name<struct words>);
}

TEST_CASE("an op takes the attributes that it has") {
  STATIC_REQUIRE(has<cut>());
  STATIC_REQUIRE(has<cut>(1_c, 2));
  STATIC_REQUIRE(has<cut>(dim0 = 1, keepdim = true));
  STATIC_REQUIRE(!has<cut>(1, 2, 3));
  STATIC_REQUIRE(!has<cut>(dim = 1));
  STATIC_REQUIRE(!has<cut>(1, ignore_index = 1));
  STATIC_REQUIRE(has<plain>());
  STATIC_REQUIRE(!has<plain>(1));
  STATIC_REQUIRE(!has<plain>(dim = 1));
}

TEST_CASE("what an attribute may be") {
  STATIC_REQUIRE(Attribute<int>);
  STATIC_REQUIRE(Attribute<bool>);
  STATIC_REQUIRE(Attribute<decltype(-1_c)>);
  STATIC_REQUIRE(Attribute<decltype(dim = 1)>);
  STATIC_REQUIRE(Attribute<struct words>);
  STATIC_REQUIRE(!Attribute<const char*>);
  STATIC_REQUIRE(!Attribute<at::Tensor>);
}

TEST_CASE("attributes are compared by value") {
  STATIC_REQUIRE(attr<index_t>(3) == attr<index_t>(3));
  STATIC_REQUIRE(attr<index_t>(3) != attr<index_t>(3, false));
  STATIC_REQUIRE(no_attributes{} == no_attributes{});
}

namespace {

// An op with an attribute of every kind.
struct window {
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr_list kernel_size, stride = 1;
    attr<double> eps = 1e-5;
    attr<choice> reduction = choice::mean;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, kernel_size, stride, eps); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const attributes&) -> verdict { return x; }
};
constexpr auto windowed(auto... a) { return attributes_from<window>(a...); }

}  // namespace

TEST_CASE("an attribute of several integers: one for all, or one each") {
  STATIC_REQUIRE((windowed(3).kernel_size[0].value == 3 && windowed(3).kernel_size[2].value == 3));
  STATIC_REQUIRE(
      (windowed(list_of(3_c, 5)).kernel_size[0].value == 3 && windowed(list_of(3_c, 5)).kernel_size[1].value == 5));
  STATIC_REQUIRE(windowed(stride = list_of(1_c, 2_c)).stride == windowed(3, list_of(1, 2)).stride);
  STATIC_REQUIRE(windowed(stride = windowed(1, 2).stride).stride == attr_list(2));
  STATIC_REQUIRE(static_attributes<window, list_of<hana::integral_constant<int, 3>, int>>().kernel_size[0].known);
  STATIC_REQUIRE(!static_attributes<window, list_of<hana::integral_constant<int, 3>, int>>().kernel_size.known());
  STATIC_REQUIRE(windowed().kernel_size.empty());
  STATIC_REQUIRE(has<window>(list_of(3_c, 5_c), 2_c, 0.5));
  STATIC_REQUIRE(!has<window>(1, 2, 3, 4));
  STATIC_REQUIRE(windowed(1) == windowed(1));
}

TEST_CASE("lists are the same where what they list is: behind it g++ 12 makes zeros of defaults in some files") {
  attr_list a, b = 0;
  for (auto& e : a.e) e.known = false;
  CHECK(a == attr_list());
  CHECK_FALSE(a == b);
  for (int i = 1; i < dims::capacity; ++i) b.e[i].known = false;
  CHECK(b == attr_list(0));
  CHECK_FALSE(b == attr_list(1));
  b.e[0].known = false;
  CHECK_FALSE(b == attr_list(0));
  attr_list two;
  two.assign(list_of(0, 0));
  CHECK_FALSE(two == attr_list(0));
}

TEST_CASE("an attribute that is not whole, and one that is a choice") {
  STATIC_REQUIRE(windowed(eps = 0.5).eps.value == 0.5);
  STATIC_REQUIRE(windowed(1, 2, 0.25).eps.value == 0.25);
  STATIC_REQUIRE(!static_attributes<window, int, int, double>().eps.known);
  STATIC_REQUIRE(windowed(reduction = kSum).reduction.value == choice::sum);
  constexpr auto known = static_attributes<window, decltype(reduction = kNone)>();
  STATIC_REQUIRE((known.reduction.known && known.reduction.value == choice::none));
}
