// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/base/handle.hpp>

using namespace koila;
using namespace koila::detail;

namespace {

struct counted : object {
  int* alive;
  constexpr explicit counted(int* a) : alive(a) { ++*alive; }
  constexpr ~counted() override { --*alive; }
};
struct special : counted {
  int n = 7;
  constexpr explicit special(int* a) : counted(a) {}
  constexpr ~special() override {}
};

// Copies, moves, assigns and drops handles. Returns true if the number of live objects is right at
// each step.
constexpr auto counts() -> bool {
  int alive = 0;
  bool right = true;
  {
    auto a = make_handle<counted>(&alive);
    right = right && alive == 1 && a.sole();
    auto b = a;
    right = right && a == b && !a.sole() && a->count == 2;
    auto c = std::move(b);
    right = right && !b && c == a && a->count == 2;
    const auto& self = c;
    c = self;
    right = right && a->count == 2;
    c = make_handle<counted>(&alive);
    right = right && alive == 2 && a.sole() && c != a;
    a = c;
    right = right && alive == 1 && a->count == 2;
    a = {};
    right = right && !a && c.sole();
  }
  return right && alive == 0;
}

constexpr auto converts() -> bool {
  int alive = 0;
  {
    const auto a = make_handle<special>(&alive);
    const handle<counted> b = a;
    const handle<const counted> c = b;
    if (a->count != 3 || c.get() != a.get() || a->n != 7) return false;
  }
  return alive == 0;  // the destructor of the derived class ran
}

}  // namespace

TEST_CASE("the last handle destroys, in a constant expression too") {
  STATIC_REQUIRE(counts());
  CHECK(counts());
}

TEST_CASE("a handle converts to a handle of a base") {
  STATIC_REQUIRE(converts());
  CHECK(converts());
  STATIC_REQUIRE(!std::is_convertible_v<handle<counted>, handle<special>>);
  STATIC_REQUIRE(!std::is_convertible_v<handle<const counted>, handle<counted>>);
}

TEST_CASE("a handle of nothing") {
  constexpr handle<counted> none;
  STATIC_REQUIRE(!none);
  STATIC_REQUIRE(none.get() == nullptr);
  STATIC_REQUIRE(none == handle<counted>(nullptr));
}
