#include <koila/ops/family/pixels.hpp>

namespace koila::test::pixels_family {

static_assert(rules::pixels(dims({extent{4}, extent{2}}), {}) == why::no_rule_for_these_ranks);
static_assert(rules::pixels(open_dims(7), {}) == why::too_many_dimensions);
static_assert(rules::pixels(open_dims(4), {.factor = 0}) == why::size_out_of_range);
static_assert(rules::pixels(open_dims(4), {.factor = 2}) == why::accepted);
static_assert(detail::with_last(open_dims(4), {extent{1}, extent{2}}) == dims({extent{}, extent{1}, extent{2}}));

}  // namespace koila::test::pixels_family
