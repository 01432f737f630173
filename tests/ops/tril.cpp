#include "check.hpp"

namespace koila::test {

TEST_CASE("tril") {
  const auto f = [](auto... k) { return [=](const auto& x) { return tril(x, k...); }; };
  const auto g = [](std::int64_t k) { return [=](const at::Tensor& x) { return x.tril(k); }; };
  for (const auto n : batches) check(f(), g(0), per_sample(normal({n, 3, 4})));
  for (const int k : {-1, 0, 2}) {
    check(f(k), g(k), per_sample(normal({5, 3})));
    check(f(k), g(k), per_sample(normal({2, 3, 5}), 2));
    check(f(diagonal = k), g(k), whole(normal({3, 4})));
  }
  check_typed(f(1_c), g(1), std::pair{input<batch, 3, 3>{}, normal({5, 3, 3}).to(at::kFloat)});
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf})
    same(tril(at::ones({3, 4}, type)), at::ones({3, 4}, type).tril());
  same(tril(at::full({2, 2}, NAN)), at::full({2, 2}, NAN).tril());

  STATIC_REQUIRE(!Accepts<struct tril, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  const at::Tensor t = at::rand({2});
  refused([&] { tril(t); }, "tril: [2]: no rule for these ranks");
}

}  // namespace koila::test
