// SPDX-License-Identifier: MIT
#include "ops/check_multilabel.hpp"

namespace koila::test {

TEST_CASE("multilabel_margin") {
  const auto f = [](const auto& x, const auto& target) { return multilabel_margin(x, target); };
  const auto g = [](const at::Tensor& x, const at::Tensor& target) {
    const at::Tensor each = multilabel_margin_by_formula(x, target);
    same(each.detach(), at::multilabel_margin_loss(x.detach(), target, at::Reduction::None),
         x.scalar_type() == at::kDouble);
    return each;
  };
  for (const auto n : batches) check(f, g, per_sample(normal({n, 4})), per_sample(some_classes({n, 4})));
  check(f, g, whole(normal({4})), whole(some_classes({4})));
  check(f, g, whole(normal({5, 4})), whole(some_classes({5, 4})));
  check(f, g, per_sample(normal({4, 5}), 1), per_sample(some_classes({4, 5}), 1));
  check(f, g, per_sample(normal({5})), per_sample(some_classes({5})));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
              std::pair{input<int64, batch, 4>{}, some_classes({5, 4})});

  const at::Tensor x = at::rand({2, 3}), some = labels(6, 3).view({2, 3}), row = labels(3, 3), half = x.to(at::kHalf),
                   nothing = at::rand({2, 0}), no_classes = at::zeros({2, 0}, at::kLong);
  refused([&] { multilabel_margin(x, row); }, "multilabel_margin: [2, 3] x int64[3]: shapes differ");
  refused([&] { multilabel_margin(x, x); }, "multilabel_margin: [2, 3] x [2, 3]: the labels are not int64");
  refused([&] { multilabel_margin(half, some); },
          "multilabel_margin: float16[2, 3] x int64[2, 3]: no rule for these dtypes");
  refused([&] { multilabel_margin(nothing, no_classes); },
          "multilabel_margin: [2, 0] x int64[2, 0]: a dim without elements has no such value");
  CHECK_THROWS_AS(multilabel_margin(x, some + 3), c10::Error);
  STATIC_REQUIRE(!Accepts<struct multilabel_margin, shape<batch, 3>, shape<int64, batch>>);
}

}  // namespace koila::test
