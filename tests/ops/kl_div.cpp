#include "check_loss.hpp"

namespace koila::test {

TEST_CASE("kl_div") {
  for (const bool logarithms : {false, true}) {
    const auto f = [=](auto choice, const auto& x, const auto& y) {
      return kl_div(x, y, log_target = logarithms, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
      return at::kl_div(x, y, reduction, logarithms);
    };
    for (const auto& s : loss_sizes()) {
      const operand x = per_sample(normal(s.sizes), s.batch), y = per_sample(positive(s.sizes), s.batch);
      check_reductions({}, f, g, x, y);
      check([=](const auto& x, const auto& y) { return kl_div(x, y, log_target = logarithms, reduction = kBatchMean); },
            [=](const at::Tensor& x, const at::Tensor& y) {
              return at::kl_div(x, y, at::Reduction::Sum, logarithms) / x.size(0);
            },
            x, y);
    }
    check_reductions({}, f, g, per_sample(normal({5, 3})), whole(positive({3})));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, positive({5, 4}).to(at::kFloat)});
    const at::Tensor zeros = at::zeros({4}), odd = at::tensor({0.0F, 1.0F, NAN, INFINITY});
    same(f(kNone, zeros, odd), g(at::Reduction::None, zeros, odd));
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2});
  refused([&] { kl_div(s, t); }, "kl_div: [2, 3] x [2]: not broadcastable");
  STATIC_REQUIRE(!Accepts<struct kl_div, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
  STATIC_REQUIRE(!Accepts<struct kl_div, shape<>, shape<>, decltype(reduction = kBatchMean)>);
}

}  // namespace koila::test
