// SPDX-License-Identifier: MIT
// What programs do between the operators: they read values, print, change weights, detach, write in
// place. Each test is named after the rule that the interceptor keeps.
#include "intercept/support.hpp"

#include <ATen/autocast_mode.h>

#include <sstream>
#include <thread>

namespace intercept_test {

namespace {

constexpr std::int64_t samples = 8;

/// A small network with two inputs and the same network for the eager program.
struct twins {
  in_float64 mode;
  Linear net{6, 3}, same{6, 3};
  Tensor x = torch::randn({samples, 6}), y = torch::randint(3, {samples}, torch::kInt64);
  twins() {
    const torch::NoGradGuard guard;
    for (std::size_t k = 0; k < 2; ++k) same->parameters()[k].copy_(net->parameters()[k]);
  }
  [[nodiscard]] auto lazy_x(std::int64_t chunk = 3) const -> Tensor {
    return std::get<0>(koila::intercept({.chunk = chunk, .strict = true}, x));
  }
  [[nodiscard]] auto gradients_differ() const -> double { return difference(gradients(*net), gradients(*same)); }
};

using Catch::Matchers::ContainsSubstring;

TEST_CASE("intercept: reading the loss before backward moves running statistics once") {
  const in_float64 mode;
  BatchNorm1d net(6), same(6);
  const Tensor x = torch::randn({samples, 6});
  const auto [a] = koila::intercept({.chunk = 3}, x);
  const Tensor loss = net->forward(a).pow(3).mean(), want = same->forward(x).pow(3).mean();
  CHECK(difference(loss.item<double>() * torch::ones({}), want) <= 1e-12);
  (void)loss.item<double>();
  loss.backward();
  want.backward();
  CHECK(difference(net->running_mean, same->running_mean) <= 1e-12);
  CHECK(difference(net->running_var, same->running_var) <= 1e-12);
  CHECK(difference(gradients(*net), gradients(*same)) <= 1e-12);
}

TEST_CASE("intercept: running statistics move although the result is never read") {
  const in_float64 mode;
  BatchNorm1d net(6), same(6);
  const Tensor x = torch::randn({samples, 6});
  (void)same->forward(x);
  SECTION("the result is dropped") {
    const torch::NoGradGuard guard;
    (void)net->forward(std::get<0>(koila::intercept({.chunk = 3}, x)));
    CHECK(difference(net->running_mean, same->running_mean) <= 1e-12);
  }
  SECTION("the statistics are read while the result is still lazy") {
    const Tensor h = net->forward(std::get<0>(koila::intercept({.chunk = 3}, x)));
    CHECK(difference(net->running_mean, same->running_mean) <= 1e-12);
    CHECK(koila::is_lazy(h));
  }
  SECTION("evaluation follows in the same region") {
    const Tensor a = std::get<0>(koila::intercept({.chunk = 3}, x)), h = net->forward(a);
    net->eval();
    same->eval();
    CHECK(difference(net->forward(a), same->forward(x)) <= 1e-12);
    CHECK(difference(net->running_var, same->running_var) <= 1e-12);
  }
  CHECK(net->num_batches_tracked.item<std::int64_t>() == 1);
}

TEST_CASE("intercept: a layer that is called twice moves its statistics twice, in order") {
  const in_float64 mode;
  BatchNorm1d net(6), same(6);
  const Tensor x = torch::randn({samples, 6}), y = torch::randn({samples, 6}) + 2;
  const auto [a, b] = koila::intercept({.chunk = 3}, x, y);
  (net->forward(a).pow(3).mean() + net->forward(b).pow(3).mean()).backward();
  (same->forward(x).pow(3).mean() + same->forward(y).pow(3).mean()).backward();
  CHECK(difference(net->running_mean, same->running_mean) <= 1e-12);
  CHECK(difference(net->running_var, same->running_var) <= 1e-12);
}

TEST_CASE("intercept: the loss that is printed is the loss that is differentiated, with dropout") {
  const in_float64 mode;
  Linear net(6, 40), out(40, 1);
  const Tensor x = torch::randn({samples, 6});
  for (const std::int64_t chunk : {1, 3, 8}) {
    CAPTURE(chunk);
    net->zero_grad(), out->zero_grad();
    const auto [a] = koila::intercept({.chunk = chunk}, x);
    const Tensor h = F::dropout(net->forward(a), F::DropoutFuncOptions().p(0.5));
    const Tensor loss = out->forward(h).pow(2).mean();
    const double printed = loss.item<double>();
    loss.backward();
    // Elements that dropout has kept are not 0.
    const Tensor mask = (h.detach() != 0).to(torch::kDouble) * 2;
    const double kept = mask.mean().item<double>();
    CHECK(kept > 0.7);
    CHECK(kept < 1.3);
    const std::vector<Tensor> got = gradients(*net);
    net->zero_grad();
    const Tensor want = out->forward(net->forward(x) * mask).pow(2).mean();
    CHECK(std::abs(want.item<double>() - printed) <= 1e-12);
    want.backward();
    CHECK(difference(got, gradients(*net)) <= 1e-12);
  }
}

TEST_CASE("intercept: metrics can be read before and after backward") {
  twins t;
  const Tensor h = t.net->forward(t.lazy_x());
  const Tensor loss = F::cross_entropy(h, t.y), right = h.argmax(1).eq(t.y).sum();
  const Tensor e = t.same->forward(t.x);
  CHECK(right.item<std::int64_t>() == e.argmax(1).eq(t.y).sum().item<std::int64_t>());
  loss.backward();
  F::cross_entropy(e, t.y).backward();
  CHECK(t.gradients_differ() <= 1e-12);
  CHECK(difference(h.softmax(1).amax(1).mean(), e.softmax(1).amax(1).mean()) <= 1e-12);
}

TEST_CASE("intercept: a second backward needs retain_graph, as in LibTorch") {
  twins t;
  const Tensor loss = t.net->forward(t.lazy_x()).pow(2).mean();
  loss.backward({}, true);
  loss.backward();
  const Tensor want = t.same->forward(t.x).pow(2).mean();
  want.backward({}, true);
  want.backward();
  CHECK(t.gradients_differ() <= 1e-12);
  CHECK_THROWS_WITH(loss.backward(), ContainsSubstring("retain_graph = true"));
}

TEST_CASE("intercept: gradients of several losses and batches are added") {
  twins t;
  for (int step = 0; step < 2; ++step) {
    const Tensor h = t.net->forward(t.lazy_x()), e = t.same->forward(t.x);
    const Tensor a = h.pow(2).mean(), b = h.abs().mean();
    a.backward({}, true);
    b.backward();
    e.pow(2).mean().backward({}, true);
    e.abs().mean().backward();
  }
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: a gradient may be given to backward, and the loss may be scaled") {
  twins t;
  const Tensor dy = torch::randn({samples, 3});
  t.net->forward(t.lazy_x()).backward(dy);
  t.same->forward(t.x).backward(dy);
  CHECK(t.gradients_differ() <= 1e-12);
  const Tensor loss = t.net->forward(t.lazy_x()).pow(2).mean();
  loss.backward(torch::full({}, 0.25));
  t.same->forward(t.x).pow(2).mean().backward(torch::full({}, 0.25));
  CHECK(t.gradients_differ() <= 1e-12);
  const Tensor read = t.net->forward(t.lazy_x()).pow(2).mean();
  (void)read.item<double>();
  (read * 3).backward();
  (t.same->forward(t.x).pow(2).mean() * 3).backward();
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: autograd::grad, hooks of parameters and of the loss") {
  twins t;
  const Tensor loss = t.net->forward(t.lazy_x()).pow(2).mean(), want = t.same->forward(t.x).pow(2).mean();
  const auto got = torch::autograd::grad({loss}, {t.net->weight, t.net->bias}, {}, true);
  CHECK(difference(got, torch::autograd::grad({want}, {t.same->weight, t.same->bias}, {}, true)) <= 1e-12);
  int calls = 0;
  loss.register_hook([&](const Tensor& g) { return ++calls, g * 2; });
  const auto of_weight = t.net->weight.register_hook([&](const Tensor& g) { return calls += 10, g; });
  loss.backward();
  t.net->weight.remove_hook(of_weight);
  (2 * t.same->forward(t.x).pow(2).mean()).backward();
  CHECK(calls == 11);
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: a hook on a value inside is refused, and works after the value was read") {
  twins t;
  const Tensor h = t.net->forward(t.lazy_x()), loss = h.pow(2).mean();
  h.register_hook([](const Tensor& g) { return g; });
  CHECK_THROWS_WITH(loss.backward(), ContainsSubstring("a hook"));
  const Tensor read = t.net->forward(t.lazy_x());
  (void)read.data_ptr();
  int calls = 0;
  read.register_hook([&](const Tensor& g) { return ++calls, g; });
  read.pow(2).mean().backward();
  CHECK(calls == 1);
}

TEST_CASE("intercept: create_graph is refused with a sentence") {
  twins t;
  const Tensor loss = t.net->forward(t.lazy_x()).pow(2).mean();
  CHECK_THROWS_WITH(torch::autograd::grad({loss}, {t.net->weight}, {}, true, true), ContainsSubstring("create_graph"));
}

TEST_CASE("intercept: an intercepted tensor that requires a gradient gets one") {
  twins t;
  Tensor leaf = t.x.clone().requires_grad_(), eager = t.x.clone().requires_grad_();
  const auto [a] = koila::intercept({.chunk = 3, .strict = true}, leaf);
  t.net->forward(a).pow(2).mean().backward();
  t.same->forward(eager).pow(2).mean().backward();
  CHECK(difference(leaf.grad(), eager.grad()) <= 1e-12);
  const auto [b] = koila::intercept({.chunk = 3, .strict = true}, leaf);
  CHECK(difference(torch::autograd::grad({t.net->forward(b).pow(2).mean()}, {b})[0],
                   torch::autograd::grad({t.same->forward(eager).pow(2).mean()}, {eager})[0]) <= 1e-12);
  Tensor c = t.lazy_x();
  c.requires_grad_();
  t.net->forward(c).pow(2).mean().backward();
  CHECK(difference(c.grad(), leaf.grad()) <= 1e-12);
}

TEST_CASE("intercept: no_grad and inference mode record without history") {
  twins t;
  {
    const torch::NoGradGuard guard;
    const Tensor h = t.net->forward(t.lazy_x());
    CHECK(!h.requires_grad());
    CHECK(koila::is_lazy(h));
    CHECK(difference(h, t.same->forward(t.x)) <= 1e-12);
  }
  {
    const c10::InferenceMode guard;
    CHECK(difference(t.net->forward(t.lazy_x()), t.same->forward(t.x)) <= 1e-12);
  }
}

TEST_CASE("intercept: no gradient flows through detach, data, and what no_grad has recorded") {
  twins t;
  const auto loss = [](auto& net, const Tensor& x) {
    const Tensor h = net->forward(x);
    Tensor without;
    {
      const torch::NoGradGuard guard;
      without = net->forward(x) * 2;
    }
    return (h * h.detach() + h.data() * without).mean();
  };
  loss(t.net, t.lazy_x()).backward();
  loss(t.same, t.x).backward();
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: a value that is held across the optimiser's step is the value before the step") {
  twins t;
  torch::optim::SGD optimizer(t.net->parameters(), 0.1);
  const Tensor want = t.same->forward(t.x), h = t.net->forward(t.lazy_x());
  optimizer.zero_grad();
  h.pow(2).mean().backward();
  optimizer.step();
  CHECK(difference(h, want) <= 1e-12);
}

TEST_CASE("intercept: a value of another batch is computed before the optimiser's step") {
  twins t;
  torch::optim::SGD optimizer(t.net->parameters(), 0.1);
  const Tensor other = torch::randn({5, 6}), want = t.same->forward(other);
  const Tensor h = t.net->forward(std::get<0>(koila::intercept({.chunk = 2, .strict = true}, other)));
  optimizer.zero_grad();
  t.net->forward(t.lazy_x()).pow(2).mean().backward();
  optimizer.step();
  CHECK(difference(h, want) <= 1e-12);
}

TEST_CASE("intercept: autocast casts what it casts in an eager program") {
  torch::manual_seed(1);
  Linear net(6, 3);
  const Tensor x = torch::randn({samples, 6});
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const Tensor want = net->forward(x), got = net->forward(std::get<0>(koila::intercept({.chunk = 3}, x)));
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::clear_cache();
  CHECK(koila::is_lazy(got));
  CHECK(got.scalar_type() == want.scalar_type());
  CHECK(torch::allclose(got.to(torch::kFloat), want.to(torch::kFloat), 2e-2, 2e-2));
}

TEST_CASE("intercept: a weight that changes before the value is needed is an error") {
  twins t;
  const Tensor h = t.net->forward(t.lazy_x());
  {
    const torch::NoGradGuard guard;
    t.net->weight.mul_(2);
  }
  CHECK_THROWS_WITH(h.sum().item<double>(), ContainsSubstring("changed in place"));
}

TEST_CASE("intercept: a GAN with two optimisers and a batch norm in the generator") {
  const in_float64 mode;
  const auto make = [] {
    torch::manual_seed(3);
    return std::tuple(
        Sequential(Linear(4, 8), BatchNorm1d(8), ReLU(), Linear(8, 6)),
        Sequential(Linear(6, 8), LeakyReLU(LeakyReLUOptions().negative_slope(0.2)), Linear(8, 1), Sigmoid()));
  };
  auto [g1, d1] = make();
  auto [g2, d2] = make();
  const auto step = [](auto& g, auto& d, auto& of_g, auto& of_d, const Tensor& real, const Tensor& z) {
    const Tensor ones = torch::ones({real.size(0), 1}), zeros = torch::zeros({real.size(0), 1});
    d->zero_grad();
    const Tensor fake = g->forward(z);
    const Tensor of_real = F::binary_cross_entropy(d->forward(real), ones);
    of_real.backward();
    const Tensor of_fake = F::binary_cross_entropy(d->forward(fake.detach()), zeros);
    of_fake.backward();
    const double total = of_real.template item<double>() + of_fake.template item<double>();
    of_d.step();
    g->zero_grad();
    const Tensor fooled = F::binary_cross_entropy(d->forward(fake), ones);
    fooled.backward();
    of_g.step();
    return std::pair(total, fooled.template item<double>());
  };
  torch::optim::Adam og1(g1->parameters(), 0.01), od1(d1->parameters(), 0.01), og2(g2->parameters(), 0.01),
      od2(d2->parameters(), 0.01);
  for (int k = 0; k < 4; ++k) {
    CAPTURE(k);
    const Tensor real = torch::randn({samples, 6}), z = torch::randn({samples, 4});
    const auto want = step(g2, d2, og2, od2, real, z);
    const auto [a, b] = koila::intercept({.chunk = 3, .strict = true}, real, z);
    const auto got = step(g1, d1, og1, od1, a, b);
    CHECK(std::abs(got.first - want.first) <= 1e-9);
    CHECK(std::abs(got.second - want.second) <= 1e-9);
    CHECK(difference(g1->buffers(), g2->buffers()) <= 1e-9);
  }
  CHECK(difference(g1->parameters(), g2->parameters()) <= 1e-9);
  CHECK(difference(d1->parameters(), d2->parameters()) <= 1e-9);
}

TEST_CASE("intercept: operators in place, on values and on parts of them") {
  twins t;
  const auto loss = [](auto& net, const Tensor& x) {
    Tensor h = net->forward(x);
    h.add_(1).mul_(2);
    h[2] = 0.5;
    h.index_put_({torch::indexing::Slice(), 1}, h.select(1, 0).clone());
    h.narrow(0, 4, 2).zero_();
    h.select(1, 2).copy_(h.detach().select(1, 0).clone() * 3);
    Tensor y = torch::zeros_like(h);
    y.copy_(h);
    y.unsqueeze_(-1);
    return (y.squeeze(-1) * 0.5 + h).pow(2).mean();
  };
  const Tensor a = loss(t.net, std::get<0>(koila::intercept({.chunk = 3}, t.x))), b = loss(t.same, t.x);
  CHECK(difference(a, b) <= 1e-12);
  a.backward();
  b.backward();
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: a copy does not share memory, and a live view is never left behind") {
  twins t;
  Tensor h = t.net->forward(t.lazy_x()).detach();
  const Tensor copy = h.clone(), before = t.same->forward(t.x).detach();
  h.add_(1);
  CHECK(difference(copy, before) <= 1e-12);
  CHECK(difference(h, before + 1) <= 1e-12);
  Tensor k = t.net->forward(t.lazy_x()).detach();
  const Tensor view = k.view({-1}), column = k.select(1, 2), corner = column.narrow(0, 1, 2);
  k.add_(1);
  column.mul_(3);
  Tensor want = before + 1;
  want.select(1, 2).mul_(3);
  CHECK(difference(k, want) <= 1e-12);
  CHECK(difference(view, want.view({-1})) <= 1e-12);
  CHECK(difference(corner, want.select(1, 2).narrow(0, 1, 2)) <= 1e-12);
  const Tensor other = t.net->forward(t.lazy_x()).detach();
  Tensor flat = other.view({-1});
  CHECK_THROWS_WITH(flat.add_(1), ContainsSubstring("a view of the same memory"));
}

TEST_CASE("intercept: a view of a computed value or of an input is not left behind either") {
  twins t;
  Tensor h = t.net->forward(t.lazy_x()).detach();
  const Tensor view = h.view({-1});
  (void)h.data_ptr();
  CHECK_THROWS_WITH(h.add_(1), ContainsSubstring("a view of the same memory"));
  Tensor a = t.lazy_x();
  const Tensor row = a.select(0, 1);
  CHECK_THROWS_WITH(a.mul_(2), ContainsSubstring("a view of the same memory"));
}

TEST_CASE("intercept: a hidden state that is carried from batch to batch") {
  twins t;
  Tensor h = torch::zeros({samples, 3}), e = h;
  for (int k = 0; k < 3; ++k) {
    h = torch::tanh(t.net->forward(t.lazy_x()) + h);
    e = torch::tanh(t.same->forward(t.x) + e);
    h.pow(2).mean().backward();
    e.pow(2).mean().backward();
    CHECK(t.gradients_differ() <= 1e-12);
    CHECK(difference(h, e) <= 1e-12);
    if (k == 0) h.detach_(), e.detach_();
    else h = h.detach(), e = e.detach();
  }
}

TEST_CASE("intercept: writing to an intercepted tensor reaches the original") {
  twins t;
  const Tensor original = t.x.clone(), before = t.same->forward(t.x);
  const auto [a] = koila::intercept({.chunk = 3}, original);
  const Tensor h = t.net->forward(a);
  Tensor alias = a;
  alias.mul_(2);
  CHECK(difference(original, t.x * 2) == 0);
  CHECK(difference(h, before) <= 1e-12);
  CHECK(difference(t.net->forward(a), t.same->forward(t.x * 2)) <= 1e-12);
}

TEST_CASE("intercept: values are read by data_ptr, accessors, printing and torch::save") {
  twins t;
  const Tensor want = t.same->forward(t.x).detach();
  const auto fresh = [&] { return t.net->forward(t.lazy_x()).detach(); };
  CHECK(torch::from_blob(fresh().data_ptr(), {samples, 3}, torch::kDouble).sizes() == want.sizes());
  const Tensor h = fresh();
  CHECK(std::abs(h.accessor<double, 2>()[7][2] - want[7][2].item<double>()) <= 1e-12);
  std::ostringstream a, b;
  a << fresh();
  b << want;
  CHECK(a.str() == b.str());
  std::ostringstream file;
  torch::save(fresh(), file);
  std::istringstream in(file.str());
  Tensor back;
  torch::load(back, in);
  CHECK(difference(back, want) <= 1e-12);
}

TEST_CASE("intercept: masks, nonzero and masked_select have sizes of values") {
  twins t;
  const Tensor a = t.lazy_x();
  CHECK(difference(torch::nonzero(a > 0), torch::nonzero(t.x > 0)) == 0);
  CHECK(difference(torch::masked_select(a, a > 0), torch::masked_select(t.x, t.x > 0)) == 0);
  CHECK(difference(a.index({t.x > 0}), t.x.index({t.x > 0})) == 0);
  CHECK(difference(a.index({torch::tensor({1, 2})}), t.x.index({torch::tensor({1, 2})})) == 0);
  const Tensor h = t.net->forward(a), e = t.same->forward(t.x);
  const Tensor loss = h.index({h.detach() > 0}).sum() + h.index_select(0, torch::tensor({5, 1})).sum();
  loss.backward();
  (e.index({e > 0}).sum() + e.index_select(0, torch::tensor({5, 1})).sum()).backward();
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: an operator that koila does not know is computed for the whole batch") {
  twins t;
  const auto loss = [](auto& net, const Tensor& x) { return torch::special_i0e(net->forward(x)).pow(2).mean(); };
  const auto [a] = koila::intercept({.chunk = 3}, t.x);
  loss(t.net, a).backward();
  loss(t.same, t.x).backward();
  CHECK(t.gradients_differ() <= 1e-12);
  const auto [b] = koila::intercept({.chunk = 3, .strict = true}, t.x);
  CHECK_THROWS_WITH(loss(t.net, b), ContainsSubstring("special_i0e is not known to koila"));
}

TEST_CASE("intercept: a custom autograd function in the middle") {
  struct twice : torch::autograd::Function<twice> {
    static auto forward(torch::autograd::AutogradContext*, const Tensor& x) -> Tensor { return x * 2; }
    static auto backward(torch::autograd::AutogradContext*, torch::autograd::tensor_list g)
        -> torch::autograd::tensor_list {
      return {g[0] * 3};
    }
  };
  twins t;
  twice::apply(torch::relu(t.net->forward(t.lazy_x()))).pow(2).mean().backward();
  twice::apply(torch::relu(t.same->forward(t.x))).pow(2).mean().backward();
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: intercept on two lines, and targets that are not intercepted") {
  twins t;
  const auto [a] = koila::intercept({.chunk = 3, .strict = true}, t.x);
  const auto [y] = koila::intercept({.chunk = 3, .strict = true}, t.y);
  F::cross_entropy(t.net->forward(a), y).backward();
  F::cross_entropy(t.same->forward(t.x), t.y).backward();
  F::cross_entropy(t.net->forward(t.lazy_x()), t.y).backward();
  F::cross_entropy(t.same->forward(t.x), t.y).backward();
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: literals of the batch's size, and extents that equal it") {
  const in_float64 mode;
  Linear net(8, 8), same(8, 8);
  {
    const torch::NoGradGuard guard;
    for (std::size_t k = 0; k < 2; ++k) same->parameters()[k].copy_(net->parameters()[k]);
  }
  const Tensor x = torch::randn({8, 8});
  const auto loss = [](auto& layer, const Tensor& v) {
    const Tensor h = layer->forward(v).view({8, 2, 4}).transpose(0, 1).reshape({8, 8});
    const Tensor k = torch::cat({h, v.t()}, 0).reshape({2, 8, 8}).sum(0) + torch::ones({8, 8}).cumsum(0);
    return (torch::matmul(k, k.t()) * torch::eye(8)).expand({3, 8, 8}).mean() + h.new_zeros({8}).sum();
  };
  loss(net, std::get<0>(koila::intercept({.chunk = 3}, x))).backward();
  loss(same, x).backward();
  CHECK(difference(gradients(*net), gradients(*same)) <= 1e-12);
}

TEST_CASE("intercept: a batch of one sample is returned as it is") {
  const Tensor x = torch::randn({1, 4});
  const auto [a] = koila::intercept(x);
  CHECK(a.is_same(x));
  CHECK_THROWS_AS(koila::intercept(torch::randn({3, 2}), torch::randn({4, 2})), koila::shape_error);
  CHECK_THROWS_AS(koila::intercept({.batch_dim = 2}, torch::randn({3, 2})), koila::shape_error);
  CHECK_THROWS_AS(koila::intercept({.chunk = -1}, torch::randn({3, 2})), koila::argument_error);
}

TEST_CASE("intercept: another dim may be the batch") {
  const in_float64 mode;
  GRU net(6, 5);
  const Tensor x = torch::randn({7, samples, 6});
  const auto [a] = koila::intercept({.batch_dim = 1, .chunk = 3, .strict = true}, x);
  const Tensor got = std::get<0>(net->forward(a)), want = std::get<0>(net->forward(x));
  const auto g = torch::autograd::grad({got.pow(2).mean()}, net->parameters());
  CHECK(difference(g, torch::autograd::grad({want.pow(2).mean()}, net->parameters())) <= 1e-12);
}

TEST_CASE("intercept: optimisers with closures, clipping and weight decay") {
  twins t;
  const auto train = [&](Linear& net, bool intercepted) {
    const auto loss_of = [&] {
      if (!intercepted) return F::cross_entropy(net->forward(t.x), t.y);
      const auto [a, y] = koila::intercept({.chunk = 3, .strict = true}, t.x, t.y);
      return F::cross_entropy(net->forward(a), y);
    };
    torch::optim::LBFGS lbfgs(net->parameters(), torch::optim::LBFGSOptions(0.1).max_iter(4));
    lbfgs.step([&] {
      lbfgs.zero_grad();
      const Tensor l = loss_of();
      l.backward();
      return l;
    });
    torch::optim::AdamW adam(net->parameters(), torch::optim::AdamWOptions(0.01).weight_decay(0.1));
    for (int k = 0; k < 3; ++k) {
      adam.zero_grad();
      loss_of().backward();
      torch::nn::utils::clip_grad_norm_(net->parameters(), 0.1);
      adam.step();
    }
  };
  train(t.net, true);
  train(t.same, false);
  CHECK(difference(t.net->parameters(), t.same->parameters()) <= 1e-9);
}

TEST_CASE("intercept: threads with regions of their own, and threads that record one region") {
  twins t;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) threads.emplace_back([&] { t.net->forward(t.lazy_x()).pow(2).mean().backward(); });
  for (std::thread& one : threads) one.join();
  for (int k = 0; k < 4; ++k) t.same->forward(t.x).pow(2).mean().backward();
  CHECK(t.gradients_differ() <= 1e-12);
  threads.clear();
  const Tensor a = t.lazy_x();
  std::vector<Tensor> out(4);
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      Tensor h = a;
      for (int i = 0; i < 50; ++i) h = h + 1;
      out[k] = h;
    });
  for (std::thread& one : threads) one.join();
  for (const Tensor& h : out) CHECK(difference(h, t.x + 50) <= 1e-12);
}

TEST_CASE("intercept: control flow that reads a value") {
  twins t;
  const auto loss = [](auto& net, const Tensor& x) {
    Tensor h = net->forward(x);
    if (h.abs().max().template item<double>() > 0.1) h = h / h.abs().max();
    return h.pow(2).mean();
  };
  loss(t.net, t.lazy_x()).backward();
  loss(t.same, t.x).backward();
  CHECK(t.gradients_differ() <= 1e-12);
}

TEST_CASE("intercept: the plan of a loss is known before it runs") {
  twins t;
  const Tensor loss = t.net->forward(t.lazy_x()).pow(2).mean();
  const koila::memory_plan p = koila::plan(loss);
  CHECK(p.chunk() == 3);
  CHECK(p.peak_bytes() > 0);
  CHECK(koila::is_lazy(loss));
  loss.backward();
  CHECK_THROWS_AS(koila::plan(loss), koila::usage_error);
}

}  // namespace

}  // namespace intercept_test
