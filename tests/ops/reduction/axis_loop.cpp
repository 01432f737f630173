// SPDX-License-Identifier: MIT
#include <koila/ops/reduction/axis_loop.hpp>

namespace koila::test::lines_family {

using namespace detail;

constexpr auto along(index_t d) -> along_attributes {
  along_attributes a;
  a.dim.assign(d);
  return a;
}
constexpr value samples{dims({extent{5}, extent{2}}, float32), samples_along(0)};
static_assert(flows::on_axis(&samples, 1, along(1), samples.dims).out == samples_along(0));
static_assert(flows::on_axis(&samples, 1, along(-1), samples.dims).out == samples_along(0));
static_assert(flows::on_axis(&samples, 1, along(0), samples.dims).operand[0].kind == need::whole);
static_assert(flows::on_axis(&samples, 1, {}, samples.dims).operand[0].kind == need::whole);

}  // namespace koila::test::lines_family
