// SPDX-License-Identifier: MIT
#include <koila/ops/creation/zeros.hpp>
#include <koila/ops/creation/zeros_like.hpp>

namespace koila::test::constants_family {

constexpr value samples{dims({extent{2}, extent{5}}, dtype::int64), samples_along(1)};
static_assert(zeros_like::flow(samples, samples.dims).out == samples_along(1));
static_assert(zeros_like::rule(samples.dims).out == samples.dims);
static_assert(zeros::rule({}).out == scalar(dtype::float32));
static_assert(detail::arity<struct zeros>() == 0, "all numbers of a call are sizes");

}  // namespace koila::test::constants_family
