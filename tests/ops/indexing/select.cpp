// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("select") {
  const auto f = [](int d, int i) { return [=](const auto& x) { return koila::select(x, d, i); }; };
  const auto g = [](int d, int i) { return [=](const at::Tensor& x) { return x.select(d, i); }; };
  for (const int position : {0, 1, 2})
    for (const int d : {0, 1, -1})
      for (const int i : {0, 1, -1}) {
        std::vector<std::int64_t> sizes{2, 3, 4};
        sizes[static_cast<std::size_t>(position)] = 5;
        check(f(d, i), g(d, i), per_sample(normal(sizes), position));
      }
  check(f(0, 2), g(0, 2), per_sample(normal({5})));
  check(f(1, 1), g(1, 1), per_sample(normal({0, 2})));
  check(f(1, 1), g(1, 1), whole(normal({3, 2})));
  for (const auto n : batches)  // the last state of a sequence of samples
    check([](const auto& x, const auto& w) { return mm(koila::select(relu(x), 1_c, -1_c), w); },
          [](const at::Tensor& x, const at::Tensor& w) { return x.relu().select(1, -1).mm(w); },
          per_sample(normal({n, 3, 2})), whole(normal({2, 4})));
  check_typed([](const auto& x) { return koila::select(x, 1_c, -2_c); }, g(1, -2),
              std::pair{input<batch, 4, 2>{}, normal({5, 4, 2}).to(at::kFloat)});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(koila::select(input<batch, 4, 2>{}, 1_c, -2_c))>, shape_t<input<batch, 2>>>);
  for (const auto type : {at::kBool, at::kLong, at::kHalf}) {
    const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type);
    same(koila::select(t, 1, 2), t.select(1, 2));
  }

  STATIC_REQUIRE(!Accepts<struct ops::select, shape<batch, 3>, decltype(1_c), decltype(3_c)>);
  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3});
  refused([&] { run(koila::select(x, 1, 3), x = t); }, "select: [2, 3], dim 1 at 3: a size is out of range");
  refused([&] { koila::select(t, -3, 0); }, "select: [2, 3], dim -3 at 0: dimension out of range");
  refused([&] { koila::select(t[0][0], 0, 0); }, "select: [], dim 0 at 0: no rule for these ranks");
}

}  // namespace koila::test
