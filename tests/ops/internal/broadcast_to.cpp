// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("broadcast_to") {
  const auto to = [](std::vector<std::int64_t> sizes) {
    dims d = open_dims(static_cast<int>(sizes.size()));
    for (int i = 0; i < d.rank; ++i) d.e[i] = {sizes[static_cast<std::size_t>(i)], {}, true};
    const auto f = [=](const auto& x) {
      if constexpr (Expression<std::remove_cvref_t<decltype(x)>>) return broadcast_to(x, d);
      else return at::broadcast_to(x, sizes);
    };
    return std::pair{f, [=](const at::Tensor& x) { return at::broadcast_to(x, sizes); }};
  };
  const auto check_to = [&](std::vector<std::int64_t> sizes, const operand& x) {
    const auto [f, g] = to(sizes);
    check(f, g, x);
  };
  for (const auto n : batches) {
    check_to({4, n}, per_sample(normal({n})));
    check_to({4, n, 3}, per_sample(normal({n, 1})));
    check_to({n, 4}, per_sample(normal({n, 4})));
    check_to({2, n, 3}, per_sample(normal({1, n, 3}), 1));
    check_to({n, 3}, whole(normal({3})));
  }
  check_to({2, 3}, whole(normal({})));

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3});
  refused([&] { run(broadcast_to(x, dims({extent{4}, extent{3}})), x = t); },
          "broadcast_to: [2, 3]: not broadcastable");
}

}  // namespace koila::test
