// SPDX-License-Identifier: MIT
#include <koila/ops/indexing/index_remap.hpp>

namespace koila::test::moves_family {

constexpr value samples{dims({extent{2}, extent{5}}), samples_along(1)};
static_assert(flows::moved(samples, false, samples.dims).out == samples_along(1));
static_assert(flows::moved(samples, true, samples.dims).operand[0].kind == need::whole);

}  // namespace koila::test::moves_family
