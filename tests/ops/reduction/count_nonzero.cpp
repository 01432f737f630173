// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("count_nonzero") {
  for (const auto& s : some_sizes(1)) {
    const operand x = per_sample(normal(s.sizes).round(), s.batch);
    check([](const auto& t) { return count_nonzero(t); }, [](const at::Tensor& t) { return at::count_nonzero(t); }, x);
    check([](const auto& t) { return count_nonzero(t, -1_c); },
          [](const at::Tensor& t) { return at::count_nonzero(t, at::IntArrayRef{-1}); }, x);
    check([](const auto& t) { return count_nonzero(t, dim = 0, keepdim = true); },
          [](const at::Tensor& t) { return at::count_nonzero(t, at::IntArrayRef{0}).unsqueeze(0); }, x);
  }
  check([](const auto& t) { return count_nonzero(t, list_of(0, 2)); },
        [](const at::Tensor& t) { return at::count_nonzero(t, at::IntArrayRef{0, 2}); },
        per_sample(normal({3, 5, 2}).round(), 1));
  for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
    const bound x = leaf(at::arange(12).view({4, 3}).remainder(3).to(type), 0);  // (samples, 3)
    compare({}, count_nonzero(x.leaf), count_nonzero(x.value), [](const auto& t) { return at::count_nonzero(t[0]); },
            {x}, {});
  }
  const at::Tensor odd = at::tensor({NAN, INFINITY, 0.0F, -0.0F});
  same(count_nonzero(odd), at::count_nonzero(odd));
  refused([&] { count_nonzero(odd, dim = 1); }, "count_nonzero: [4], dim 1: dimension out of range");
}

}  // namespace koila::test
