// SPDX-License-Identifier: MIT
#include <koila/ops/reduction/sorting.hpp>

namespace koila::test::sorting_family {

using namespace detail;

constexpr auto best_of(index_t k, index_t d = -1) -> topk_attributes {
  topk_attributes a;
  a.k = k;
  a.dim = d;
  return a;
}
constexpr value samples{dims({extent{5}, extent{3}}, float32), samples_along(0)};
static_assert(rules::best(samples.dims, best_of(2), float32).out == dims({extent{5}, extent{2}}, float32));
static_assert(rules::best(samples.dims, best_of(4), float32).reason == reason::number_is_too_large);
static_assert(rules::best(samples.dims, best_of(-1), float32).reason == reason::size_out_of_range);
static_assert(rules::best(samples.dims, best_of(1, 2), float32).reason == reason::dimension_out_of_range);
static_assert(rules::best(samples.dims.with(boolean), best_of(1), boolean).reason == reason::no_rule_for_booleans);
static_assert(rules::ordered(samples.dims, {}, int64).out == samples.dims.with(int64));
static_assert(flows::ordered(samples, 1, samples.dims).out == samples_along(0));
static_assert(flows::ordered(samples, 0, samples.dims).operand[0].kind == need::whole);

}  // namespace koila::test::sorting_family
