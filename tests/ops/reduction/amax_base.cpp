// SPDX-License-Identifier: MIT
#include <koila/ops/reduction/amax.hpp>

namespace koila::test::extreme_family {

using namespace detail;

constexpr auto over(index_t d) -> reduction_attributes {
  reduction_attributes a;
  a.dim.assign(d);
  return a;
}
constexpr dims x({extent{3}, extent{0}}, int64);
static_assert(rules::reduce_some(x, over(0), int64).out == dims({extent{0}}, int64));
static_assert(rules::reduce_some(x, over(1), int64).reason == reason::nothing_to_reduce);
static_assert(rules::reduce_some(x, {}, int64).reason == reason::nothing_to_reduce);
static_assert(rules::reduce_some(x, over(2), int64).reason == reason::dimension_out_of_range);
using largest_op = std::remove_const_t<decltype(koila::amax)>;
constexpr value samples{dims({extent{5}, extent{2}}, float32), samples_along(0)};
static_assert(largest_op::flow(samples, dims({extent{2}}, float32), over(0)).out == partial(monoid::max));
static_assert(largest_op::flow(samples, dims({extent{5}}, float32), over(1)).out == samples_along(0));

}  // namespace koila::test::extreme_family
