#include "check.hpp"

#include <ATen/ops/cat.h>

namespace koila::test {

TEST_CASE("masked_attention_backward") {
  // The formulas, which LibTorch's autograd differentiates once more.
  const auto formulas = [](const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                           const at::Tensor& v, const at::Tensor& mask) {
    at::Tensor s = q.matmul(k.mT()) * 0.6;
    s = mask.scalar_type() == at::kBool ? s.masked_fill(mask.logical_not(), -INFINITY) : s + mask;
    const at::Tensor p = s.softmax(-1), t = p * (dy.matmul(v.mT()) - (dy * y).sum(-1, true)) * 0.6;
    const std::int64_t e = q.size(-1), w = v.size(-1), width = std::max(e, w);
    return at::cat({at::constant_pad_nd(t.matmul(k), {0, width - e}), at::constant_pad_nd(t.mT().matmul(q), {0, width - e}),
                    at::constant_pad_nd(p.mT().matmul(dy), {0, width - w})},
                   -2);
  };
  const auto plain = [](const auto&... x) { return masked_attention_backward(x..., scale = 0.6); };
  at::Tensor hides = normal({5, 4, 5}) > 0;
  hides.select(2, 0).fill_(true);
  for (const auto n : {1, 3, 5})
    for (const operand& mask : {per_sample(hides.narrow(0, 0, n)), per_sample(normal({n, 1, 5})), whole(normal({4, 5}))})
      check(plain, formulas, per_sample(normal({n, 4, 2})), per_sample(normal({n, 4, 2})), per_sample(normal({n, 4, 3})),
            per_sample(normal({n, 5, 3})), per_sample(normal({n, 5, 2})), mask);
  check(plain, formulas, per_sample(normal({2, 3, 4, 4}), 1), per_sample(normal({2, 3, 4, 4}), 1),
        per_sample(normal({2, 3, 4, 3}), 1), per_sample(normal({2, 3, 5, 3}), 1), per_sample(normal({2, 3, 5, 4}), 1),
        per_sample(normal({3, 4, 5})));

  // Of nothing, zeros.
  const auto zeros = [](const at::Tensor&, const at::Tensor&, const at::Tensor& q, const at::Tensor& k, const at::Tensor&,
                        const at::Tensor&) {
    return at::zeros({q.size(0), q.size(1) + 2 * k.size(1), q.size(2)}, q.options());
  };
  for (const auto& [l, s] : {std::pair{0, 3}, {3, 0}})
    check(ask{.gradients = false}, plain, zeros, per_sample(normal({2, l, 2})), per_sample(normal({2, l, 2})),
          per_sample(normal({2, l, 2})), per_sample(normal({2, s, 2})), per_sample(normal({2, s, 2})), whole(normal({l, s})));

  const at::Tensor x = at::rand({2, 4, 3}), narrow = at::rand({2, 4, 2}), mask = at::rand({4, 4});
  const std::string name = "masked_attention_backward: ";
  refused([&] { masked_attention_backward(narrow, x, x, x, x, mask); },
          name + "[2, 4, 2] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [4, 4]: shapes differ");
  refused([&] { masked_attention_backward(x, x, x, x, x, narrow); },
          name + "[2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 3] x [2, 4, 2]: not broadcastable");
}

}  // namespace koila::test
