// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/ops.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

TEST_CASE("what stands in an expression") {
  STATIC_REQUIRE((Expression<input<batch>> && Expression<number_leaf> && Expression<erased<batch>> &&
                  Expression<shared<input<batch>>>));
  STATIC_REQUIRE(
      (!Expression<int> && !Expression<at::Tensor> && !Expression<shape<batch>> && !Expression<const input<batch>&>));
  STATIC_REQUIRE((PlainTensor<at::Tensor> && !PlainTensor<input<batch>> && !PlainTensor<int>));
  STATIC_REQUIRE((Number<int> && Number<double> && Number<bool> && !Number<at::Tensor> && !Number<dtype>));
  STATIC_REQUIRE((Operand<int> && Operand<at::Tensor> && Operand<input<batch>> && !Operand<const char*>));
}

TEST_CASE("what is known of operands") {
  STATIC_REQUIRE(shape_t<at::Tensor>::value == dims());
  STATIC_REQUIRE(shape_t<input<batch, 3>>::value == shape<batch, 3>::value);
  STATIC_REQUIRE((shape_t<int>::value.number && shape_t<int>::value.type == int64 && shape_t<int>::value.rank == 0));
  STATIC_REQUIRE((shape_t<double>::value.type == float64 && shape_t<float>::value.type == float64));
  STATIC_REQUIRE(shape_t<bool>::value.type == boolean);
}

namespace {

template <class T>
concept truth = requires(const T& t) { t ? 1 : 0; };

}  // namespace

TEST_CASE("an expression becomes nothing by itself") {
  using expression = decltype(input<batch>{"x"} + 1);
  STATIC_REQUIRE(!std::is_convertible_v<expression, double>);
  STATIC_REQUIRE(!std::is_convertible_v<expression, bool>);
  STATIC_REQUIRE(!std::is_constructible_v<double, expression>);
  STATIC_REQUIRE(!truth<expression>);
}
