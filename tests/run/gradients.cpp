// SPDX-License-Identifier: MIT
// In chunks of any size, the value and the gradient are those of the whole batch.
#include "run/support.hpp"

#include <c10/core/InferenceMode.h>

using namespace koila;
using namespace ::test;

namespace {

auto flattened(const std::vector<at::Tensor>& ts) -> at::Tensor {
  std::vector<at::Tensor> flat;
  for (const auto& t : ts) flat.push_back(t.reshape({-1}));
  return at::cat(flat);
}

/// Compares the loss and the gradients, for the whole batch and in chunks, with LibTorch's autograd
/// in float64. If `joint` is true, compares all gradients as one vector, because the gradient of a
/// single bias may be a difference of much larger numbers. Otherwise compares each gradient
/// separately.
template <dtype T, bool joint = false>
void check_gradients(const classifier<T, 20, 16, 10>& net, const auto& loss, const auto& reference,
                     const at::Tensor& images, const at::Tensor& labels, const auto&... bound) {
  constexpr double allowed = T == float64 ? 1e-12 : 1e-6;
  const std::vector<at::Tensor> p = net.copies();
  const at::Tensor want = reference(p, images.to(at::kDouble), labels);
  want.backward();
  std::vector<at::Tensor> whole;
  const index_t samples = images.size(0);
  std::vector<index_t> chunks = chunks_of(samples);
  std::reverse(chunks.begin(), chunks.end());
  for (const index_t chunk : chunks) {
    CAPTURE(samples, chunk);
    for (auto& t : net.tensors()) t.mutable_grad() = at::Tensor();
    const at::Tensor got = backward(loss, {.chunk = chunk}, bound...);
    CHECK(relative_error(got, want) <= allowed);
    const auto tensors = net.tensors();
    std::vector<at::Tensor> mine, theirs;
    for (std::size_t k = 0; k < tensors.size(); ++k) mine.push_back(tensors[k].grad()), theirs.push_back(p[k].grad());
    if (joint) mine = {flattened(mine)}, theirs = {flattened(theirs)};
    if (whole.empty()) whole = mine;
    double worst = 0, from_whole = 0;
    for (std::size_t k = 0; k < mine.size(); ++k) {
      worst = std::max(worst, relative_error(mine[k], theirs[k]));
      from_whole = std::max(from_whole, relative_error(mine[k], whole[k]));
    }
    CHECK(worst <= allowed);
    CHECK(from_whole <= allowed);
  }
}

template <dtype T>
struct setup {
  classifier<T, 20, 16, 10> net;
  input<T, batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  setup() {
    at::manual_seed(1);
    for (auto& t : net.tensors()) set_values(t);
  }
  static void set_values(at::Tensor& t) {
    const c10::InferenceMode none(false);
    t.detach().normal_(0, 0.4);
  }
  void check_all(const std::vector<index_t>& sizes) {
    const auto loss = cross_entropy(net(x), label);
    const auto reference = [&](const auto& p, const at::Tensor& i, const at::Tensor& l) {
      return at::cross_entropy_loss(net.reference(p, i), l);
    };
    for (const index_t samples : sizes) {
      const at::Tensor images = at::randn({samples, 20}, scalar_type(T)), labels = labels_of(samples, 10);
      check_gradients(net, loss, reference, images, labels, x = images, label = labels);
    }
  }
};

auto all_sizes() -> std::vector<index_t> {
  std::vector<index_t> out{4096, 1000, 521};
  for (index_t n = 1; n <= 257; ++n) out.push_back(n);
  return out;
}

}  // namespace

TEST_CASE("row 1: the full batch's gradient for every batch and chunk, float64") {
  setup<float64>().check_all(all_sizes());
}
TEST_CASE("row 1: the full batch's gradient for every batch and chunk, float32") {
  setup<float32>().check_all(all_sizes());
}

TEST_CASE("row 11: sums that are exact are bit-identical in whatever chunks") {
  parameter<16, 20> w1{"w1"};
  parameter<16> b1{"b1"};
  parameter<10, 16> w2{"w2"};
  input<batch, 20> x{"x"};
  const auto loss = sum(linear(relu(linear(x, w1, b1)), w2));
  const auto integers = [](at::IntArrayRef size) { return at::randint(-2, 3, size, at::kFloat); };
  set(w1, integers({16, 20})), set(b1, integers({16})), set(w2, integers({10, 16}));
  const std::vector<at::Tensor> mine{tensor_of(w1), tensor_of(b1), tensor_of(w2)};
  std::vector<index_t> sizes{20, 1000, 521};
  for (index_t n = 1; n <= 257; n += 5) sizes.push_back(n);
  for (const index_t samples : sizes) {
    const at::Tensor images = integers({samples, 20});
    std::vector<at::Tensor> p;
    for (const auto& t : mine) p.push_back(t.detach().clone().requires_grad_());
    const at::Tensor want = at::linear(at::relu(at::linear(images, p[0], p[1])), p[2]).sum();
    want.backward();
    for (const index_t chunk : chunks_of(samples)) {
      CAPTURE(samples, chunk);
      for (const auto& t : mine) t.mutable_grad() = at::Tensor();
      bool same = at::equal(backward(loss, {.chunk = chunk}, x = images), want);  // 0 and -0 count as equal
      for (std::size_t k = 0; k < mine.size(); ++k) same = same && at::equal(mine[k].grad(), p[k].grad());
      CHECK(same);
    }
  }
}

TEST_CASE("rows 7, 8, 10: labels that are ignored") {
  setup<float64> s;
  const auto loss = cross_entropy(s.net(s.x), s.label);
  const auto reference = [&](const auto& p, const at::Tensor& i, const at::Tensor& l) {
    return at::cross_entropy_loss(s.net.reference(p, i), l);
  };
  for (const index_t samples : {1, 7, 16, 20, 64, 100, 257}) {
    const at::Tensor images = at::randn({samples, 20}, at::kDouble);
    for (const char* which : {"some", "a chunk", "all but one"}) {
      CAPTURE(which);
      at::Tensor labels = labels_of(samples, 10);
      if (which[0] == 's') labels.masked_fill_(at::rand({samples}) < 0.4, -100);
      else if (which[2] == 'c') labels.narrow(0, 0, samples / 2).fill_(-100);
      else labels.narrow(0, 0, samples - 1).fill_(-100);
      labels[samples - 1] = 3;
      check_gradients(s.net, loss, reference, images, labels, s.x = images, s.label = labels);
    }
    // All labels are ignored: koila's result is NaN (0 / 0) exactly where LibTorch's result is.
    const at::Tensor labels = at::full({samples}, -100, at::kLong);
    const auto p = s.net.copies();
    const at::Tensor want = reference(p, images, labels);
    want.backward();
    for (const index_t chunk : chunks_of(samples)) {
      CAPTURE(samples, chunk);
      for (auto& t : s.net.tensors()) t.mutable_grad() = at::Tensor();
      const at::Tensor got = backward(loss, {.chunk = chunk}, s.x = images, s.label = labels);
      CHECK(got.isnan().item<bool>() == want.isnan().item<bool>());
      for (std::size_t k = 0; k < p.size(); ++k)
        CHECK(at::equal(s.net.tensors()[k].grad().isnan(), p[k].grad().isnan()));
    }
  }
  const auto second = cross_entropy(s.net(s.x), s.label, ignore_index = 2);
  const at::Tensor images = at::randn({50, 20}, at::kDouble), labels = labels_of(50, 10);
  check_gradients(
      s.net, second,
      [&](const auto& p, const at::Tensor& i, const at::Tensor& l) {
        return at::cross_entropy_loss(s.net.reference(p, i), l, {}, at::Reduction::Mean, 2);
      },
      images, labels, s.x = images, s.label = labels);
}

namespace {

template <dtype T>
void check_coupled() {
  setup<T> s;
  const auto z = let(s.net(s.x));  // (batch, 10)
  const auto centred = let(z - mean(z, 0_c));
  for (const index_t samples : {1, 2, 3, 5, 8, 17, 20, 32, 61, 100, 128, 257}) {
    const at::Tensor images = at::randn({samples, 20}, scalar_type(T)), labels = labels_of(samples, 10);
    // The class of each sample is the index of the next sample.
    const at::Tensor next = (at::arange(samples, at::kLong) + 1).remainder(samples);
    const auto check = [&](const auto& loss, const auto& reference, const at::Tensor& l) {
      check_gradients<T, T == float32>(
          s.net, loss,
          [&](const auto& p, const at::Tensor& i, const at::Tensor& t) { return reference(s.net.reference(p, i), t); },
          images, l, s.x = images, s.label = l);
    };
    check(
        mean(centred * centred * centred) + cross_entropy(centred, s.label) +
            mean(z * z),  // without this term, b2's gradient is 0
        [](const at::Tensor& y, const at::Tensor& l) {
          const at::Tensor c = y - y.mean(0);
          return (c * c * c).mean() + at::cross_entropy_loss(c, l) + (y * y).mean();
        },
        labels);
    check(
        cross_entropy(matmul(z, transpose(z, 0_c, 1_c)) * 0.1, s.label),
        [](const at::Tensor& y, const at::Tensor& l) { return at::cross_entropy_loss(y.matmul(y.t()) * 0.1, l); },
        next);
    check(
        sum(softmax(z, 0_c) * z) + cross_entropy(z, s.label),
        [](const at::Tensor& y, const at::Tensor& l) {
          return (y.softmax(0) * y).sum() + at::cross_entropy_loss(y, l);
        },
        labels);
  }
}

}  // namespace

TEST_CASE("row 12: losses coupled across the batch, float64") { check_coupled<float64>(); }
TEST_CASE("row 12: losses coupled across the batch, float32") { check_coupled<float32>(); }

TEST_CASE("a gradient that is gathered in place is read through views, in its loop and in later ones") {
  const auto random = [](auto& leaf, at::IntArrayRef sizes) { set(leaf, at::randn(sizes, at::kDouble)); };
  parameter<float64, 8, 4> z{"z"};
  parameter<float64, 2, 2> b{"b"};
  input<float64, batch, 2, 2> v{"v"};
  random(z, {8, 4}), random(b, {2, 2});
  const at::Tensor t = at::randn({8, 2, 2}, at::kDouble);
  const auto q = reshape(v + b, batch, 4_c) + reshape(z, batch, 4_c);
  for (const auto& [loss, eager] :
       {std::pair<erased<float64>, std::function<at::Tensor(const at::Tensor&)>>(
            sum(exp(q)), [](const at::Tensor& x) { return x.exp().sum(); }),
        {sum(softmax(q, 0_c) * q), [](const at::Tensor& x) { return (at::softmax(x, 0) * x).sum(); }}}) {
    const at::Tensor zs = tensor_of(z).detach().clone().requires_grad_(),
                     bs = tensor_of(b).detach().clone().requires_grad_();
    eager((t + bs).reshape({8, 4}) + zs.reshape({8, 4})).backward();
    for (const index_t chunk : {8, 4, 3, 1})
      for (int again = 0; again < 2; ++again) {
        tensor_of(z).mutable_grad() = tensor_of(b).mutable_grad() = at::Tensor();
        (void)backward(loss, {.chunk = chunk}, v = t);
        CHECK(relative_error(tensor_of(z).grad(), zs.grad()) <= 1e-12);
        CHECK(relative_error(tensor_of(b).grad(), bs.grad()) <= 1e-12);
      }
  }
}

TEST_CASE("parameters that are first made in inference mode are trained like others") {
  const parameter<2, 4> w{"w"};
  const parameter<2> b{"b"};
  const input<batch, 4> x{"x"};
  const auto y = linear(x, w, b);
  const at::Tensor t = at::randn({5, 4});
  {
    const c10::InferenceMode mode;
    (void)run(y, x = t);
    set(b, at::ones({2}));
  }
  CHECK(!tensor_of(w).is_inference());
  CHECK(!tensor_of(b).is_inference());
  const at::Tensor before = tensor_of(w).detach().clone();
  auto train = step(mean(square(y)), sgd{.lr = 0.1});
  CHECK_NOTHROW(train(x = t));
  CHECK(!at::equal(tensor_of(w).detach(), before));
  CHECK(!at::equal(tensor_of(b).detach(), at::ones({2})));
}

TEST_CASE("trials A1: ops that move, order or fill read a sum over the batch when it is whole") {
  at::manual_seed(3);
  const input<float64, batch, 4> x{"x"};
  const at::Tensor t = at::randn({12, 4}, at::kDouble), s = t.sum(0), gram = t.t().matmul(t);  // (4), (4, 4)
  const auto m = sum(x, 0_c);
  const auto g = matmul(transpose(x, 0_c, 1_c), x);
  for (const index_t chunk : {12, 5, 1}) {
    CAPTURE(chunk);
    const auto gives = [&](const auto& e, const at::Tensor& want) {
      CHECK(relative_error(run(e, {.chunk = chunk}, x = t), want) <= 1e-12);
    };
    gives(tril(g), gram.tril());
    gives(triu(g), gram.triu());
    gives(flip(m, 0_c), s.flip({0}));
    gives(roll(m, 1_c, 0_c), s.roll({1}, {0}));
    gives(pad(m, list_of(1_c, 1_c)), at::constant_pad_nd(s, {1, 1}));
    gives(std::get<0>(sort(m, 0_c)), std::get<0>(s.sort(0)));
    gives(std::get<0>(topk(m, 2_c, 0_c)), std::get<0>(s.topk(2)));
    gives(ones_like(m), at::ones_like(s));
    gives(one_hot(sum(to<int64>(gt(x, 100)), 0_c), 3_c), at::one_hot(at::zeros({4}, at::kLong), 3));
  }
}

TEST_CASE(
    "trials A1: weights that are masked, flipped or rolled have the whole batch's gradient in chunks of any size") {
  at::manual_seed(4);
  const input<float64, batch, 4> x{"x"};
  const parameter<float64, 4, 4> w{"w"};
  const at::Tensor t = at::randn({12, 4}, at::kDouble);
  const auto has_gradient = [&](const auto& moved, const auto& theirs) {
    at::Tensor own = tensor_of(w).detach().clone().set_requires_grad(true);
    t.matmul(theirs(own)).square().mean().backward();
    for (const index_t chunk : {12, 5, 1}) {
      CAPTURE(chunk);
      tensor_of(w).mutable_grad() = at::Tensor();
      backward(mean(square(matmul(x, moved))), {.chunk = chunk}, x = t);
      CHECK(relative_error(tensor_of(w).grad(), own.grad()) <= 1e-12);
    }
  };
  has_gradient(tril(w), [](const at::Tensor& v) { return v.tril(); });
  has_gradient(triu(w), [](const at::Tensor& v) { return v.triu(); });
  has_gradient(flip(w, 1_c), [](const at::Tensor& v) { return v.flip({1}); });
  has_gradient(roll(w, 1_c, 1_c), [](const at::Tensor& v) { return v.roll({1}, {1}); });
}

TEST_CASE("trials A1: samples without elements are gathered and taken in chunks") {
  const input<float64, batch, 0, 3> x{"x"};
  const at::Tensor t = at::zeros({5, 0, 3}, at::kDouble);
  for (const index_t chunk : {5, 2, 1}) {
    CAPTURE(chunk);
    const at::Tensor y = run(flip(reshape(x, list_of(-1_c, 3_c)), 0_c), {.chunk = chunk}, x = t);
    CHECK(y.sizes() == at::IntArrayRef({0, 3}));
  }
}
