// SPDX-License-Identifier: MIT
#include <koila/ops/vision/padding.hpp>

namespace koila::test::padding_family {

using namespace detail;

constexpr pad_attributes around = [] {
  pad_attributes a;
  a.padding.assign(list_of(2, 1));
  a.mode = choice::reflect;
  return a;
}();
static_assert(around.source(1, 2, 0, 4) == 2 && around.source(1, 2, 2, 4) == 0 && around.source(1, 2, 6, 4) == 2);
static_assert(around.source(0, 2, 3, 4) == 3 && !around.pads(0, 2) && around.pads(1, 2));
static_assert(rules::padded(dims({extent{3}, extent{4}}), around).out == dims({extent{3}, extent{7}}));
static_assert(rules::padded(dims({extent{3}, extent{2}}), around).reason == reason::size_out_of_range);

}  // namespace koila::test::padding_family
