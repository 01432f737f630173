// SPDX-License-Identifier: MIT
#include <koila/ops/common/definitions.hpp>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("dims as LibTorch's sizes") {
  const auto made = [](const dims& d) { return at::IntArrayRef(detail::sizes(d)).vec(); };
  CHECK(made(dims({extent(5), extent(0), extent(1)}, float32)) == std::vector<std::int64_t>{5, 0, 1});
  CHECK(made(dims({extent(7, axis_name<struct batch>)}, float32)) == std::vector<std::int64_t>{7});
  CHECK(made(scalar(float32)).empty());
  dims most = open_dims(dims::capacity, float32);
  for (int i = 0; i < most.rank; ++i) most.e[i] = extent{i + 1};
  CHECK(made(most) == std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("the elements of a tensor") {
  const at::Tensor t = at::arange(6).view({2, 3});
  CHECK(detail::data<std::int64_t>(t) == t.const_data_ptr());
  CHECK(detail::data<std::int64_t>(t)[5] == 5);
  CHECK(detail::data<std::int64_t>(t.select(0, 1))[0] == 3);  // points to the view's first element
  STATIC_REQUIRE(std::same_as<decltype(detail::data<float>(t)), const float*>);
}

}  // namespace koila::test
