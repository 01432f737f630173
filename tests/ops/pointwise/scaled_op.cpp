// SPDX-License-Identifier: MIT
#include <koila/ops/pointwise/addcmul.hpp>

namespace koila::test::scaled_family {

using namespace detail;

using op_type = std::remove_const_t<decltype(koila::addcmul)>;
static_assert(scaled_attributes{}.value.value == 1);
static_assert(attributes_from<op_type>(0.5).value.value == 0.5);
static_assert(attributes_from<op_type>(2_c).value.value == 2);

}  // namespace koila::test::scaled_family
