#include "check_loss.hpp"

namespace koila::test {

TEST_CASE("smooth_l1_loss") {
  for (const double b : {1.0, 0.3, 0.0}) {
    const auto f = [=](auto choice, const auto& x, const auto& y) {
      return smooth_l1_loss(x, y, beta = b, reduction = choice);
    };
    const auto g = [=](std::int64_t reduction, const at::Tensor& x, const at::Tensor& y) {
      return b == 0 ? at::l1_loss(x, y, reduction) : at::smooth_l1_loss(x, y, reduction, b);
    };
    for (const auto& s : loss_sizes())
      check_reductions({}, f, g, per_sample(normal(s.sizes), s.batch), per_sample(normal(s.sizes), s.batch));
    check_reductions({}, f, g, per_sample(at::ones({3, 2}, at::kDouble)), per_sample(at::ones({3, 2}, at::kDouble)));
    check_reductions_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                           std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F, 1e30F}), one = at::ones({5});
    same(f(kNone, odd, one), g(at::Reduction::None, odd, one));
  }
  const at::Tensor s = at::rand({2, 3}), t = at::rand({2, 1});
  refused([&] { smooth_l1_loss(s, t); }, "smooth_l1_loss: [2, 3] x [2, 1]: shapes differ");
  refused([&] { smooth_l1_loss(s, s, beta = -1.0); }, "smooth_l1_loss: [2, 3] x [2, 3]: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct smooth_l1_loss, shape<batch, 3>, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
