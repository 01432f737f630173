// SPDX-License-Identifier: MIT
#include <koila/ops/vision/pixels.hpp>

namespace koila::test::pixels_family {

using namespace detail;

static_assert(rules::pixels(dims({extent{4}, extent{2}}), {}) == reason::no_rule_for_these_ranks);
static_assert(rules::pixels(open_dims(7), {}) == reason::too_many_dimensions);
static_assert(rules::pixels(open_dims(4), {.factor = 0}) == reason::size_out_of_range);
static_assert(rules::pixels(open_dims(4), {.factor = 2}) == reason::accepted);
static_assert(detail::with_last(open_dims(4), {extent{1}, extent{2}}) == dims({extent{}, extent{1}, extent{2}}));

}  // namespace koila::test::pixels_family
