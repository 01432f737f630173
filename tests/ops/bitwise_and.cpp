#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("bitwise_and") {
  const auto f = [](const auto& a, const auto& b) { return bitwise_and(a, b); };
  const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_and(a, b); };
  SECTION("broadcasting") {
    for (const auto type : {at::kBool, at::kLong})
      for (const auto& [a, b] : broadcasting_pairs(few, few))
        check(f, g, operand{a.value.to(type), a.batch}, operand{b.value.to(type), b.batch});
  }
  SECTION("the operator and numbers") {
    for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong}) {
      const bound x = leaf((few({5, 2}) + 3).to(type), 0);  // (samples, 2)
      compare({}, x.leaf & 3, f(x.value, 3), [](const auto& t) { return t[0] & 3; }, {x}, {});
      compare({}, 2 & x.leaf, f(2, x.value), [](const auto& t) { return t[0] & 2; }, {x}, {});
      compare({}, x.leaf & x.leaf, f(x.value, x.value), [](const auto& t) { return t[0] & t[0]; }, {x}, {});
    }
  }
  SECTION("dtypes") { check_promotion(f, g, {at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong}); }
  SECTION("shapes that the compiler knows") {
    check_typed(f, g, std::pair{input<int64, 4, batch>{}, few({4, 7}).to(at::kLong)},
                std::pair{input<int64, 4, 1>{}, few({4, 1}).to(at::kLong)});
  }
  SECTION("refused") {
    const at::Tensor s = at::rand({2, 3}), i = at::arange(4), j = at::arange(3);
    refused([&] { bitwise_and(s, i); }, "bitwise_and: [2, 3] x int64[4]: not of integers");
    refused([&] { bitwise_and(i, j); }, "bitwise_and: int64[4] x int64[3]: not broadcastable");
    STATIC_REQUIRE(!Accepts<struct bitwise_and, shape<batch, 3>, shape<int64, 3>>);
    STATIC_REQUIRE(!Accepts<struct bitwise_and, shape<int64, 3>, double>);
    STATIC_REQUIRE(!Accepts<struct bitwise_and, shape<int64, 3>, shape<int64, 3>, decltype(kernel_size = 1_c)>);
  }
}

}  // namespace koila::test
