// SPDX-License-Identifier: MIT
#include <koila/ops/convolution/conv2d.hpp>
#include <koila/ops/convolution/conv_transpose2d.hpp>

namespace koila::test::conv_family {

using namespace detail;

using detail_conv = std::remove_const_t<decltype(koila::conv2d)>;
using detail_transpose = std::remove_const_t<decltype(koila::conv_transpose2d)>;
constexpr value images{dims({extent{5, "koila::batch"}, extent{3}, extent{8}, extent{8}}, float32), samples_along(0)};
constexpr value kernels{dims({extent{4}, extent{3}, extent{3}, extent{3}}, float32), {}};
constexpr dims result({extent{5}, extent{4}, extent{6}, extent{6}}, float32);
static_assert(detail_conv::flow(images, kernels, result, {}).out == samples_along(0));
static_assert(detail_conv::flow(images, kernels, result, {}).operand[1].kind == need::whole);
static_assert(detail_conv::rule(images.dims, kernels.dims, conv_attributes{}).out[-1].n == 6);
static_assert(detail_conv::fan_in(images.dims, kernels.dims, {}) == 27);
static_assert(detail_conv::required_layout(0, images.dims) == layout::dense);
static_assert(detail_transpose::rule(images.dims, dims({extent{3}, extent{4}, extent{3}, extent{3}}, float32),
                                     conv_transpose_attributes{})
                  .out[-1]
                  .n == 10);

}  // namespace koila::test::conv_family
