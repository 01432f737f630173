// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/cat.h>

namespace koila::test {

TEST_CASE("attention_backward") {
  // LibTorch's autograd differentiates the formulas a second time.
  const auto formulas = [](bool causal, double c) {
    return
        [=](const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
          at::Tensor s = q.matmul(k.mT()) * c;
          if (causal) s = s.masked_fill(at::ones({s.size(-2), s.size(-1)}, at::kBool).triu(1), -INFINITY);
          const at::Tensor p = s.softmax(-1), t = p * (dy.matmul(v.mT()) - (dy * y).sum(-1, true)) * c;
          const std::int64_t e = q.size(-1), w = v.size(-1), width = std::max(e, w);
          return at::cat(
              {at::constant_pad_nd(t.matmul(k), {0, width - e}), at::constant_pad_nd(t.mT().matmul(q), {0, width - e}),
               at::constant_pad_nd(p.mT().matmul(dy), {0, width - w})},
              -2);
        };
  };
  const auto plain = [](const auto&... x) { return attention_backward(x..., scale = 0.6); };
  for (const auto n : {0, 1, 3, 5})
    check(plain, formulas(false, 0.6), per_sample(normal({n, 4, 2})), per_sample(normal({n, 4, 2})),
          per_sample(normal({n, 4, 3})), per_sample(normal({n, 5, 3})), per_sample(normal({n, 5, 2})));
  check(plain, formulas(false, 0.6), per_sample(normal({2, 3, 4, 4}), 1), per_sample(normal({2, 3, 4, 4}), 1),
        per_sample(normal({2, 3, 4, 3}), 1), per_sample(normal({2, 3, 5, 3}), 1), per_sample(normal({2, 3, 5, 4}), 1));
  // Only the queries have samples.
  check(plain, formulas(false, 0.6), per_sample(normal({2, 3, 2}), 1), per_sample(normal({2, 3, 2}), 1),
        per_sample(normal({2, 3, 2}), 1), whole(normal({2, 4, 2})), whole(normal({2, 4, 2})));
  for (const int keys : {2, 4, 6})
    check([](const auto&... x) { return attention_backward(x..., is_causal = true); }, formulas(true, 0.5),
          per_sample(normal({3, 4, 2})), per_sample(normal({3, 4, 2})), per_sample(normal({3, 4, 4})),
          per_sample(normal({3, keys, 4})), per_sample(normal({3, keys, 2})));

  // The gradients of empty operands are zeros.
  const auto zeros = [](const at::Tensor&, const at::Tensor&, const at::Tensor& q, const at::Tensor& k,
                        const at::Tensor&) {
    return at::zeros({q.size(0), q.size(1) + 2 * k.size(1), q.size(2)}, q.options());
  };
  for (const auto& [l, s] : {std::pair{0, 3}, {3, 0}})
    check(ask{.gradients = false}, plain, zeros, per_sample(normal({2, l, 2})), per_sample(normal({2, l, 2})),
          per_sample(normal({2, l, 2})), per_sample(normal({2, s, 2})), per_sample(normal({2, s, 2})));

  STATIC_REQUIRE(shape_t<decltype(attention_backward(input<batch, 4, 2>{}, input<batch, 4, 2>{}, input<batch, 4, 3>{},
                                                     input<batch, 5, 3>{}, input<batch, 5, 2>{}))>::value.e[1]
                     .n == 14);
  STATIC_REQUIRE(!Accepts<struct attention_backward, shape<batch, 4, 2>, shape<batch, 3, 2>, shape<batch, 4, 3>,
                          shape<batch, 5, 3>, shape<batch, 5, 2>>);
  const at::Tensor x = at::rand({2, 4, 3}), narrow = at::rand({2, 4, 2});
  refused([&] { attention_backward(narrow, x, x, x, x); },
          "attention_backward: [2, 4, 2] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3]: shapes differ");
  const at::Tensor wide = x.to(at::kDouble);
  refused([&] { attention_backward(x, wide, x, x, x); },
          "attention_backward: [2, 4, 3] x float64[2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3]: dtypes differ");
}

TEST_CASE("attention_backward with a mask") {
  // LibTorch's autograd differentiates the formulas a second time.
  const auto formulas = [](const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                           const at::Tensor& v, const at::Tensor& mask) {
    at::Tensor s = q.matmul(k.mT()) * 0.6;
    s = mask.scalar_type() == at::kBool ? s.masked_fill(mask.logical_not(), -INFINITY) : s + mask;
    const at::Tensor p = s.softmax(-1), t = p * (dy.matmul(v.mT()) - (dy * y).sum(-1, true)) * 0.6;
    const std::int64_t e = q.size(-1), w = v.size(-1), width = std::max(e, w);
    return at::cat(
        {at::constant_pad_nd(t.matmul(k), {0, width - e}), at::constant_pad_nd(t.mT().matmul(q), {0, width - e}),
         at::constant_pad_nd(p.mT().matmul(dy), {0, width - w})},
        -2);
  };
  const auto plain = [](const auto&... x) { return attention_backward(x..., scale = 0.6); };
  at::Tensor hides = normal({5, 4, 5}) > 0;
  hides.select(2, 0).fill_(true);
  for (const auto n : {1, 3, 5})
    for (const operand& mask :
         {per_sample(hides.narrow(0, 0, n)), per_sample(normal({n, 1, 5})), whole(normal({4, 5}))})
      check(plain, formulas, per_sample(normal({n, 4, 2})), per_sample(normal({n, 4, 2})),
            per_sample(normal({n, 4, 3})), per_sample(normal({n, 5, 3})), per_sample(normal({n, 5, 2})), mask);
  check(plain, formulas, per_sample(normal({2, 3, 4, 4}), 1), per_sample(normal({2, 3, 4, 4}), 1),
        per_sample(normal({2, 3, 4, 3}), 1), per_sample(normal({2, 3, 5, 3}), 1), per_sample(normal({2, 3, 5, 4}), 1),
        per_sample(normal({3, 4, 5})));

  // The gradients of empty operands are zeros.
  const auto zeros = [](const at::Tensor&, const at::Tensor&, const at::Tensor& q, const at::Tensor& k,
                        const at::Tensor&, const at::Tensor&) {
    return at::zeros({q.size(0), q.size(1) + 2 * k.size(1), q.size(2)}, q.options());
  };
  for (const auto& [l, s] : {std::pair{0, 3}, {3, 0}})
    check(ask{.gradients = false}, plain, zeros, per_sample(normal({2, l, 2})), per_sample(normal({2, l, 2})),
          per_sample(normal({2, l, 2})), per_sample(normal({2, s, 2})), per_sample(normal({2, s, 2})),
          whole(normal({l, s})));

  const at::Tensor x = at::rand({2, 4, 3}), narrow = at::rand({2, 4, 2}), mask = at::rand({4, 4});
  const std::string name = "attention_backward: ";
  refused([&] { attention_backward(narrow, x, x, x, x, mask); },
          name + "[2, 4, 2] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [4, 4]: shapes differ");
  refused([&] { attention_backward(x, x, x, x, x, narrow); },
          name + "[2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 2]: not broadcastable");
}

}  // namespace koila::test
