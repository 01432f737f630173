// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/slices.hpp>

namespace koila::test::slices {

using namespace detail;

static_assert(rules::start_of(-2, 5) == 3 && rules::start_of(5, 5) == 5 && rules::start_of(6, 5) == -1);
static_assert(rules::part_extent({-1, axis_name<struct batch>}, 2) == extent{2});
static_assert(rules::part_extent({5, axis_name<struct batch>}, 2) == extent{2, {}, true},
              "what an axis was cut from may be any number");

constexpr value samples{dims({extent{2}, extent{5}, extent{3}}), samples_along(1)};
static_assert(flows::part_flow(samples, 0, false).out == samples_along(1));
static_assert(flows::part_flow(samples, 0, true).out == samples_along(0));
static_assert(flows::part_flow(samples, 2, true).out == samples_along(1));
static_assert(flows::part_flow(samples, 1, true).out == batch_relation{});
static_assert(flows::part_flow(samples, 1, true).operand[0].kind == need::whole);

static_assert(part_layout(layout::dense, samples.dims, 0) == layout::dense);
static_assert(part_layout(layout::dense, samples.dims, 1) == layout::strided);
static_assert(part_layout(layout::dense, dims({extent{2}, extent{5}}), 1) == layout::matrix);

}  // namespace koila::test::slices
