#include "check.hpp"

namespace koila::test {

// Times x, since the squares that the tests sum up hardly depend on it otherwise.
TEST_CASE("instance_norm") {
  const auto f = [](const auto& x, const auto& w, const auto& b) { return mul(x, instance_norm(x, w, b)); };
  const auto g = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    return x * at::instance_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
  };
  for (const auto n : {1, 3, 8}) check(f, g, per_sample(normal({n, 2, 7})), whole(normal({2})), whole(normal({2})));
  check(f, g, per_sample(normal({2, 3, 7}), 2), whole(normal({3})), whole(normal({3})));
  check(f, g, per_sample(normal({3, 2, 2, 5})), whole(normal({2})), whole(normal({2})));
  check([](const auto& x) { return mul(x, instance_norm(x, eps = 0.1)); },
        [](const at::Tensor& x) { return x * at::instance_norm(x, {}, {}, {}, {}, true, 0.1, 0.1, false); },
        per_sample(normal({3, 5, 7}), 1));
  for (const bool own : {true, false})
    check(
        ask{.quotients = false},  // no gradient goes to the running statistics
        [=](const auto& x, const auto& w, const auto& b, const auto& mean, const auto& var) {
          return mul(x, instance_norm(x, w, b, mean, var, use_input_stats = own));
        },
        [=](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, const at::Tensor& mean, const at::Tensor& var) {
          return x * at::instance_norm(x, w, b, mean.detach().clone(), var.detach().clone(), own, 0.1, 1e-5, false);
        },
        per_sample(normal({5, 3, 7})), whole(normal({3})), whole(normal({3})), whole(normal({3})), whole(positive({3})));

  STATIC_REQUIRE(!Accepts<struct instance_norm, shape<batch, 3, 4>, decltype(kernel_size = 1_c)>);
  const input<any, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3, 4}), four = at::rand({4});
  refused([&] { run(instance_norm(x, four, four), x = t); },
          "instance_norm: [2, 3, 4] x [4] x [4]: the weight is not one number per channel");
}

}  // namespace koila::test
