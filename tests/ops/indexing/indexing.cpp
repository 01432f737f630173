// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/indexing.hpp>

namespace koila::test::indexing {

constexpr extent samples{-1, axis_name<struct batch>};
constexpr dims x({samples, extent{4}}), chosen({samples, extent{2}}, dtype::int64),
    fewer({extent{3}, extent{4}}, dtype::int64);
static_assert(rules::gathered(x, chosen, {.dim = 1}).accepted());
static_assert(rules::gathered(x, fewer, {.dim = 0}).accepted());
static_assert(rules::gathered(x, fewer, {.dim = 1}).reason == reason::shapes_differ, "an axis is no number");
static_assert(rules::gathered(x, x, {.dim = 1}).accepted(), "of a dtype that is not known");
static_assert(rules::gathered(x, x.with(dtype::int32), {.dim = 1}).reason == reason::index_is_not_integers);
static_assert(rules::gathered(fewer, dims({extent{2}, extent{9}}), {.dim = -1}).accepted());
static_assert(rules::gathered(fewer, dims({extent{5}, extent{9}}), {.dim = -1}).reason == reason::shapes_differ);

constexpr value both[] = {{dims({extent{5}, extent{4}}), samples_along(0)}, {dims({extent{5}, extent{2}}), {}}};
static_assert(flows::beside(both, 2, 1, both[1].dims).out == samples_along(0));
static_assert(flows::beside(both, 2, 1, both[1].dims).operand[1].kind == need::rows);
static_assert(flows::beside(both, 2, 0, both[1].dims).operand[0].kind == need::whole, "samples are chosen");

}  // namespace koila::test::indexing
