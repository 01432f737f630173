// SPDX-License-Identifier: MIT
#include <koila/ops/pooling/lp_pool1d.hpp>

namespace koila::test::lp_pool_family {

using namespace detail;

constexpr dims x({extent{-1, axis_name<struct batch>}, extent{4}, extent{7}}, float32);
constexpr auto rule(const dims& d, auto... as) -> verdict {
  return lp_pool1d.rule(d, attributes_from<struct lp_pool1d>(as...));
}
static_assert(rule(x, 2, 2).out == dims({x[0], extent{4}, extent{3}}, float32));
static_assert(rule(x, 2.5, 2, ceil_mode = true).out == dims({x[0], extent{4}, extent{4}}, float32));
static_assert(rule(x, 0, 3, 1).out == dims({x[0], extent{4}, extent{5}}, float32));
static_assert(rule(x.with(int64), 2, 2).out.type == float32);
static_assert(rule(x.with(dtype::unknown), 2, 2).out.type == dtype::unknown);
// The power may be unknown at compile time, but not missing.
static_assert(rule(x, attr<double>(0, false), 2).accepted());
static_assert(rule(x).reason == reason::no_number_given);
static_assert(rule(x, kernel_size = 2).reason == reason::no_number_given);
static_assert(rule(x, 2).reason == reason::dims_are_not_all_given);
static_assert(rule(x.with(float16), 1e5, 2).reason == reason::number_out_of_range);
static_assert(rule(x.with(float16), 1e-5, 2).reason == reason::number_out_of_range);

}  // namespace koila::test::lp_pool_family
