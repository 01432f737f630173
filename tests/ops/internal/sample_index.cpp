// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("sample_index") {
  const auto f = [](const auto& x) { return sample_index(x); };
  const auto g = [](const at::Tensor& x) { return at::arange(x.size(0), at::kLong); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 3})));
    check(f, g, per_sample(normal({4, n}), 1));
    check([](const auto& x) { return sample_index(flatten(x, 0, 1)); },
          [](const at::Tensor& x) { return at::arange(x.size(0) * x.size(1), at::kLong); },
          per_sample(normal({n, 2, 3})));
  }
  check(f, g, whole(normal({3, 4})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const at::Tensor one = at::rand({});
  refused([&] { sample_index(one); }, "sample_index: []: no rule for these ranks");
}

}  // namespace koila::test
