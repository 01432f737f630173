// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("wrap_index") {
  const auto f = [](const auto& i) { return wrap_index(i, 7); };
  const auto g = [](const at::Tensor& i) { return at::where(i < 0, i + 7, i); };
  for (const auto n : batches) {
    check({.gradients = false}, f, g, per_sample(labels(3 * n, 14).view({n, 3}) - 7));
    check({.gradients = false}, f, g, per_sample(labels(2 * n, 14).view({2, n}) - 7, 1));
  }
  check({.gradients = false}, f, g, whole(labels(1, 14)[0] - 7));
  check_typed(f, g, std::pair{input<int64, batch, 3>{}, labels(15, 14).view({5, 3}) - 7});

  const at::Tensor t = at::rand({2, 3}), beyond = at::full({2}, 7), before = at::full({2}, -8);
  out_of_range([&] { f(beyond); });
  out_of_range([&] { f(before); });
  refused([&] { f(t); }, "wrap_index: [2, 3] into 7: the index is not int64");
}

}  // namespace koila::test
