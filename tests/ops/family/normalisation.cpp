#include <koila/ops/family/normalisation.hpp>

namespace koila::test::normalisation_family {

constexpr dims x({extent{5}, extent{3}, extent{4}}, float32), three({extent{3}}, float32), four({extent{4}}, float32);
static_assert(rules::normalised(x, four, {}).out == x);
static_assert(rules::normalised(x, three, {}).reason == why::normalized_shape_differs);
static_assert(rules::normalised(x, attr_list(4)).out == x);
static_assert(rules::normalised(x, attr_list(3)).reason == why::normalized_shape_differs);
static_assert(rules::normalised(x, four.with(float64), {}).reason == why::dtypes_differ);
static_assert(rules::channelled(x, three, three).out == x);
static_assert(rules::channelled(x, four).reason == why::weight_is_not_per_channel);
static_assert(rules::channelled(three).reason == why::no_rule_for_these_ranks);
static_assert(rules::channelled(x.with(int64)).reason == why::not_a_floating_type);
static_assert(koila::detail::dims_between(1, 3) == 0b110U && koila::detail::dims_between(2, 2) == 0);

}  // namespace koila::test::normalisation_family
