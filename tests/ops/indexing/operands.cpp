// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/operands.hpp>

namespace koila::test {

using namespace detail;

static_assert(detail::is_operand_list<std::tuple<input<batch>, input<3>>>);
static_assert(detail::is_operand_list<std::array<at::Tensor, 3>>);
static_assert(!detail::is_operand_list<std::tuple<int>>);
static_assert(detail::dims_and<dim_attribute, dims, dims, dim_attribute>);
static_assert(!detail::dims_and<dim_attribute, dims, dims>);
static_assert(!detail::dims_and<dim_attribute, dim_attribute>);

}  // namespace koila::test
