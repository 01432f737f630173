// SPDX-License-Identifier: MIT
#include <koila/ops/vision/grid_sampling.hpp>

namespace koila::test::grid_sampling_family {

using namespace detail;

struct sampling {
  using attributes = grid_sample_attributes;
};
constexpr auto with(auto... as) -> grid_sample_attributes { return attributes_from<sampling>(as...); }
constexpr extent samples{-1, axis_name<struct batch>};
constexpr dims x({samples, extent{3}, extent{4}, extent{5}}, float32);
constexpr dims grid({samples, extent{6}, extent{7}, extent{2}}, float32);
constexpr dims y({samples, extent{3}, extent{6}, extent{7}}, float32);
static_assert(rules::grid_sampled(x, grid, with()).out == y);
static_assert(rules::grid_sampled(x, dims(float32), with()).out.rank == 4);
static_assert(rules::grid_sampled(dims(), grid, with()).out[2] == extent{6});
static_assert(rules::grid_sampled(x, grid, with(kBicubic, kReflection, true)).accepted());
static_assert(rules::grid_sampled(x, grid, with(kLinear)).reason == reason::not_an_expected_choice);
static_assert(rules::grid_sampled(x, grid, with(padding_mode = kReflect)).reason == reason::not_an_expected_choice);
static_assert(rules::grid_sampled(x, grid.with(float64), with()).reason == reason::dtypes_differ);
static_assert(rules::grid_sampled(x, x, with()).reason == reason::shapes_differ);
static_assert(rules::grid_sampled_in_float(x.with(float16), grid.with(float16), with()).reason ==
              reason::no_rule_for_these_dtypes);
static_assert(rules::grid_sampled_back(y, x, grid, grid, with()).out == grid);
static_assert(rules::grid_sampled_back(x, x, grid, grid, with()).reason == reason::shapes_differ);

// The samples of the batch along the channels, along the positions of the grid, and along the
// image.
constexpr dims image({extent{2}, extent{3}, extent{4}, extent{5}}, float32);
constexpr dims places({extent{2}, extent{6}, extent{7}, extent{2}}, float32);
constexpr dims made({extent{2}, extent{3}, extent{6}, extent{7}}, float32);
constexpr auto sampled(int of_image, int of_grid) -> relations {
  const auto along = [](int axis) { return axis < 0 ? batch_relation{} : samples_along(axis); };
  const value a{image, along(of_image)}, b{places, along(of_grid)};
  return flows::grid_sampled({{sampling_role::image, a}, {sampling_role::grid, b}}, sampling_role::sampled, made);
}
static_assert(sampled(0, 0).out == samples_along(0));
static_assert(sampled(1, -1).out == samples_along(1));
static_assert(sampled(1, -1).operand[1].kind == need::whole);
static_assert(sampled(-1, 2).out == samples_along(3));
static_assert(sampled(-1, 2).operand[0].kind == need::whole);
static_assert(sampled(2, -1).out == batch_relation{});
static_assert(sampled(2, -1).operand[0].kind == need::whole);
static_assert(sampled(2, 1).out == samples_along(2));
static_assert(sampled(-1, 3).operand[1].kind == need::whole);

}  // namespace koila::test::grid_sampling_family
