// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("reshape") {
  SECTION("with the samples first, in the middle and last") {
    for (const auto n : batches) {
      const auto rows = [](const auto& x) { return reshape(x, batch, 6_c); };
      check(rows, [](const at::Tensor& x) { return at::reshape(x, {x.size(0), 6}); }, per_sample(normal({n, 2, 3})));
      check([=](const auto& x) { return reshape(x, n, 6); },
            [=](const at::Tensor& x) { return at::reshape(x, {n, 6}); }, per_sample(normal({n, 2, 3})));
      check([=](const auto& x) { return reshape(x, 3, n, 2); },
            [=](const at::Tensor& x) { return at::reshape(x, {3, n, 2}); }, per_sample(normal({3, n, 2, 1}), 1));
      check([=](const auto& x) { return reshape(x, 2, 2, n); },
            [=](const at::Tensor& x) { return at::reshape(x, {2, 2, n}); }, per_sample(normal({4, n}), 1));
      check([=](const auto& x) { return reshape(x, 4 * n); },
            [=](const at::Tensor& x) { return at::reshape(x, {4 * n}); }, per_sample(normal({4, n}), 1));
    }
  }
  SECTION("samples and other dims as one dim, and back") {
    const auto merged = [](const auto& x) { return reshape(x, -1_c, 3_c); };
    const auto want = [](const at::Tensor& x) { return at::reshape(x, {-1, 3}); };
    for (const auto n : batches) {
      check(merged, want, per_sample(normal({n, 2, 3})));
      check(merged, want, per_sample(normal({2, n, 3}), 1));
      check([=](const auto& x) { return reshape(softmax(reshape(x, -1, 3), 1_c), 2, n, 3); },
            [](const at::Tensor& x) { return at::softmax(x, -1); }, per_sample(normal({2, n, 3}), 1));
      check([=](const auto& x) { return mul(reshape(koila::exp(reshape(x, -1)), n, 2), x); },
            [](const at::Tensor& x) { return at::exp(x) * x; }, per_sample(normal({n, 2})));
    }
  }
  SECTION("after transpose, of parameters, of scalars") {
    for (const auto n : batches)
      check([=](const auto& x) { return reshape(transpose(x, 0, 1), 6 * n); },
            [=](const at::Tensor& x) { return at::reshape(at::transpose(x, 0, 1), {6 * n}); },
            per_sample(normal({n, 2, 3})));
    check([](const auto& x) { return reshape(x, 2, -1, 1); },
          [](const at::Tensor& x) { return at::reshape(x, {2, -1, 1}); }, whole(normal({3, 4})));
    check([](const auto& x) { return reshape(x, 1, 1); }, [](const at::Tensor& x) { return at::reshape(x, {1, 1}); },
          whole(normal({})));
    check_typed([](const auto& x) { return reshape(x, batch, 6_c); },
                [](const at::Tensor& x) { return at::reshape(x, {-1, 6}); },
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
    check_typed([](const auto& x) { return reshape(x, -1_c, 3_c); },
                [](const at::Tensor& x) { return at::reshape(x, {-1, 3}); },
                std::pair{input<2, batch, 3>{}, normal({2, 5, 3}).to(at::kFloat)});
  }
  SECTION("sizes as one list") {
    check_typed([](const auto& x) { return reshape(x, list_of(batch, 6_c)); },
                [](const at::Tensor& x) { return at::reshape(x, {-1, 6}); },
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)});
    check([](const auto& x) { return reshape(x, list_of(3, -1)); },
          [](const at::Tensor& x) { return at::reshape(x, {3, -1}); }, per_sample(normal({3, 5, 2}), 1));
    check([](const auto& x) { return reshape(x, list_of()); },
          [](const at::Tensor& x) { return x.reshape(at::IntArrayRef()); }, whole(normal({1, 1})));
    using list_of_three = decltype(list_of(batch, 3_c, -1_c));
    STATIC_REQUIRE(
        std::is_same_v<result_of<struct reshape, shape<any, any>, list_of_three>, shape_t<input<batch, 3, any>>>);
    STATIC_REQUIRE(!Accepts<struct reshape, shape<batch, 6>, decltype(list_of(batch, 4_c))>);
    const at::Tensor t = at::rand({2, 3});
    refused([&] { reshape(t, list_of(4, 2)); }, "reshape: [2, 3] to [4, 2]: the numbers of elements differ");
  }
  SECTION("an axis that the value has no more, or never had") {
    for (const auto n : batches)
      check([](const auto& x) { return reshape(relu(reshape(x, -1_c, 3_c)), batch, 2_c, 3_c); },
            [](const at::Tensor& x) { return at::relu(x); }, per_sample(normal({n, 2, 3})));
    check([](const auto& x) { return reshape(x, 2_c, batch); },
          [](const at::Tensor& x) { return at::reshape(x, {2, 3}); }, whole(normal({3, 2})));
    STATIC_REQUIRE(!Accepts<struct reshape, shape<7, 3>, struct batch, decltype(2_c)>);
    // The batch size is unknown at compile time, so the size for -1 cannot be inferred.
    STATIC_REQUIRE(!Accepts<struct reshape, shape<7, 3>, struct batch, decltype(-1_c)>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({3, 3});
    refused([&] { run(reshape(x, batch, 2_c), x = t); },
            "reshape: [3, 3] to [batch, 2]: the numbers of elements differ");
    refused([&] { run(reshape(x, batch, -1_c), x = t); }, "reshape: [3, 3] to [batch, ?]: one size at most may be -1");
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct reshape, shape<batch, 6>, std::remove_cv_t<decltype(kSame)>>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(reshape(x, 4, 2), x = t); }, "reshape: [2, 3] to [4, 2]: the numbers of elements differ");
    refused([&] { reshape(t, -1, 4); }, "reshape: [2, 3] to [?, 4]: the numbers of elements differ");
    refused([&] { run(reshape(x, -1, -1), x = t); }, "reshape: [2, 3] to [?, ?]: one size at most may be -1");
  }
}

}  // namespace koila::test
