// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/scatter.hpp>

namespace koila::test::scattering_family {

constexpr extent samples{-1, axis_name<struct batch>};
constexpr dims x({samples, extent{4}}, dtype::float32), index({samples, extent{2}}, dtype::int64);
constexpr dims number = detail::number_shape<double>::value;
static_assert(scatter::rule(x, index, index.with(dtype::float32), {.dim = 1}).out == x);
static_assert(scatter::rule(x, index, number, {.dim = 1}).out == x);
static_assert(scatter::rule(x, index, index.with(dtype::float64), {.dim = 1}).reason == reason::dtypes_differ);
static_assert(scatter::rule(x, index, x, {.dim = 1}).reason == reason::shapes_differ);

}  // namespace koila::test::scattering_family
