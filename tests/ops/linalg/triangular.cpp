// SPDX-License-Identifier: MIT
#include <koila/ops/linalg/tril.hpp>

namespace koila::test::triangular_family {

constexpr value images{dims({extent{5}, extent{4}, extent{4}}), samples_along(0)},
    columns{images.dims, samples_along(2)};
static_assert(tril::flow(images, images.dims, {}).out == samples_along(0));
static_assert(tril::flow(columns, images.dims, {}).operand[0].kind == need::whole);
static_assert(tril::rule(dims({extent{3}}), {}).reason == reason::no_rule_for_these_ranks);

}  // namespace koila::test::triangular_family
