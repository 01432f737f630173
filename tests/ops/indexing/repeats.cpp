// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/repeats.hpp>

namespace koila::test::repeats_family {

using namespace detail;

constexpr repeat_attributes by = [] {
  repeat_attributes a;
  a.repeats.assign(list_of(2, 1, 3));
  return a;
}();
constexpr extent samples{-1, axis_name<struct batch>};
static_assert(rules::repeated(dims({samples, extent{4}}), by).out == dims({extent{2}, samples, extent{12}}));
static_assert(!rules::repeated(dims({extent{1}, samples, extent{4}, extent{2}}), by).accepted());
static_assert(rules::repeated(dims({samples, extent{4}, extent{2}}), by).out == dims({extent{}, extent{4}, extent{6}}));

}  // namespace koila::test::repeats_family
