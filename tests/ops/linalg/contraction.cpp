// SPDX-License-Identifier: MIT
#include <koila/ops/linalg/contraction.hpp>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("dims with labels") {
  constexpr auto labels_of = [](std::string_view s) {
    detail::labels out;
    for (const char c : s) out.push(c);
    return out;
  };
  constexpr auto spelt = [](const detail::labels& l, std::string_view s) {
    bool all = l.n == static_cast<int>(s.size());
    for (int i = 0; i < l.n && all; ++i) all = l.letter[i] == s[static_cast<std::size_t>(i)];
    return all;
  };
  using value = detail::labelled<int>;  // checks of dims do not read the value
  STATIC_REQUIRE(spelt(value::joined_labels(labels_of("ab"), labels_of(""), labels_of("c")), "abc"));
  STATIC_REQUIRE(spelt(detail::those(labels_of("abc"), [](int c) { return c != 'b'; }), "ac"));

  constexpr value v{0, dims({extent(2), extent(3), extent(5)}), labels_of("abc")};
  STATIC_REQUIRE(v.extent_of('b').n == 3);
  STATIC_REQUIRE(v.merged(1, 3).n == 15);
  STATIC_REQUIRE(v.merged(1, 3).open);
  STATIC_REQUIRE(v.merged(1, 2) == extent(3));
  value w = v;
  w.drop(1);
  CHECK(w.dims == dims({extent(2), extent(5)}));
  CHECK(spelt(w.names, "ac"));
}

}  // namespace koila::test
