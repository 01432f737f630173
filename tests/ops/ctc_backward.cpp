#include "check.hpp"

namespace koila::test {

TEST_CASE("ctc_backward") {
  const auto f = [](const auto& dy, const auto& x, const auto& target, const auto& lengths) {
    return ctc_backward(dy, x, target, lengths, lengths);
  };
  const auto g = [](const at::Tensor& dy, const at::Tensor& x, const at::Tensor& target, const at::Tensor& lengths) {
    const auto [loss, alpha] = at::_ctc_loss(x.contiguous(), target, lengths, lengths);
    return at::_ctc_loss_backward(dy, x.contiguous(), target, lengths, lengths, loss, alpha, 0);
  };
  for (const std::int64_t n : {1, 2, 9}) {
    const at::Tensor target = at::tensor({1, 2, 3}, at::kLong).expand({n, 3}).contiguous();  // (n, 3): no label twice in a row
    check(ask{.gradients = false}, f, g, per_sample(normal({n})), per_sample(normal({6, n, 4}).log_softmax(2), 1),
          per_sample(target), per_sample(at::full({n}, 3)));
  }
  STATIC_REQUIRE(!Accepts<struct ctc_backward, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
