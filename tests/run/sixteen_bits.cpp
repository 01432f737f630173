// SPDX-License-Identifier: MIT
// Values of 16 bits. Partial sums of chunks are added in float32, and the plan includes the memory
// of these sums.
#include "run/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// Checks the largest error of the gradients against float64. In chunks, it must be that of the
/// whole batch, up to the last bit of a few elements.
template <dtype Type>
void check_gradients() {
  parameter<Type, 32, 24> w{"w"};
  parameter<Type, 32> b{"b"};
  parameter<Type, 8, 32> v{"v"};
  input<Type, batch, 24> x{"x"};
  input<int64, batch> label{"label"};
  const auto loss = cross_entropy(linear(relu(linear(x, w, b)), v), label);
  const auto type = scalar_type(Type);
  const at::Tensor images = at::randn({512, 24}).to(type), labels = labels_of(512, 8);  // (512, 24), (512)

  const at::Tensor leaves[] = {tensor_of(w), tensor_of(b), tensor_of(v)};
  std::vector<at::Tensor> exact;
  for (const at::Tensor& t : leaves) exact.push_back(t.detach().to(at::kDouble).requires_grad_());
  const at::Tensor hidden = at::relu(at::linear(images.to(at::kDouble), exact[0], exact[1]));  // (512, 32)
  at::cross_entropy_loss(at::linear(hidden, exact[2]), labels).backward();

  const auto error_with = [&](index_t chunk) {
    double worst = 0;
    for (const at::Tensor& t : leaves) t.mutable_grad() = at::Tensor();
    const index_t predicted = plan(loss, {.chunk = chunk}, x = images, label = labels).peak_bytes();
    const measure m;
    (void)backward(loss, {.chunk = chunk}, x = images, label = labels);
    CHECK(m.peak() == predicted);
    for (std::size_t k = 0; k < 3; ++k) worst = std::max(worst, relative_error(leaves[k].grad(), exact[k].grad()));
    return worst;
  };
  const double whole = error_with(512);
  for (const index_t chunk : {1, 2, 3, 8, 100, 256}) {
    CAPTURE(chunk, whole);
    CHECK(error_with(chunk) < 1.1 * whole);
  }
}

}  // namespace

TEST_CASE("gradients of 16 bits in chunks are as good as the whole batch's") {
  at::manual_seed(0);
  SECTION("bfloat16") { check_gradients<bfloat16>(); }
  SECTION("float16") { check_gradients<float16>(); }
}

TEST_CASE("sums and products of 16 bits lose nothing between chunks") {
  const auto check = [](const auto& x, const auto& loss, const at::Tensor& features, double expected) {
    for (const index_t chunk : {1, 3, 64, 4096}) {
      CAPTURE(chunk);
      const index_t predicted = plan(loss, {.chunk = chunk}, x = features).peak_bytes();
      const measure m;
      CHECK(run(loss, {.chunk = chunk}, x = features).template item<double>() == expected);
      CHECK(m.peak() == predicted);
    }
  };
  input<bfloat16, batch> x{"x"};
  input<float16, batch> y{"y"};
  check(x, sum(x), at::ones({4096}, at::kBFloat16), 4096);
  check(y, sum(y), at::ones({4096}, at::kHalf), 4096);
  // The partial sum exceeds the range of float16.
  check(y, sum(y), at::tensor({60000.0, 60000.0, -60000.0}).to(at::kHalf), 60000);
  CHECK(run(prod(y), {.chunk = 1}, y = at::tensor({300.0, 300.0, 0.00390625}).to(at::kHalf)).item<double>() == 351.5);
  // float32 has no advantage for a maximum, so it stays in 16 bits.
  check(x, amax(x), at::arange(4096).to(at::kBFloat16), 4096);
}

TEST_CASE("of 16 bits, what LibTorch's sums take besides is planned") {
  input<bfloat16, batch, 4, 6, 6> x{"x"};
  parameter<bfloat16, 4, 1, 1> b{"b"};
  parameter<bfloat16, 3, 4, 3, 3> w{"w"};
  parameter<bfloat16, 3> c{"c"};
  const at::Tensor t = at::randn({37, 4, 6, 6}).to(at::kBFloat16);  // (37, 4, 6, 6)
  const auto check = [&](const auto& loss) {
    for (const index_t chunk : {1, 2, 8, 37}) {
      CAPTURE(chunk);
      const index_t predicted = plan(loss, {.chunk = chunk}, x = t).peak_bytes();
      for (const auto& p : {tensor_of(b), tensor_of(w), tensor_of(c)}) p.mutable_grad() = at::Tensor();
      const measure m;
      if constexpr (shape_t<std::remove_cvref_t<decltype(loss)>>::value.rank == 0)
        (void)backward(loss, {.chunk = chunk}, x = t);
      else (void)run(loss, {.chunk = chunk}, x = t);
      CHECK(m.peak() == predicted);
    }
  };
  check(sum(x, list_of(0_c, 2_c, 3_c)));
  check(sum(x, list_of(1_c, 3_c)));
  check(sum(x, list_of(0_c, 1_c)));
  check(sum(transpose(x, 1_c, 3_c), list_of(1_c, 3_c)));
  check(logsumexp(x, list_of(1_c, 3_c)));
  check(mean(square(x + b)));
  check(mean(square(conv2d(x, w, c))));
}

TEST_CASE("training in 16 bits allocates nothing in steady state: a step keeps what its products are computed in") {
  parameter<bfloat16, 32, 24> w{"w"};
  input<bfloat16, batch, 24> x{"x"};
  const at::Tensor features = at::randn({64, 24}).to(at::kBFloat16);  // (64, 24)
  for (const index_t chunk : {4, 64}) {
    auto train = step(mean(relu(linear(x, w))), sgd{.lr = 0.1, .momentum = 0.9}, {.chunk = chunk});
    (void)train(x = features);
    const measure m;
    (void)train(x = features);
    CHECK(train.plan().buffers.workspace() > 0);  // the factors and the product in float32
    CHECK(m.peak() == 0);
    CHECK(m.live() == 0);
  }
}

namespace {

/// Checks gradients that are sums of about 4000 ones. 16 bits can represent the result, but not
/// every partial sum.
template <dtype Type>
void check_often_named() {
  const auto type = scalar_type(Type);
  parameter<Type, 3, 2> w{"w"};
  parameter<Type, 1, 1, 2, 2> image{"image"};
  input<int64, batch, 2> pairs{"pairs"};
  input<int64, batch> first{"first"};
  set(w, at::ones({3, 2}, type));
  set(image, at::ones({1, 1, 2, 2}, type));
  const at::Tensor in_pairs = at::zeros({4000, 2}, at::kLong), in_first = at::zeros({4000}, at::kLong);
  const auto check_element = [&](index_t element, const auto& loss, const auto& leaf, double expected,
                                 const auto&... bound) {
    for (const index_t chunk : {4000, 100, 1}) {
      if (sizeof...(bound) == 0 && chunk < 4000) break;  // the loss does not depend on a batch
      CAPTURE(chunk);
      tensor_of(leaf).mutable_grad() = at::Tensor();
      const options o = sizeof...(bound) > 0 ? options{.chunk = chunk} : options{};
      const index_t predicted = plan(loss, o, bound...).peak_bytes();
      const measure m;
      (void)backward(loss, o, bound...);
      CHECK(m.peak() == predicted);
      CHECK(tensor_of(leaf).grad().flatten()[element].template item<double>() == expected);
    }
  };
  const auto check = [&](const auto&... what) { check_element(0, what...); };
  check(sum(gather(w, 0_c, pairs)), w, 4000, pairs = in_pairs);
  check(sum(index_select(w, 0_c, first)), w, 4000, first = in_first);
  check(sum(koila::index(w, first)), w, 4000, first = in_first);
  check(sum(embedding(first, w)), w, 4000, first = in_first);
  check(sum(embedding_bag(pairs, w, mode = kSum)), w, 8000, pairs = in_pairs);
  check(sum(interpolate(image, scale_factor = 64)), image, 4096);
  check(sum(pad(image, list_of(63_c, 63_c, 63_c, 63_c), mode = kReplicate)), image, 4096);
  // Every window contains the element in the middle.
  parameter<Type, 1, 1, 95, 95> large{"large"};
  at::Tensor values = at::zeros({1, 1, 95, 95}, type);  // (1, 1, 95, 95)
  values[0][0][47][47].fill_(1);
  set(large, values);
  const auto of_middle = [&](const auto& loss, double expected) { check_element(47 * 95 + 47, loss, large, expected); };
  of_middle(sum(max_pool2d(large, 48_c, stride = 1_c)), 2304);
  of_middle(sum(avg_pool2d(large, 48_c, stride = 1_c)), 1);
  of_middle(sum(unfold(large, 48_c)), 2304);
  const at::Tensor sums = scatter_add(at::zeros({3}, type), 0_c, in_first, at::ones({4000}, type));  // (3)
  CHECK(sums[0].item<double>() == 4000);
}

}  // namespace

TEST_CASE("trials H1: elements that an index names often are added up in float32, whole and in chunks") {
  SECTION("bfloat16") { check_often_named<bfloat16>(); }
  SECTION("float16") { check_often_named<float16>(); }
}

namespace {

/// Checks sums over the batch of 512, 1, -512 and 0. 16 bits can represent these values and their
/// sum, but not the sum of the first two.
template <dtype Type>
void check_cancelling_sums() {
  const auto type = scalar_type(Type);
  const double large = Type == dtype::bfloat16 ? 512 : 4096;
  const at::Tensor values = at::tensor({large, 1.0, -large, 0.0}).to(type),
                   rows = at::zeros({4}, at::kLong);  // (4), (4)
  parameter<Type, 2, 1> w{"w"};
  parameter<Type, 1> scale{"scale"};
  input<Type, batch, 1> x{"x"};
  input<int64, batch> row{"row"};
  input<int64, batch, 1> rows_of_one{"rows_of_one"};
  const at::Tensor column = values.unsqueeze(1), zeros = rows.unsqueeze(1);  // (4, 1), (4, 1)
  const auto check_gradient = [&](const char* what, const auto& loss, const auto& leaf, const auto&... bound) {
    for (const index_t chunk : {4, 3, 2, 1}) {
      CAPTURE(what, chunk);
      tensor_of(leaf).mutable_grad() = at::Tensor();
      const index_t predicted = plan(loss, {.chunk = chunk}, bound...).peak_bytes();
      const measure m;
      (void)backward(loss, {.chunk = chunk}, bound...);
      CHECK(m.peak() == predicted);
      CHECK(tensor_of(leaf).grad().flatten()[0].template item<double>() == 1);
    }
  };
  check_gradient("embedding", sum(embedding(row, w) * x), w, row = rows, x = column);
  check_gradient("index_select", sum(index_select(w, 0_c, row) * x), w, row = rows, x = column);
  check_gradient("index", sum(koila::index(w, row) * x), w, row = rows, x = column);
  check_gradient("gather", sum(gather(w, 0_c, rows_of_one) * x), w, rows_of_one = zeros, x = column);
  check_gradient("mul", sum(scale * x), scale, x = column);
  check_gradient("linear", sum(linear(x, w)), w, x = column);
  check_gradient("matmul", sum(matmul(x, transpose(w, 0_c, 1_c))), w, x = column);
  check_gradient("kron", sum(kron(x, scale)), scale, x = column);
  check_gradient("repeat_interleave", sum(repeat_interleave(scale, 2_c) * x), scale, x = column * 0.5);
  check_gradient("repeat", sum(repeat(scale, list_of(4_c)) * x), scale, x = column * 0.25);
  check_gradient("repeat of two dims", sum(repeat(w, list_of(2_c, 4_c))) * 0.125 + sum(scale * x) * 0.25, w,
                 x = column);
  check_gradient("conv1d", sum(conv1d(unsqueeze(x, 1_c), unsqueeze(w, 1_c))), w, x = column);

  const auto check_value = [&](const char* what, const auto& y, const auto&... bound) {
    for (const index_t chunk : {4, 3, 2, 1}) {
      CAPTURE(what, chunk);
      const index_t predicted = plan(y, {.chunk = chunk}, bound...).peak_bytes();
      const measure m;
      const at::Tensor result = run(y, {.chunk = chunk}, bound...);
      CHECK(m.peak() == predicted);
      CHECK(result.flatten()[0].template item<double>() == 1);
    }
  };
  check_value("sum", sum(x, 0_c), x = column);
  check_value("tensordot", tensordot(x, x * 0 + 1, list_of(0_c), list_of(0_c)), x = column);
  check_value("scatter_add", scatter_add(w * 0, 0_c, rows_of_one, x), rows_of_one = zeros, x = column);
  check_value("index_add", index_add(w * 0, 0_c, row, x), row = rows, x = column);
}

}  // namespace

TEST_CASE("16-bit sums over the batch are rounded once, at the end") {
  SECTION("bfloat16") { check_cancelling_sums<bfloat16>(); }
  SECTION("float16") { check_cancelling_sums<float16>(); }
}

TEST_CASE("16-bit sums over other dims than the batch have the same bits for every chunk") {
  at::manual_seed(0);
  input<float16, batch, any> x{"x"};
  for (const std::int64_t rows : {7, 33, 64})
    for (const std::int64_t columns : {5, 19, 67, 513}) {
      const at::Tensor t = at::randn({rows, columns}).to(at::kHalf);  // (rows, columns)
      const at::Tensor whole = run(sum(x, 1_c), x = t);  // (rows)
      for (const index_t chunk : {1, 3, 20}) {
        CAPTURE(rows, columns, chunk);
        CHECK(at::equal(run(sum(x, 1_c), {.chunk = chunk}, x = t), whole));
      }
    }
}

TEST_CASE("a number is not rounded to 16 bits, on either side") {
  const at::Tensor t = at::tensor({65504.0, 3.0, 0.7}).to(at::kHalf);  // (3)
  const auto x = lazy(t);
  CHECK(at::equal(run(0.1 * x), t * 0.1));
  CHECK(at::equal(run(x * 0.1), t * 0.1));
  CHECK(at::equal(run(0.1 + x), t + 0.1));
  CHECK(at::equal(run(x + 0.1), t + 0.1));
}
