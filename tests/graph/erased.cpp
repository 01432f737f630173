// SPDX-License-Identifier: MIT
#include "pch.hpp"

#include <koila/expr/let.hpp>
#include <koila/graph/lower.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

// Ops that are never evaluated.
inline constexpr struct block : op<block> {
  static constexpr std::string_view name = "block";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
} block;
inline constexpr struct pair : op<pair> {
  static constexpr std::string_view name = "pair";
  static constexpr auto rule(const dims& a, const dims&) -> verdict { return a; }
} pair;

using hidden = erased<batch, 512>;

}  // namespace

TEST_CASE("an erased expression is copied and assigned by handle") {
  const input<batch, 512> x{"x"};
  hidden h = block(x);
  const hidden copy = h;
  CHECK(copy.held == h.held);
  CHECK(h.held->count == 2);
  h = block(h);
  CHECK(!(copy.held == h.held));
  CHECK(copy.held->count == 2);  // owned by `copy` and by the operands of h
  h = copy;
  CHECK(h.held == copy.held);
  const hidden& self = h;
  h = self;
  CHECK(h.held == copy.held);
}

TEST_CASE("an erased expression knows the erased expressions that it is made of") {
  const input<batch, 512> x{"x"};
  const hidden a = x, b = block(x), c = block(pair(a, let(pair(block(b), a))));
  std::vector<const erased_base*> below;
  c.held->below(below);
  CHECK(below == std::vector<const erased_base*>{a.held.get(), b.held.get(), a.held.get()});
}

TEST_CASE("a chain of 10,000 is built and destroyed without recursion") {
  const input<batch, 512> x{"x"};
  {
    hidden h = x;
    for (int i = 0; i < 10'000; ++i) h = block(h);
    CHECK(x.state->count == 2);
  }
  CHECK(x.state->count == 1);
}

TEST_CASE("a chain in which each is used twice") {
  const input<batch, 512> x{"x"};
  {
    hidden h = x;
    for (int i = 0; i < 10'000; ++i) h = pair(h, let(block(h)));
    const hidden kept = h;
    h = x;
  }
  CHECK(x.state->count == 1);
}

TEST_CASE("erased expressions exist in constant expressions") {
  STATIC_REQUIRE([] {
    hidden h = input<batch, 512>{"x"};
    for (int i = 0; i < 3; ++i) h = block(h);
    return h.held->count == 1;
  }());
}
