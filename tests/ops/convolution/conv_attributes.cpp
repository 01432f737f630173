// SPDX-License-Identifier: MIT
#include <koila/ops/convolution/conv_attributes.hpp>

namespace koila::test::conv_attributes_family {

using namespace detail;

constexpr conv_attributes plain;
static_assert(plain.stride[0].value == 1 && plain.padding[1].value == 0 && plain.dilation[2].value == 1 &&
              plain.groups.value == 1);
constexpr conv_transpose_attributes transposed;
static_assert(transposed.output_padding[0].value == 0 && transposed.stride[0].value == 1);
static_assert(conv_attributes{} == plain && conv_transpose_attributes{} == transposed);

}  // namespace koila::test::conv_attributes_family
