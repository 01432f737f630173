// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("instance_norm") {
  // The result is multiplied by x. Otherwise the sum of squares, which the gradient check uses as
  // its loss, would hardly depend on x.
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
        ask{.quotients = false},  // the running statistics get no gradient
        [=](const auto& x, const auto& w, const auto& b, const auto& mean, const auto& var) {
          return mul(x, instance_norm(x, w, b, mean, var, use_input_stats = own));
        },
        [=](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, const at::Tensor& mean,
            const at::Tensor& var) {
          return x * at::instance_norm(x, w, b, mean.detach().clone(), var.detach().clone(), own, 0.1, 1e-5, false);
        },
        per_sample(normal({5, 3, 7})), whole(normal({3})), whole(normal({3})), whole(normal({3})),
        whole(positive({3})));

  const input<any, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3, 4}), four = at::rand({4});
  refused([&] { run(instance_norm(x, four, four), x = t); },
          "instance_norm: [2, 3, 4] x [4] x [4]: the weight is not one number per channel");
}

namespace {

/// Compares a run, two training steps and an eager call with LibTorch's operator on the same
/// values. All of them update the running statistics.
template <dtype T>
void updates_statistics(const auto& x, const at::Tensor& values) {
  const at::Tensor t = values.to(scalar_type(T)), w = positive({3}).to(t),
                   b = normal({3}).to(t);  // (samples, 3, ...), (3)
  for (const index_t chunk : {0, 1, 2}) {
    CAPTURE(t.sizes(), chunk);
    const buffer<T, 3> mean{"mean"}, var{"var"};
    const parameter<T, 3> scale{"scale"};
    const at::Tensor m = normal({3}).to(t), v = positive({3}).to(t);  // (3), (3)
    set(mean, m.clone()), set(var, v.clone()), set(scale, w);  // LibTorch writes to m and v
    const auto now = [&] { return at::instance_norm(t, w, b, m, v, true, 0.3, 1e-5, false); };
    const auto follows = [&] {
      same(tensor_of(mean), m, T == float64);
      same(tensor_of(var), v, T == float64);
    };
    const auto y = instance_norm(x, scale, b, mean, var, momentum = 0.3);
    same(run(y, {.chunk = chunk}, x = t), now(), T == float64);
    follows();
    auto train = step(sum(y), sgd{.lr = 0}, {.chunk = chunk});
    for (int k = 0; k < 2; ++k) (void)train(x = t), (void)now();
    follows();
    same(instance_norm(t, w, b, mean, var, momentum = 0.3), now(), T == float64);
    follows();
    (void)run(instance_norm(x, scale, b, mean, var, use_input_stats = false), {.chunk = chunk}, x = t);
    follows();
  }
}

}  // namespace

TEST_CASE("instance_norm moves running statistics that are buffers, by all samples in whatever chunks") {
  updates_statistics<float64>(input<float64, batch, 3, any>{"x"}, normal({5, 3, 7}));
  updates_statistics<float64>(input<float64, batch, 3, any>{"x"}, normal({1, 3, 4}));
  updates_statistics<float32>(input<batch, 3, any>{"x"}, normal({5, 3, 7}) + 2);
  updates_statistics<float64>(input<float64, batch, 3, any, any>{"x"}, normal({4, 3, 2, 5}));
}

TEST_CASE("trials H: instance_norm refuses one value per channel, which has no unbiased variance to move to") {
  const at::Tensor v = positive({3});
  const buffer<float64, 3> mean{"mean"}, var{"var"};
  set(mean, normal({3})), set(var, v.clone());
  const input<float64, batch, 3> x{"x"};
  const input<float64, batch, 3, any> y{"y"};
  const at::Tensor one = normal({5, 3}), also_one = normal({5, 3, 1});  // (samples, 3), (samples, 3, 1)
  STATIC_REQUIRE(!Accepts<struct instance_norm, shape<batch, 3>, shape<3>, shape<3>, shape<3>, shape<3>>);
  refused(
      [&] { run(instance_norm(y, 1, 0, mean, var), y = also_one); },
      "instance_norm: float64[batch=5, 3, 1] x [] x [] x float64[3] x float64[3]: training needs more than one value "
      "per channel");
  CHECK_THROWS_AS(instance_norm(one, 1, 0, v, v), shape_error);
  same(tensor_of(var), v);
  // One value is enough without training, or without running statistics.
  same(run(instance_norm(x, 1, 0, mean, var, use_input_stats = false), x = one),
       at::instance_norm(one, {}, {}, tensor_of(mean), v, false, 0.1, 1e-5, false));
  same(run(instance_norm(x), x = one), at::zeros({5, 3}, at::kDouble));
}

}  // namespace koila::test
