// SPDX-License-Identifier: MIT
#include <koila/ops/reduction/all.hpp>

namespace koila::test::truth_family {

using namespace detail;

using all_op = std::remove_const_t<decltype(koila::all)>;
constexpr dims x({extent{5}, extent{3}}, float32);
static_assert(all_op::rule(x, {}).out == scalar(boolean));
static_assert(all_op::rule(x.with(uint8), {}).out == scalar(uint8));
constexpr value samples{x, samples_along(0)};
static_assert(all_op::flow(samples, scalar(boolean), {}).out == partial(monoid::min));

}  // namespace koila::test::truth_family
