// SPDX-License-Identifier: MIT
// The behaviours of the Python package koila: shapes before a run, layers, a model, and some rows
// of the model's result.
#include "float32_bound.hpp"
#include "run/behaviours.hpp"

#include <koila/nn/nn.hpp>

using namespace koila;
using namespace ::test;

namespace {

template <index_t... D>
struct value_of {
  input<D...> leaf{"x"};
  at::Tensor tensor = at::randn({D...});
};

/// Checks that the result of an op has these dims: at compile time, in the plan, and after lazy and
/// eager runs.
template <index_t... D>
void gives(const auto& f, const auto&... x) {
  const auto y = f(x.leaf...);
  STATIC_REQUIRE(typed<decltype(y), D...>);
  const std::vector<index_t> want{D...};
  CHECK(planned(y, x.leaf = x.tensor...) == want);
  CHECK(run(y, x.leaf = x.tensor...).sizes() == at::IntArrayRef(want));
  CHECK(f(x.tensor...).sizes() == at::IntArrayRef(want));
}

}  // namespace

TEST_CASE("behaviours of the Python package: shapes before a run") {
  behaviours ran;

  ran("every pass", [] {  // the compiler checks each rule
    using image = shape<batch, 4, 8, 8>;
    using matrix = shape<batch, 4>;
    STATIC_REQUIRE(Accepts<struct positive, matrix>);                                                  // identity
    STATIC_REQUIRE(Accepts<struct add, matrix, matrix>);                                               // symmetric
    STATIC_REQUIRE(Accepts<struct sum, matrix, decltype(dim = 1_c)>);                                  // reduce_dims
    STATIC_REQUIRE(Accepts<struct permute, matrix, decltype(1_c), decltype(0_c)>);                     // permute
    STATIC_REQUIRE(Accepts<struct transpose, matrix, decltype(0_c), decltype(1_c)>);                   // transpose
    STATIC_REQUIRE(requires(const input<batch, 4>& x) { view(x, batch, 2_c, 2_c); });                  // view
    STATIC_REQUIRE(Accepts<struct reshape, matrix, struct batch, decltype(2_c), decltype(2_c)>);       // reshape
    STATIC_REQUIRE(Accepts<struct flatten, image, decltype(1_c)>);                                     // flatten
    STATIC_REQUIRE(Accepts<struct matmul, matrix, shape<4, 3>>);                                       // matmul
    STATIC_REQUIRE(Accepts<struct linear, matrix, shape<3, 4>, shape<3>>);                             // linear
    STATIC_REQUIRE(Accepts<struct cat, matrix, matrix, decltype(dim = 1_c)>);                          // cat
    STATIC_REQUIRE(Accepts<struct pad, matrix, decltype(list_of(1_c, 1_c))>);                             // pad
    STATIC_REQUIRE(Accepts<struct conv2d, image, shape<6, 4, 3, 3>>);                                  // conv
    STATIC_REQUIRE(Accepts<struct conv_transpose2d, image, shape<4, 6, 3, 3>>);  // conv_transpose
    STATIC_REQUIRE(Accepts<struct adaptive_avg_pool2d, image, decltype(2_c)>);  // pool
    STATIC_REQUIRE(Accepts<struct max_pool2d, image, decltype(2_c)>);  // maxpool
    STATIC_REQUIRE(Accepts<struct avg_pool2d, image, decltype(2_c)>);  // avgpool
  });
  ran("identity", [] {
    const auto f = [](const auto& x) { return koila::exp(x); };
    gives<1, 2, 3, 4, 5>(f, value_of<1, 2, 3, 4, 5>{});
    gives<4, 2, 5>(f, value_of<4, 2, 5>{});
    gives<17, 1, 4>(f, value_of<17, 1, 4>{});
  });
  ran("symmetric", [] {
    const auto f = [](const auto& a, const auto& b) { return add(a, b); };
    gives<2, 4, 5>(f, value_of<2, 4, 5>{}, value_of<>{});
    gives<2, 4, 5>(f, value_of<2, 4, 5>{}, value_of<2, 4, 5>{});
    gives<2, 4, 5>(f, value_of<2, 1, 5>{}, value_of<2, 4, 5>{});
    gives<2, 4, 5>(f, value_of<2, 1, 5>{}, value_of<2, 4, 1>{});
  });
  ran("reduce_dims", [] {
    gives<1, 3, 4, 5>([](const auto& x) { return sum(x, 1_c); }, value_of<1, 2, 3, 4, 5>{});
    gives<1, 2, 5>([](const auto& x) { return sum(x, list_of(2_c, 3_c)); }, value_of<1, 2, 3, 4, 5>{});
    gives<5, 2, 1, 1>([](const auto& x) { return sum(x, list_of(2_c, 3_c), keepdim = hana::true_c); },
                      value_of<5, 2, 3, 4>{});
  });
  ran("scalar", [] {
    const auto f = [](const auto& x) { return sum(x); };
    gives<>(f, value_of<5, 5, 2>{});
    gives<>(f, value_of<7, 8>{});
  });
  ran("matmul", [] {
    const auto f = [](const auto& a, const auto& b) { return matmul(a, b); };
    gives<>(f, value_of<8>{}, value_of<8>{});
    gives<8>(f, value_of<8, 3>{}, value_of<3>{});
    gives<3>(f, value_of<8>{}, value_of<8, 3>{});
    gives<4, 3>(f, value_of<4, 5>{}, value_of<5, 3>{});
    gives<9, 4, 3>(f, value_of<9, 4, 5>{}, value_of<9, 5, 3>{});
    gives<9, 4, 3>(f, value_of<9, 4, 5>{}, value_of<1, 5, 3>{});
    gives<9, 7, 4, 3>(f, value_of<9, 7, 4, 5>{}, value_of<1, 5, 3>{});
  });
  ran("transpose", [] { gives<3, 5, 4>([](const auto& x) { return transpose(x, 1_c, 2_c); }, value_of<3, 4, 5>{}); });
  ran("linear", [] {
    gives<7, 11, 17>([](const auto& x, const auto& w, const auto& b) { return linear(x, w, b); }, value_of<7, 11, 13>{},
                     value_of<17, 13>{}, value_of<17>{});
  });
  ran("cat", [] {
    gives<5, 3, 5>([](const auto& a, const auto& b) { return cat(a, b); }, value_of<2, 3, 5>{}, value_of<3, 3, 5>{});
    gives<2, 7, 5>([](const auto& a, const auto& b) { return cat(a, b, dim = 1_c); }, value_of<2, 3, 5>{},
                   value_of<2, 4, 5>{});
  });
  ran("loss", [] {
    const auto f = [](auto chosen) {
      return [=](const auto& a, const auto& b) { return mse_loss(a, b, reduction = chosen); };
    };
    gives<>([](const auto& a, const auto& b) { return mse_loss(a, b); }, value_of<2, 4, 5>{}, value_of<2, 4, 5>{});
    gives<>(f(kSum), value_of<2, 4, 5>{}, value_of<2, 4, 5>{});
    gives<2, 4, 5>(f(kNone), value_of<2, 4, 5>{}, value_of<2, 4, 5>{});
  });

  REQUIRE(ran.count() == of_shapes);
}

namespace {

/// Checks a layer: the shape at compile time, the results for the whole batch and in chunks of any
/// size, and the eager result.
template <auto... D>
void check_layer(const auto& net, const auto& x, const at::Tensor& t, const at::Tensor& want) {
  const auto y = net(x);
  STATIC_REQUIRE(typed<decltype(y), D...>);
  STATIC_REQUIRE(PlainTensor<decltype(net(t))>);
  CHECK(planned(y, x = t) == want.sizes().vec());
  for (const index_t chunk : chunks_of(t.size(0))) {
    CAPTURE(chunk);
    CHECK(relative_error(run(y, {.chunk = chunk}, x = t), want) <= float32_bound(100));
  }
  CHECK(relative_error(net(t), want) <= float32_bound(100));
}

const input<batch, 11, 13> line{"line"};
const input<batch, 11, 13, 14> plane{"plane"};
const input<batch, 11, 13, 14, 15> space{"space"};
struct images {
  at::Tensor line = at::randn({7, 11, 13}), plane = at::randn({7, 11, 13, 14}), space = at::randn({7, 11, 13, 14, 15});
};
constexpr nn::conv_options by_two{.stride = 2};

auto values_of(const auto& layer) -> std::pair<at::Tensor, at::Tensor> {
  return {tensor_of(layer.weight).detach(), tensor_of(layer.bias).detach()};
}

}  // namespace

TEST_CASE("behaviours of the Python package: layers") {
  at::manual_seed(33);
  behaviours ran;
  const images features;
  const at::Tensor rows = at::randn({7, 11});  // (samples, 11)
  const input<batch, 11> x{"x"};

  ran("linear layer", [&] {
    const nn::linear<13, 17> net;
    const auto [w, b] = values_of(net);
    check_layer<batch, 11, 17>(net, line, features.line, at::linear(features.line, w, b));
  });
  ran("batch norm layers", [&] {
    const auto check = [&]<auto... D>(const input<D...>& samples, const at::Tensor& t) {
      const nn::batch_norm<5> net;
      const at::Tensor mean = at::zeros({5}), var = at::ones({5});
      check_layer<D...>(net, samples, t,
                        at::batch_norm(t, at::ones({5}), at::zeros({5}), mean, var, true, 0.1, 1e-5, false));
      const nn::batch_norm<5> other;  // running statistics after one run in chunks
      (void)run(other(samples), {.chunk = 2}, samples = t);
      CHECK(relative_error(tensor_of(other.running_mean), mean) <= float32_bound(100));
      CHECK(relative_error(tensor_of(other.running_var), var) <= float32_bound(100));
    };
    check(input<batch, 5, 7>{}, at::randn({3, 5, 7}));
    check(input<batch, 5, 7, 11>{}, at::randn({3, 5, 7, 11}));
    check(input<batch, 5, 7, 11, 13>{}, at::randn({3, 5, 7, 11, 13}));
  });
  ran("layer norm layer", [&] {
    const nn::layer_norm<11, 13> net;
    check_layer<batch, 11, 13>(net, line, features.line,
                               at::layer_norm(features.line, {11, 13}, at::ones({11, 13}), at::zeros({11, 13})));
  });
  ran("dropout layer", [&] {
    const nn::dropout net{.p = 0.5};
    const auto y = net(x);
    STATIC_REQUIRE(typed<decltype(y), batch, 11>);
    manual_seed(4);
    const at::Tensor whole = run(y, {.chunk = 7}, x = rows), kept = whole.ne(0);
    CHECK(at::equal(whole, at::where(kept, rows * 2, 0.0F)));  // 0 and -0 count as equal
    CHECK(kept.any().item<bool>());
    CHECK(!kept.all().item<bool>());
    for (const index_t chunk : chunks_of(7)) {
      manual_seed(4);
      CHECK(identical(run(y, {.chunk = chunk}, x = rows), whole));
    }
    const at::Tensor at_once = net(rows);
    CHECK(at::equal(at_once, at::where(at_once.ne(0), rows * 2, 0.0F)));
    nn::dropout idle = net;
    idle.training = false;
    check_layer<batch, 11>(idle, x, rows, rows);
  });
  ran("relu layer", [&] { check_layer<batch, 11>(relu, x, rows, at::relu(rows)); });
  ran("leaky relu layer", [&] {
    const auto net = [](const auto& v) { return leaky_relu(v, negative_slope = 0.3); };
    check_layer<batch, 11>(net, x, rows, at::leaky_relu(rows, 0.3));
  });
  ran("sigmoid layer", [&] { check_layer<batch, 11>(sigmoid, x, rows, at::sigmoid(rows)); });
  ran("softmax layer", [&] {
    check_layer<batch, 11>([](const auto& v) { return softmax(v, dim = -1_c); }, x, rows, at::softmax(rows, -1));
  });
  ran("convolution layers", [&] {
    const nn::conv1d<11, 17, 3, by_two> one;
    const nn::conv2d<11, 17, 3, by_two> two;
    const nn::conv3d<11, 17, 3, by_two> three;
    const auto [w1, b1] = values_of(one);
    const auto [w2, b2] = values_of(two);
    const auto [w3, b3] = values_of(three);
    check_layer<batch, 17, 6>(one, line, features.line, at::conv1d(features.line, w1, b1, 2));
    check_layer<batch, 17, 6, 6>(two, plane, features.plane, at::conv2d(features.plane, w2, b2, 2));
    check_layer<batch, 17, 6, 6, 7>(three, space, features.space, at::conv3d(features.space, w3, b3, 2));
  });
  ran("transposed convolution layers", [&] {
    const nn::conv_transpose1d<11, 17, 3, by_two> one;
    const nn::conv_transpose2d<11, 17, 3, by_two> two;
    const nn::conv_transpose3d<11, 17, 3, by_two> three;
    const auto [w1, b1] = values_of(one);
    const auto [w2, b2] = values_of(two);
    const auto [w3, b3] = values_of(three);
    check_layer<batch, 17, 27>(one, line, features.line, at::conv_transpose1d(features.line, w1, b1, 2));
    check_layer<batch, 17, 27, 29>(two, plane, features.plane, at::conv_transpose2d(features.plane, w2, b2, 2));
    check_layer<batch, 17, 27, 29, 31>(three, space, features.space, at::conv_transpose3d(features.space, w3, b3, 2));
  });
  ran("maximum pooling layers", [&] {
    const auto one = [](const auto& v) { return max_pool1d(v, 3_c, 2_c); };
    const auto two = [](const auto& v) { return max_pool2d(v, 3_c, 2_c); };
    const auto three = [](const auto& v) { return max_pool3d(v, 3_c, 2_c); };
    check_layer<batch, 11, 6>(one, line, features.line, at::max_pool1d(features.line, 3, 2));
    check_layer<batch, 11, 6, 6>(two, plane, features.plane, at::max_pool2d(features.plane, 3, 2));
    check_layer<batch, 11, 6, 6, 7>(three, space, features.space, at::max_pool3d(features.space, 3, 2));
  });
  ran("average pooling layers", [&] {
    const auto one = [](const auto& v) { return avg_pool1d(v, 3_c, 2_c); };
    const auto two = [](const auto& v) { return avg_pool2d(v, 3_c, 2_c); };
    const auto three = [](const auto& v) { return avg_pool3d(v, 3_c, 2_c); };
    check_layer<batch, 11, 6>(one, line, features.line, at::avg_pool1d(features.line, 3, 2));
    check_layer<batch, 11, 6, 6>(two, plane, features.plane, at::avg_pool2d(features.plane, 3, 2));
    check_layer<batch, 11, 6, 6, 7>(three, space, features.space, at::avg_pool3d(features.space, 3, 2));
  });
  ran("embedding layer", [&] {
    const nn::embedding<11, 13> net;
    const input<int64, batch> index{"index"};
    const at::Tensor t = at::randint(11, {5}, at::kLong);  // (samples)
    check_layer<batch, 13>(net, index, t, at::embedding(tensor_of(net.weight).detach(), t));
  });

  REQUIRE(ran.count() == of_layers);
}

TEST_CASE("behaviours of the Python package: models") {
  at::manual_seed(34);
  behaviours ran;
  ran("the tutorial's model, and rows 3 to 6 of it without the others", [] {
    const nn::sequential stack(nn::linear<28 * 28, 512>{}, relu, nn::linear<512, 512>{}, relu, nn::linear<512, 10>{});
    const auto net = [&](const auto& x) { return stack(flatten(x, 1_c)); };
    const at::Tensor images = at::randn({9, 28, 28}), some = images.narrow(0, 3, 3);  // (samples, 28, 28), (3, 28, 28)
    const auto reference = [&](at::Tensor t) {
      const auto p = parameters(stack);
      t = t.flatten(1);
      for (std::size_t i = 0; i < 6; i += 2) t = at::linear(i == 0 ? t : at::relu(t), p[i].detach(), p[i + 1].detach());
      return t;
    };
    const input<batch, 28, 28> x{"x"};
    check_layer<batch, 10>(net, x, images, reference(images));
    CHECK(relative_error(net(some), reference(some)) <= float32_bound(100));

    const auto all = lazy<batch, 28, 28>(images);
    CHECK(batch_of(all) == 0);
    CHECK(batch_of(net(all)) == 0);
    CHECK(plan(net(all)).batch == 9);
    const auto rows = [](const auto& v) { return slice(v, 0_c, 3_c, 6_c); };
    CHECK(identical(run(rows(all)), some));
    for (const index_t chunk : {9, 3, 2, 1}) {
      CAPTURE(chunk);
      const options o{.chunk = chunk};
      const at::Tensor of_result = run(rows(net(all)), o), of_input = run(net(rows(all)), o);
      CHECK(relative_error(of_result, run(net(all), o).narrow(0, 3, 3)) <= float32_bound(100));
      CHECK(relative_error(of_result, reference(some)) <= float32_bound(100));
      CHECK(relative_error(of_input, reference(some)) <= float32_bound(100));
    }
    CHECK(planned(net(rows(all))) == std::vector<index_t>{3, 10});
    // The plan contains two hidden values of three rows, and nothing of the other rows.
    CHECK(plan(net(rows(all))).peak_bytes() == plan(net(x), {.chunk = 3}, x = some).peak_bytes());
  });
  REQUIRE(ran.count() == of_models);
}
