// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("index") {
  const auto f = [](const auto& x, const auto& i) { return koila::index(x, i); };
  const auto g = [](const at::Tensor& x, const at::Tensor& i) { return x.index({i}); };
  for (const auto n : batches) {
    check(f, g, whole(normal({7, 2})), per_sample(labels(n, 7)));
    // The words of each sample, selected by negative indices.
    check(f, g, whole(normal({7, 2, 2})), per_sample(labels(3 * n, 7).view({n, 3}) - 7));
    check(f, g, whole(normal({7})), per_sample(labels(2 * n, 7).view({2, n}), 1));
  }
  check(f, g, per_sample(normal({5, 2})), whole(labels(4, 5).view({2, 2})));
  check(f, g, per_sample(normal({5, 2})), whole(labels(1, 5)[0]));
  check_typed(f, g, std::pair{parameter<7, 2>{}, normal({7, 2}).to(at::kFloat)},
              std::pair{input<int64, batch, 3>{}, labels(15, 7).view({5, 3})});
  STATIC_REQUIRE(
      std::is_same_v<shape_t<decltype(f(parameter<7, 2>{}, input<int64, batch, 3>{}))>, shape_t<input<batch, 3, 2>>>);

  SECTION("several tensors of indices, which broadcast") {
    const auto f2 = [](const auto& x, const auto& i, const auto& j) { return koila::index(x, i, j); };
    const auto g2 = [](const at::Tensor& x, const at::Tensor& i, const at::Tensor& j) { return x.index({i, j}); };
    for (const auto n : batches) {
      check(f2, g2, whole(normal({7, 5})), per_sample(labels(n, 7)), per_sample(labels(n, 5) - 5));
      check(f2, g2, whole(normal({7, 5, 2})), per_sample(labels(3 * n, 7).view({n, 3})), whole(labels(3, 5)));
      check(f2, g2, per_sample(normal({3, 4, n}), 2), whole(labels(2, 3)), whole(labels(2, 4).view({2, 1})));
      if (n > 0) check(f2, g2, per_sample(normal({n, 5})), per_sample(labels(n, n)), per_sample(labels(n, 5)));
    }
    const auto f3 = [](const auto& x, const auto& i, const auto& j, const auto& k) { return koila::index(x, i, j, k); };
    const auto g3 = [](const auto& x, const auto& i, const auto& j, const auto& k) { return x.index({i, j, k}); };
    check(f3, g3, whole(normal({3, 4, 2, 2})), per_sample(labels(5, 3)), whole(labels(1, 4) - 4),
          per_sample(labels(5, 2)));
    // Selects the score of each sample's label.
    check(
        [](const auto& x, const auto& label) { return koila::index(x, sample_index(x), label); },
        [](const at::Tensor& x, const at::Tensor& label) { return x.index({at::arange(x.size(0), at::kLong), label}); },
        per_sample(normal({8, 5})), per_sample(labels(8, 5)));
    const at::Tensor t = at::rand({2, 3}), zero = at::zeros({2}, at::kLong);
    out_of_range([&] { koila::index(t, zero, zero + 3); });  // must not read the first element of the next row
    out_of_range([&] { koila::index(t, zero - 3, zero); });
    const at::Tensor three = at::zeros({3}, at::kLong);
    refused([&] { koila::index(t, zero, three); }, "index: [2, 3] x int64[2] x int64[3]: not broadcastable");
    refused([&] { koila::index(t, zero, zero, zero); },
            "index: [2, 3] x int64[2] x int64[2] x int64[2]: no rule for these ranks");
  }
  SECTION("masks") {
    for (const auto n : batches)
      for (const auto& [sizes, batch] :
           {std::pair{std::vector<std::int64_t>{n}, 0}, {{3, n}, 1}, {{n, 3}, 0}, {{3, 4, n}, 2}}) {
        const at::Tensor x = normal(sizes), row = normal({3}) > 0, all = normal(sizes) > 0;
        const auto with = [](const at::Tensor& mask) {
          return std::pair{[=](const auto& v) { return koila::index(v, mask); },
                           [=](const at::Tensor& v) { return v.index({mask}); }};
        };
        const auto [f_all, g_all] = with(all);
        check(f_all, g_all, per_sample(x, batch));
        const auto [f_row, g_row] = with(row);
        if (sizes[0] == 3) check(f_row, g_row, per_sample(x, batch));
      }
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3}), mask = at::ones({3}, at::kBool);
    const auto sentence = "index: [2, 3] x int64[3], mask 3: shapes differ";
    CHECK_THROWS_WITH(koila::index(t, mask), sentence);
    CHECK_THROWS_WITH(run(koila::index(x, mask), x = t), sentence);
    const input<boolean, any, any> m{"m"};
    STATIC_REQUIRE(verdict_of<struct ops::index, shape_t<decltype(x)>, shape_t<decltype(m)>>::value.reason ==
                   reason::mask_is_an_expression);
  }

  STATIC_REQUIRE(!Accepts<struct ops::index, shape<7, 2>, shape<batch>>);
  const at::Tensor t = at::rand({2, 3}), beyond = at::full({2}, 2);
  // The mask has two dims, so it replaces two dims of x by one dim of positions.
  const dims positions = open_dims(1, int64);
  struct ops::index::attributes of_mask{};
  of_mask.mask.e[of_mask.mask.n++] = 2;
  CHECK(ops::index::rule(open_dims(2, float32), positions, of_mask).accepted());
  CHECK(ops::index::rule(open_dims(2, float32), positions, positions, of_mask).reason ==
        reason::no_rule_for_these_ranks);
  refused([&] { koila::index(t, t); }, "index: [2, 3] x [2, 3]: the index is not int64");
  out_of_range([&] { koila::index(t, beyond); });
}

}  // namespace koila::test
