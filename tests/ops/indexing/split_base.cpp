// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/split_base.hpp>

namespace koila::test::parts_family {

static_assert(detail::static_extent<input<batch, 3>, decltype(-1_c)>() == 3);
static_assert(detail::static_extent<input<batch, 3>, decltype(0_c)>() == -1, "an axis");
static_assert(detail::static_extent<input<batch, 3>, int>() == -1, "a dim known at run time");
static_assert(detail::static_extent<input<batch, 3>, decltype(2_c)>() == -1);
static_assert(detail::dim_among()() == 0 && detail::dim_among(koila::dim = -1_c)() == -1);
static_assert(std::tuple_size_v<decltype(detail::tuple_of<3>([](auto i) { return i; }))> == 3);

}  // namespace koila::test::parts_family
