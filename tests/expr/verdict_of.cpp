// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/expr/verdict_of.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

// An op that accepts only two matrices.
struct pair {
  static constexpr std::string_view name = "pair";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if (a.rank != 2 || b.rank != 2) return reason::no_rule_for_these_ranks;
    if (compare_extents(a[1], b[0]) == tristate::no) return reason::inner_dimensions_differ;
    return dims({a[0], b[1]}, a.type);
  }
};
struct maybe_three {
  static constexpr std::string_view name = "maybe_three";
  static constexpr auto rule(const dims& a, const dims&) -> verdict { return a; }
  static constexpr auto rule(const dims&, const dims&, const dims& c) -> verdict { return c; }
};
struct pick {
  static constexpr std::string_view name = "pick";
  struct attributes {
    static constexpr std::size_t positional = 1;
    attr<index_t> dim = 0;
    constexpr void set(std::size_t, attr<index_t> v) { dim = v; }
    constexpr void write(auto& w) const { w.put(", dim "), dim.write(w); }
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (a.dim.known && wrap(a.dim.value, x.rank) < 0) return reason::dimension_out_of_range;
    return a.dim.known ? dims({x[static_cast<int>(a.dim.value)]}, x.type) : open_dims(1, x.type);
  }
};

template <class Op, class... Ts>
constexpr auto reason_of = verdict_of<Op, Ts...>::value.reason;
template <class Op, class... Ts>
constexpr auto sentence = verdict_of<Op, Ts...>::sentence();

using constant = decltype(1_c);

}  // namespace

TEST_CASE("the compiler asks the op's rule") {
  STATIC_REQUIRE((Accepts<pair, shape<batch, 3>, shape<3, 5>>));
  STATIC_REQUIRE((std::same_as<result_of<pair, shape<batch, 3>, shape<3, 5>>, shape<batch, 5L>>));
  STATIC_REQUIRE((reason_of<pair, shape<batch, 3>, shape<4, 5>> == reason::inner_dimensions_differ));
  STATIC_REQUIRE(
      (sentence<pair, shape<batch, 3>, shape<4, 5>>.view() == "pair: [batch, 3] x [4, 5]: inner dimensions differ"));
  STATIC_REQUIRE((sentence<pair, shape<batch, 3>, shape<3, 5>>.view().empty()));
}

TEST_CASE("a rule that does not take so many operands says so") {
  STATIC_REQUIRE((reason_of<pair, shape<batch, 3>> == reason::wrong_number_of_operands));
  STATIC_REQUIRE((reason_of<pair, shape<1, 1>, shape<1, 1>, shape<1, 1>> == reason::wrong_number_of_operands));
  STATIC_REQUIRE((reason_of<pair> == reason::wrong_number_of_operands));
  STATIC_REQUIRE(
      (sentence<maybe_three, shape<3>>.view() == "maybe_three: [3]: the op takes another number of operands"));
}

TEST_CASE("how many operands a rule takes") {
  STATIC_REQUIRE(detail::arity<pair>() == 2);
  STATIC_REQUIRE(detail::arity<maybe_three>() == 3);
  STATIC_REQUIRE(detail::arity<pick>() == 1);
}

TEST_CASE("a number is an operand as far as the rule takes operands, then an attribute") {
  STATIC_REQUIRE((Accepts<maybe_three, shape<3>, int>));
  STATIC_REQUIRE((Accepts<maybe_three, shape<3>, int, double>));
  STATIC_REQUIRE((reason_of<maybe_three, shape<3>, int, double, int> == reason::no_such_attribute));
  STATIC_REQUIRE((Accepts<pick, shape<3, 4>, int>));
  STATIC_REQUIRE((Accepts<pick, shape<3, 4>, constant>));
  STATIC_REQUIRE((reason_of<pick, shape<3>, constant> == reason::dimension_out_of_range));
  STATIC_REQUIRE((sentence<pick, shape<3>, constant>.view() == "pick: [3], dim 1: dimension out of range"));
  STATIC_REQUIRE((reason_of<pick, shape<3, 4>, constant, constant> == reason::no_such_attribute));
}

TEST_CASE("what is no operand is no attribute either") {
  STATIC_REQUIRE((reason_of<pair, shape<1, 1>, const char*> == reason::not_an_argument));
}

TEST_CASE("a result's dims are not known where the attribute is not") {
  STATIC_REQUIRE((std::same_as<result_of<pick, shape<3, 4>, constant>, shape<4L>>));
  STATIC_REQUIRE((std::same_as<result_of<pick, shape<3, 4>, int>, shape<any>>));
}
