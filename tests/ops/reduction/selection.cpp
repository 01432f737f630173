// SPDX-License-Identifier: MIT
#include <koila/ops/reduction/selection.hpp>

namespace koila::test::selection_family {

using namespace detail;

constexpr auto along(index_t d, bool keep = false) -> selection_attributes {
  selection_attributes a;
  a.dim.assign(d);
  a.keepdim = keep;
  return a;
}
constexpr value samples{dims({extent{5}, extent{2}}, float32), samples_along(0)};
static_assert(rules::selected(samples.dims, along(1), int64).out == dims({extent{5}}, int64));
static_assert(rules::selected(samples.dims, along(1, true), int64).out == dims({extent{5}, extent{1}}, int64));
static_assert(rules::selected(samples.dims, {}, int64).out == scalar(int64));
static_assert(rules::selected(samples.dims, along(2), int64).reason == reason::dimension_out_of_range);
static_assert(rules::selected(samples.dims.with(boolean), along(1), int64).reason == reason::no_rule_for_booleans);
static_assert(flows::whole_dim(samples, 1, false, samples.dims).out == samples_along(0));
static_assert(flows::whole_dim(samples, 0, false, samples.dims).operand[0].kind == need::whole);

}  // namespace koila::test::selection_family
