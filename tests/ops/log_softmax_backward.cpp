#include "check.hpp"

namespace koila::test {

TEST_CASE("log_softmax_backward") {
  for (const auto& s : some_sizes(1))
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& dy, const auto& y) { return log_softmax_backward(dy, y, dim = d); },
              [=](const at::Tensor& dy, const at::Tensor& y) {
                return at::_log_softmax_backward_data(dy, y, d, y.scalar_type());
              },
              per_sample(normal(s.sizes), s.batch), per_sample(at::log_softmax(normal(s.sizes), d), s.batch));
  const auto f = [](const auto& dy, const auto& y) { return log_softmax_backward(dy, y, -1_c); };
  const auto g = [](const at::Tensor& dy, const at::Tensor& y) {
    return at::_log_softmax_backward_data(dy, y, -1, y.scalar_type());
  };
  check(f, g, whole(normal({3, 4})), whole(at::log_softmax(normal({3, 4}), -1)));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)},
              std::pair{input<batch, 3>{}, at::log_softmax(normal({5, 3}), -1).to(at::kFloat)});

  const input<any, any> dy{"dy"}, y{"y"};
  const at::Tensor t = at::rand({2, 3}), u = at::rand({2, 4});
  refused([&] { run(log_softmax_backward(dy, y, dim = 2), dy = t, y = t); },
          "log_softmax_backward: [2, 3] x [2, 3], dim 2: dimension out of range");
  refused([&] { run(log_softmax_backward(dy, y, dim = 1), dy = t, y = u); },
          "log_softmax_backward: [2, 3] x [2, 4], dim 1: shapes differ");
}

}  // namespace koila::test
