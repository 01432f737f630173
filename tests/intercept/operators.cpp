// SPDX-License-Identifier: MIT
// LibTorch's operators on intercepted tensors, each with its arguments: values and gradients are
// those of the eager operator, whether koila records the operator or computes it at once.
#include "intercept/support.hpp"

#include <iostream>

namespace intercept_test {

namespace {

using function = std::function<Tensor(const Tensor&)>;
struct named_function {
  const char* name;
  function f;
};

constexpr std::int64_t samples = 7;

/// Compares f on intercepted tensors with f on ordinary tensors. Returns true if the result was
/// lazy.
auto agrees(const named_function& one, const Tensor& x, double tolerance) -> bool {
  CAPTURE(one.name);
  const Tensor a = x.clone().requires_grad_(x.is_floating_point()), b = x.clone().requires_grad_(x.is_floating_point());
  const Tensor want = one.f(b * 1);
  const auto [start] = koila::intercept({.chunk = 3}, a);
  const Tensor got = one.f(start * 1);
  const bool lazy = koila::is_lazy(got);
  REQUIRE(got.sizes() == want.sizes());
  REQUIRE(got.scalar_type() == want.scalar_type());
  CHECK(got.requires_grad() == want.requires_grad());
  if (want.requires_grad()) {
    const Tensor weight = torch::linspace(0.5, 1.5, want.numel()).view(want.sizes());
    const Tensor loss = (got * weight).sum();
    (want * weight).sum().backward();
    loss.backward();
    CHECK(difference(a.grad(), b.grad()) <= tolerance);
  }
  CHECK(torch::allclose(got.detach().to(torch::kDouble), want.detach().to(torch::kDouble), tolerance, 1e-12, true));
  return lazy;
}

/// Checks all functions, and that as many as stated are recorded.
void check_all(const std::vector<named_function>& all, const Tensor& x, std::size_t recorded,
               double tolerance = 1e-11) {
  std::size_t lazy = 0;
  std::string others;
  for (const named_function& one : all) {
    if (agrees(one, x, tolerance)) ++lazy;
    else others += std::string(" ") + one.name;
  }
  CAPTURE(others);
  CHECK(lazy == recorded);
}

#define KOILA_TEST_FUNCTION(...)                                        \
  named_function {                                                      \
    #__VA_ARGS__, [](const Tensor& x) -> Tensor { return __VA_ARGS__; } \
  }

TEST_CASE("intercept: element-wise operators") {
  const in_float64 mode;
  const std::vector<named_function> all{KOILA_TEST_FUNCTION(x + 2),
                                        KOILA_TEST_FUNCTION(2 + x),
                                        KOILA_TEST_FUNCTION(x - 2),
                                        KOILA_TEST_FUNCTION(2 - x),
                                        KOILA_TEST_FUNCTION(x * 3),
                                        KOILA_TEST_FUNCTION(x / 3),
                                        KOILA_TEST_FUNCTION(3 / x),
                                        KOILA_TEST_FUNCTION(-x),
                                        KOILA_TEST_FUNCTION(torch::add(x, x, 0.5)),
                                        KOILA_TEST_FUNCTION(torch::sub(x, x * x, 2)),
                                        KOILA_TEST_FUNCTION(torch::rsub(x, x * x, 2)),
                                        KOILA_TEST_FUNCTION(torch::rsub(x, 3, 2)),
                                        KOILA_TEST_FUNCTION(x.pow(2)),
                                        KOILA_TEST_FUNCTION(x.pow(3)),
                                        KOILA_TEST_FUNCTION(x.abs().pow(0.5)),
                                        KOILA_TEST_FUNCTION(torch::pow(2, x)),
                                        KOILA_TEST_FUNCTION(x.abs().pow(x)),
                                        KOILA_TEST_FUNCTION(x.square()),
                                        KOILA_TEST_FUNCTION(x.exp()),
                                        KOILA_TEST_FUNCTION(x.abs().log()),
                                        KOILA_TEST_FUNCTION(x.abs().log1p()),
                                        KOILA_TEST_FUNCTION(x.abs().log2()),
                                        KOILA_TEST_FUNCTION(x.abs().log10()),
                                        KOILA_TEST_FUNCTION(x.expm1()),
                                        KOILA_TEST_FUNCTION(x.exp2()),
                                        KOILA_TEST_FUNCTION(x.abs().sqrt()),
                                        KOILA_TEST_FUNCTION(x.abs().rsqrt()),
                                        KOILA_TEST_FUNCTION(x.sin()),
                                        KOILA_TEST_FUNCTION(x.cos()),
                                        KOILA_TEST_FUNCTION(x.tan()),
                                        KOILA_TEST_FUNCTION(x.tanh()),
                                        KOILA_TEST_FUNCTION(x.sigmoid()),
                                        KOILA_TEST_FUNCTION(x.erf()),
                                        KOILA_TEST_FUNCTION(x.erfc()),
                                        KOILA_TEST_FUNCTION(x.atan()),
                                        KOILA_TEST_FUNCTION(torch::atan2(x, x + 1)),
                                        KOILA_TEST_FUNCTION(x.sinh()),
                                        KOILA_TEST_FUNCTION(x.asinh()),
                                        KOILA_TEST_FUNCTION(x.abs()),
                                        KOILA_TEST_FUNCTION(x.sign()),
                                        KOILA_TEST_FUNCTION(x.floor()),
                                        KOILA_TEST_FUNCTION(x.ceil()),
                                        KOILA_TEST_FUNCTION(x.round()),
                                        KOILA_TEST_FUNCTION(x.trunc()),
                                        KOILA_TEST_FUNCTION(x.frac()),
                                        KOILA_TEST_FUNCTION(x.reciprocal()),
                                        KOILA_TEST_FUNCTION(x.clamp(-0.5, 0.5)),
                                        KOILA_TEST_FUNCTION(x.clamp_min(0)),
                                        KOILA_TEST_FUNCTION(x.clamp_max(0.5)),
                                        KOILA_TEST_FUNCTION(torch::clamp(x, -0.1)),
                                        KOILA_TEST_FUNCTION(torch::maximum(x, x.cos())),
                                        KOILA_TEST_FUNCTION(torch::minimum(x, x.cos())),
                                        KOILA_TEST_FUNCTION(torch::max(x, x.cos())),
                                        KOILA_TEST_FUNCTION(torch::min(x, x.cos())),
                                        KOILA_TEST_FUNCTION(torch::fmod(x, 0.7)),
                                        KOILA_TEST_FUNCTION(torch::remainder(x, 0.7)),
                                        KOILA_TEST_FUNCTION(torch::floor_divide(x.detach(), 0.7)),
                                        KOILA_TEST_FUNCTION(torch::div(x, 0.7, "trunc")),
                                        KOILA_TEST_FUNCTION(torch::div(x, x + 3, "floor")),
                                        KOILA_TEST_FUNCTION(torch::lerp(x, x.cos(), 0.3)),
                                        KOILA_TEST_FUNCTION(torch::addcmul(x, x, x.cos(), 0.5)),
                                        KOILA_TEST_FUNCTION(torch::addcdiv(x, x, x.cos() + 2, 0.5)),
                                        KOILA_TEST_FUNCTION(torch::hypot(x, x + 1)),
                                        KOILA_TEST_FUNCTION(x > 0),
                                        KOILA_TEST_FUNCTION(x >= x.mean()),
                                        KOILA_TEST_FUNCTION(x < 0.1),
                                        KOILA_TEST_FUNCTION(x <= 0.1),
                                        KOILA_TEST_FUNCTION(x == 0),
                                        KOILA_TEST_FUNCTION(x != x.floor()),
                                        KOILA_TEST_FUNCTION((x > 0) & (x < 1)),
                                        KOILA_TEST_FUNCTION((x > 0) | (x < -1)),
                                        KOILA_TEST_FUNCTION(~(x > 0)),
                                        KOILA_TEST_FUNCTION((x > 0).logical_not()),
                                        KOILA_TEST_FUNCTION((x > 0).logical_and(x < 1)),
                                        KOILA_TEST_FUNCTION(torch::isnan(x.log())),
                                        KOILA_TEST_FUNCTION(torch::isfinite(x.log())),
                                        KOILA_TEST_FUNCTION(torch::nan_to_num(x.log(), 0.5)),
                                        KOILA_TEST_FUNCTION(torch::where(x > 0, x, x * 2)),
                                        KOILA_TEST_FUNCTION(torch::where(x > 0, x, 0.5)),
                                        KOILA_TEST_FUNCTION(torch::where(x > 0, 1.5, x)),
                                        KOILA_TEST_FUNCTION(x.masked_fill(x > 0, 2.5)),
                                        KOILA_TEST_FUNCTION(x.logit(0.1)),
                                        KOILA_TEST_FUNCTION(x.to(torch::kFloat)),
                                        KOILA_TEST_FUNCTION((x * 3).to(torch::kLong)),
                                        KOILA_TEST_FUNCTION((x > 0).to(torch::kDouble)),
                                        KOILA_TEST_FUNCTION(x.type_as(torch::ones(1, torch::kFloat))),
                                        KOILA_TEST_FUNCTION(x.detach() * 2),
                                        KOILA_TEST_FUNCTION(torch::zeros_like(x) + x),
                                        KOILA_TEST_FUNCTION(torch::ones_like(x)),
                                        KOILA_TEST_FUNCTION(torch::full_like(x, 2.5) * x),
                                        KOILA_TEST_FUNCTION(x.clone()),
                                        KOILA_TEST_FUNCTION(x.contiguous())};
  check_all(all, torch::randn({samples, 3, 4}), all.size());
}

TEST_CASE("intercept: activations") {
  const in_float64 mode;
  const std::vector<named_function> all{
      KOILA_TEST_FUNCTION(torch::relu(x)),
      KOILA_TEST_FUNCTION(torch::gelu(x)),
      KOILA_TEST_FUNCTION(torch::gelu(x, "tanh")),
      KOILA_TEST_FUNCTION(torch::silu(x)),
      KOILA_TEST_FUNCTION(torch::mish(x)),
      KOILA_TEST_FUNCTION(torch::elu(x, 0.7)),
      KOILA_TEST_FUNCTION(torch::celu(x, 0.7)),
      KOILA_TEST_FUNCTION(torch::selu(x)),
      KOILA_TEST_FUNCTION(torch::leaky_relu(x, 0.2)),
      KOILA_TEST_FUNCTION(F::softplus(x, F::SoftplusFuncOptions().beta(2).threshold(3))),
      KOILA_TEST_FUNCTION(F::softsign(x)),
      KOILA_TEST_FUNCTION(F::softshrink(x, 0.3)),
      KOILA_TEST_FUNCTION(F::hardshrink(x, 0.3)),
      KOILA_TEST_FUNCTION(F::tanhshrink(x)),
      KOILA_TEST_FUNCTION(F::hardtanh(x, F::HardtanhFuncOptions().min_val(-0.5).max_val(0.7))),
      KOILA_TEST_FUNCTION(F::relu6(x * 4)),
      KOILA_TEST_FUNCTION(torch::hardsigmoid(x)),
      KOILA_TEST_FUNCTION(torch::hardswish(x)),
      KOILA_TEST_FUNCTION(F::logsigmoid(x)),
      KOILA_TEST_FUNCTION(F::threshold(x, F::ThresholdFuncOptions(0.1, 2))),
      KOILA_TEST_FUNCTION(F::glu(x, 2)),
      KOILA_TEST_FUNCTION(torch::prelu(x, torch::full({1}, 0.3))),
      KOILA_TEST_FUNCTION(torch::softmax(x, 1)),
      KOILA_TEST_FUNCTION(torch::log_softmax(x, -1)),
      KOILA_TEST_FUNCTION(torch::softmax(x, 0)),
      KOILA_TEST_FUNCTION(F::softmin(x, F::SoftminFuncOptions(1))),
      KOILA_TEST_FUNCTION(F::normalize(x, F::NormalizeFuncOptions().dim(1)))};
  // LibTorch computes celu and hardsigmoid with constants in float32.
  check_all(all, torch::randn({samples, 3, 4}), all.size(), 1e-7);
}

TEST_CASE("intercept: reductions") {
  const in_float64 mode;
  const std::vector<named_function> all{KOILA_TEST_FUNCTION(x.sum()),
                                        KOILA_TEST_FUNCTION(x.sum(0)),
                                        KOILA_TEST_FUNCTION(x.sum(at::IntArrayRef({0, 2}), true)),
                                        KOILA_TEST_FUNCTION(x.sum(-1)),
                                        KOILA_TEST_FUNCTION(x.mean()),
                                        KOILA_TEST_FUNCTION(x.mean(1)),
                                        KOILA_TEST_FUNCTION(x.mean({0}, true)),
                                        KOILA_TEST_FUNCTION(x.var()),
                                        KOILA_TEST_FUNCTION(x.var(0)),
                                        KOILA_TEST_FUNCTION(x.var(1, false)),
                                        KOILA_TEST_FUNCTION(x.std(2)),
                                        KOILA_TEST_FUNCTION(x.std()),
                                        KOILA_TEST_FUNCTION(x.prod(1)),
                                        KOILA_TEST_FUNCTION(x.amax(1)),
                                        KOILA_TEST_FUNCTION(x.amin({0, 1}, true)),
                                        KOILA_TEST_FUNCTION(x.max()),
                                        KOILA_TEST_FUNCTION(x.min()),
                                        KOILA_TEST_FUNCTION(std::get<0>(x.max(1))),
                                        KOILA_TEST_FUNCTION(std::get<1>(x.max(1))),
                                        KOILA_TEST_FUNCTION(std::get<0>(x.min(0, true))),
                                        KOILA_TEST_FUNCTION(std::get<0>(x.median(1))),
                                        KOILA_TEST_FUNCTION(x.argmax()),
                                        KOILA_TEST_FUNCTION(x.argmax(1)),
                                        KOILA_TEST_FUNCTION(x.argmin(0, true)),
                                        KOILA_TEST_FUNCTION(x.logsumexp(1)),
                                        KOILA_TEST_FUNCTION(x.logsumexp(0)),
                                        KOILA_TEST_FUNCTION(x.norm()),
                                        KOILA_TEST_FUNCTION(x.norm(2, 1)),
                                        KOILA_TEST_FUNCTION(x.norm(1, {0}, true)),
                                        KOILA_TEST_FUNCTION((x > 0).all()),
                                        KOILA_TEST_FUNCTION((x > 0).any(1)),
                                        KOILA_TEST_FUNCTION(x.cumsum(1)),
                                        KOILA_TEST_FUNCTION(x.cumsum(0)),
                                        KOILA_TEST_FUNCTION(x.cumprod(2)),
                                        KOILA_TEST_FUNCTION(x.argsort(1, false)),
                                        KOILA_TEST_FUNCTION(std::get<0>(x.sort(1, true))),
                                        KOILA_TEST_FUNCTION(std::get<0>(x.topk(2, 1))),
                                        KOILA_TEST_FUNCTION(std::get<1>(x.topk(2, 0))),
                                        KOILA_TEST_FUNCTION((x > 0).sum()),
                                        KOILA_TEST_FUNCTION(torch::count_nonzero(x > 0)),
                                        KOILA_TEST_FUNCTION(std::get<0>(torch::var_mean(x, 1))),
                                        KOILA_TEST_FUNCTION(x.sum(0, false, torch::kFloat))};
  check_all(all, torch::randn({samples, 3, 4}), all.size() - 1);
}

TEST_CASE("intercept: shapes and indices") {
  const in_float64 mode;
  const std::vector<named_function> all{
      KOILA_TEST_FUNCTION(x.view({-1, 12})),
      KOILA_TEST_FUNCTION(x.view({samples * 3, 4})),
      KOILA_TEST_FUNCTION(x.reshape({-1})),
      KOILA_TEST_FUNCTION(x.reshape({3, samples, 4})),
      KOILA_TEST_FUNCTION(x.flatten()),
      KOILA_TEST_FUNCTION(x.flatten(1)),
      KOILA_TEST_FUNCTION(x.unflatten(2, {2, 2})),
      KOILA_TEST_FUNCTION(x.transpose(0, 1)),
      KOILA_TEST_FUNCTION(x.permute({2, 0, 1})),
      KOILA_TEST_FUNCTION(x.movedim(0, 2)),
      KOILA_TEST_FUNCTION(x.swapaxes(1, 2)),
      KOILA_TEST_FUNCTION(x.mT()),
      KOILA_TEST_FUNCTION(x.unsqueeze(1)),
      KOILA_TEST_FUNCTION(x.unsqueeze(1).squeeze()),
      KOILA_TEST_FUNCTION(x.unsqueeze(-1).squeeze(-1)),
      KOILA_TEST_FUNCTION(x.unsqueeze(1).expand({samples, 5, 3, 4})),
      KOILA_TEST_FUNCTION(x.expand({2, samples, 3, 4})),
      KOILA_TEST_FUNCTION(x.unsqueeze(1).expand_as(torch::zeros({samples, 2, 3, 4}))),
      KOILA_TEST_FUNCTION(x.repeat({2, 1, 3})),
      KOILA_TEST_FUNCTION(x.repeat_interleave(2, 1)),
      KOILA_TEST_FUNCTION(x.flip({1})),
      KOILA_TEST_FUNCTION(x.flip({0, 2})),
      KOILA_TEST_FUNCTION(x.roll(1, 1)),
      KOILA_TEST_FUNCTION(x.roll({2, 1}, {0, 2})),
      KOILA_TEST_FUNCTION(x.select(0, 3)),
      KOILA_TEST_FUNCTION(x.select(1, -1)),
      KOILA_TEST_FUNCTION(x[2]),
      KOILA_TEST_FUNCTION(x.slice(0, 1, 5)),
      KOILA_TEST_FUNCTION(x.slice(2, 0, 4, 2)),
      KOILA_TEST_FUNCTION(x.narrow(1, 1, 2)),
      KOILA_TEST_FUNCTION(x.index({torch::indexing::Slice(), 1})),
      KOILA_TEST_FUNCTION(x.index({torch::indexing::Ellipsis, torch::indexing::Slice(1, 3)})),
      KOILA_TEST_FUNCTION(x.index({torch::indexing::None, 2})),
      KOILA_TEST_FUNCTION(torch::cat({x, x * 2}, 1)),
      KOILA_TEST_FUNCTION(torch::cat({x, x, x, x, x, x, x, x}, 0)),
      KOILA_TEST_FUNCTION(torch::stack({x, x * 2, x, x, x, x, x, x}, 1)),
      KOILA_TEST_FUNCTION(x.chunk(2, 2)[1]),
      KOILA_TEST_FUNCTION(x.chunk(3, 0)[2]),
      KOILA_TEST_FUNCTION(x.split(2, 1)[1]),
      KOILA_TEST_FUNCTION(torch::split(x, {1, 2}, 1)[1]),
      KOILA_TEST_FUNCTION(x.unbind(1)[2]),
      KOILA_TEST_FUNCTION(torch::tensor_split(x, 2, 0)[1]),
      KOILA_TEST_FUNCTION(x.gather(1, torch::zeros({samples, 1, 4}, torch::kLong))),
      KOILA_TEST_FUNCTION(x.index_select(1, torch::tensor({2, 0}))),
      KOILA_TEST_FUNCTION(x.index_select(0, torch::tensor({2, 0, 2}))),
      KOILA_TEST_FUNCTION(x.index({torch::tensor({1, 2, 1})})),
      KOILA_TEST_FUNCTION(x.index({torch::tensor({1, 2}), torch::tensor({0, 2})})),
      KOILA_TEST_FUNCTION(x.take_along_dim(x.argsort(1, false), 1)),
      KOILA_TEST_FUNCTION(x.scatter(1, torch::zeros({samples, 1, 4}, torch::kLong), 2.0)),
      KOILA_TEST_FUNCTION(x.scatter_add(1, torch::ones({samples, 3, 4}, torch::kLong), x * 3)),
      KOILA_TEST_FUNCTION(x.index_add(1, torch::tensor({2, 0}), x.narrow(1, 0, 2))),
      KOILA_TEST_FUNCTION(x.diagonal(0, 1, 2)),
      KOILA_TEST_FUNCTION(x.tril()),
      KOILA_TEST_FUNCTION(x.triu(1)),
      KOILA_TEST_FUNCTION(torch::constant_pad_nd(x, {1, 2, 0, 1}, 0.5)),
      KOILA_TEST_FUNCTION(F::pad(x, F::PadFuncOptions({1, 1}).mode(torch::kReflect))),
      KOILA_TEST_FUNCTION(F::pad(x, F::PadFuncOptions({1, 2}).mode(torch::kReplicate))),
      KOILA_TEST_FUNCTION(F::pad(x, F::PadFuncOptions({1, 2}).mode(torch::kCircular))),
      KOILA_TEST_FUNCTION(F::pad(x, F::PadFuncOptions({0, 1}).value(2))),
      KOILA_TEST_FUNCTION(x.new_zeros({2, 2})),
      KOILA_TEST_FUNCTION(torch::meshgrid({x.select(2, 0).select(1, 0), torch::ones({2})}, "ij")[0]),
      KOILA_TEST_FUNCTION(torch::broadcast_tensors({x, torch::ones({2, 1, 1, 1})})[0]),
      KOILA_TEST_FUNCTION(x.view_as(torch::zeros({samples, 12})))};
  check_all(all, torch::randn({samples, 3, 4}), all.size() - 3);
}

TEST_CASE("intercept: products") {
  const in_float64 mode;
  const std::vector<named_function> all{
      KOILA_TEST_FUNCTION(torch::matmul(x, torch::ones({4, 5}))),
      KOILA_TEST_FUNCTION(torch::matmul(x, x.transpose(1, 2))),
      KOILA_TEST_FUNCTION(torch::bmm(x, x.transpose(1, 2))),
      KOILA_TEST_FUNCTION(torch::matmul(x, torch::ones({4}))),
      KOILA_TEST_FUNCTION(torch::mm(x.select(1, 0), torch::ones({4, 2}))),
      KOILA_TEST_FUNCTION(torch::mm(x.select(1, 0).t(), x.select(1, 1))),
      KOILA_TEST_FUNCTION(torch::mv(x.select(1, 0), torch::ones({4}))),
      KOILA_TEST_FUNCTION(torch::addmm(torch::ones({2}), x.select(1, 0), torch::ones({4, 2}), 0.5, 2)),
      KOILA_TEST_FUNCTION(torch::baddbmm(torch::ones({3, 3}), x, x.transpose(1, 2), 0.5, 2)),
      KOILA_TEST_FUNCTION(torch::outer(x.select(1, 0).select(1, 0), torch::ones({3}))),
      KOILA_TEST_FUNCTION(torch::dot(x.select(1, 0).select(1, 0), x.select(1, 1).select(1, 1))),
      KOILA_TEST_FUNCTION(torch::einsum("bij,bkj->bik", {x, x})),
      KOILA_TEST_FUNCTION(torch::einsum("bij,bij->", {x, x})),
      KOILA_TEST_FUNCTION(torch::tensordot(x, torch::ones({3, 4, 2}), {1, 2}, {0, 1})),
      KOILA_TEST_FUNCTION(torch::cdist(x, x + 1)),
      KOILA_TEST_FUNCTION(F::bilinear(x.select(1, 0), x.select(1, 1), torch::ones({2, 4, 4}), Tensor())),
      KOILA_TEST_FUNCTION(torch::linear(x, torch::ones({5, 4}), torch::ones({5}))),
      KOILA_TEST_FUNCTION(F::linear(x.select(1, 0), torch::ones({5, 4}))),
      KOILA_TEST_FUNCTION(torch::scaled_dot_product_attention(x, x * 2, x * 3)),
      KOILA_TEST_FUNCTION(torch::scaled_dot_product_attention(x, x * 2, x * 3, torch::ones({3, 3}).tril() == 1)),
      KOILA_TEST_FUNCTION(torch::scaled_dot_product_attention(x, x * 2, x * 3, std::nullopt, 0, true)),
      KOILA_TEST_FUNCTION(torch::matrix_exp(x.narrow(2, 0, 3)))};
  check_all(all, torch::randn({samples, 3, 4}), all.size() - 1);
}

TEST_CASE("intercept: losses") {
  const in_float64 mode;
  const auto y = [](const Tensor& x) { return (x.detach() * 3).sigmoid(); };
  static const Tensor labels = torch::randint(3, {samples, 4}, torch::kLong);
  const std::vector<named_function> all{
      KOILA_TEST_FUNCTION(F::mse_loss(x, x.detach() + 1)),
      KOILA_TEST_FUNCTION(F::mse_loss(x, torch::ones({samples, 3, 4}), torch::kSum)),
      KOILA_TEST_FUNCTION(F::mse_loss(x, torch::ones({samples, 3, 4}), torch::kNone)),
      KOILA_TEST_FUNCTION(F::l1_loss(x, x.detach() * 2)),
      KOILA_TEST_FUNCTION(F::smooth_l1_loss(x, x.detach() + 0.5)),
      KOILA_TEST_FUNCTION(F::huber_loss(x, x.detach() + 0.5, F::HuberLossFuncOptions().delta(0.3))),
      KOILA_TEST_FUNCTION(F::cross_entropy(x, labels)),
      KOILA_TEST_FUNCTION(F::cross_entropy(x, labels, F::CrossEntropyFuncOptions().ignore_index(1))),
      KOILA_TEST_FUNCTION(F::cross_entropy(
          x, labels, F::CrossEntropyFuncOptions().weight(torch::tensor({0.5, 1.0, 2.0})).reduction(torch::kSum))),
      KOILA_TEST_FUNCTION(F::cross_entropy(x, labels, F::CrossEntropyFuncOptions().label_smoothing(0.2))),
      KOILA_TEST_FUNCTION(F::cross_entropy(x, labels, F::CrossEntropyFuncOptions().reduction(torch::kNone))),
      KOILA_TEST_FUNCTION(F::cross_entropy(x, x.detach().softmax(1))),
      KOILA_TEST_FUNCTION(F::nll_loss(x.log_softmax(1), labels)),
      KOILA_TEST_FUNCTION(
          F::nll_loss(x.select(2, 0).log_softmax(1), labels.select(1, 0), F::NLLLossFuncOptions().ignore_index(2))),
      KOILA_TEST_FUNCTION(F::binary_cross_entropy(x.sigmoid(), (x.detach() > 0).to(torch::kDouble))),
      KOILA_TEST_FUNCTION(F::binary_cross_entropy(x.sigmoid(), (x.detach() > 0).to(torch::kDouble),
                                                  F::BinaryCrossEntropyFuncOptions().weight(torch::full({4}, 2.0)))),
      KOILA_TEST_FUNCTION(F::binary_cross_entropy_with_logits(x, (x.detach() > 0).to(torch::kDouble))),
      KOILA_TEST_FUNCTION(F::binary_cross_entropy_with_logits(
          x, (x.detach() > 0).to(torch::kDouble),
          F::BinaryCrossEntropyWithLogitsFuncOptions().pos_weight(torch::full({4}, 2.0)))),
      KOILA_TEST_FUNCTION(F::kl_div(x.log_softmax(1), x.detach().softmax(1))),
      KOILA_TEST_FUNCTION(
          F::kl_div(x.log_softmax(1), x.detach().softmax(1), F::KLDivFuncOptions().reduction(torch::kBatchMean))),
      KOILA_TEST_FUNCTION(F::kl_div(x.log_softmax(1), x.detach().log_softmax(1),
                                    F::KLDivFuncOptions().log_target(true).reduction(torch::kSum))),
      KOILA_TEST_FUNCTION(F::poisson_nll_loss(x, x.detach().abs())),
      KOILA_TEST_FUNCTION(F::soft_margin_loss(x, x.detach().sign())),
      KOILA_TEST_FUNCTION(F::hinge_embedding_loss(x, x.detach().sign())),
      KOILA_TEST_FUNCTION(F::multi_margin_loss(x.select(2, 0), labels.select(1, 0))),
      KOILA_TEST_FUNCTION(
          F::multilabel_soft_margin_loss(x.select(2, 0), (x.detach().select(2, 1) > 0).to(torch::kDouble))),
      KOILA_TEST_FUNCTION(F::cosine_embedding_loss(x.select(1, 0), x.select(1, 1), torch::ones({samples}))),
      KOILA_TEST_FUNCTION(F::cosine_similarity(x, x.flip({2}), F::CosineSimilarityFuncOptions().dim(2))),
      KOILA_TEST_FUNCTION(F::margin_ranking_loss(x.select(1, 0), x.select(1, 1), torch::ones({samples, 4}))),
      KOILA_TEST_FUNCTION(F::triplet_margin_loss(x.select(1, 0), x.select(1, 1), x.select(1, 2))),
      KOILA_TEST_FUNCTION(F::pairwise_distance(x.select(1, 0), x.select(1, 1)))};
  (void)y;
  check_all(all, torch::randn({samples, 3, 4}), all.size());
}

TEST_CASE("intercept: convolutions, pooling and normalisation") {
  const in_float64 mode;
  static const Tensor w = torch::randn({5, 2, 3, 3}), w1 = torch::randn({5, 4, 3}), wt = torch::randn({4, 3, 3, 3}),
                      four = torch::rand({4}) + 0.5;
  const std::vector<named_function> all{
      KOILA_TEST_FUNCTION(torch::conv2d(x, torch::cat({w, w}, 1), torch::ones({5}), 2, 1)),
      KOILA_TEST_FUNCTION(torch::conv2d(x, w.narrow(0, 0, 4), Tensor(), 1, 1, 1, 2)),
      KOILA_TEST_FUNCTION(torch::conv2d(x, torch::cat({w, w}, 1), Tensor(), 1, "same")),
      KOILA_TEST_FUNCTION(torch::conv2d(x, torch::cat({w, w}, 1), Tensor(), 1, {2, 2}, 2)),
      KOILA_TEST_FUNCTION(torch::conv1d(x.flatten(2), w1, torch::ones({5}), 2)),
      KOILA_TEST_FUNCTION(torch::conv3d(x.unsqueeze(2), torch::cat({w, w}, 1).unsqueeze(2))),
      KOILA_TEST_FUNCTION(torch::conv_transpose2d(x, wt, torch::ones({3}), 2, 1, 1)),
      KOILA_TEST_FUNCTION(torch::max_pool2d(x, 2)),
      KOILA_TEST_FUNCTION(torch::max_pool2d(x, 3, 2, 1)),
      KOILA_TEST_FUNCTION(torch::max_pool1d(x.flatten(2), 3)),
      KOILA_TEST_FUNCTION(torch::avg_pool2d(x, 2)),
      KOILA_TEST_FUNCTION(torch::avg_pool2d(x, 3, 2, 1, true, false)),
      KOILA_TEST_FUNCTION(torch::avg_pool2d(x, 3, 2, 1, false, true, 5)),
      KOILA_TEST_FUNCTION(torch::adaptive_avg_pool2d(x, {3, 2})),
      KOILA_TEST_FUNCTION(torch::adaptive_avg_pool2d(x, {1, 1})),
      KOILA_TEST_FUNCTION(F::adaptive_max_pool2d(x, F::AdaptiveMaxPool2dFuncOptions(3))),
      KOILA_TEST_FUNCTION(F::lp_pool2d(x, F::LPPool2dFuncOptions(2, 2))),
      KOILA_TEST_FUNCTION(torch::layer_norm(x, {6, 6})),
      KOILA_TEST_FUNCTION(torch::layer_norm(x, {6}, torch::ones({6}) * 2, torch::ones({6}))),
      KOILA_TEST_FUNCTION(torch::group_norm(x, 2)),
      KOILA_TEST_FUNCTION(torch::group_norm(x, 2, four, four * 2, 1e-3)),
      KOILA_TEST_FUNCTION(torch::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false)),
      KOILA_TEST_FUNCTION(torch::batch_norm(x, four, four * 2, {}, {}, true, 0.1, 1e-5, false)),
      KOILA_TEST_FUNCTION(torch::batch_norm(x, four, four * 2, four, four * 3, false, 0.1, 1e-5, false)),
      KOILA_TEST_FUNCTION(torch::batch_norm(x, {}, {}, four, four * 3, false, 0.1, 1e-5, false)),
      KOILA_TEST_FUNCTION(torch::rms_norm(x, {6}, torch::ones({6}) * 2)),
      KOILA_TEST_FUNCTION(F::local_response_norm(x, F::LocalResponseNormFuncOptions(2))),
      KOILA_TEST_FUNCTION(torch::pixel_shuffle(x, 2)),
      KOILA_TEST_FUNCTION(torch::pixel_unshuffle(x, 2)),
      KOILA_TEST_FUNCTION(torch::channel_shuffle(x, 2)),
      KOILA_TEST_FUNCTION(F::interpolate(x, F::InterpolateFuncOptions().size(std::vector<std::int64_t>{9, 4}))),
      KOILA_TEST_FUNCTION(F::interpolate(x, F::InterpolateFuncOptions()
                                                .scale_factor(std::vector<double>{2, 2})
                                                .mode(torch::kBilinear)
                                                .align_corners(true))),
      KOILA_TEST_FUNCTION(x.unfold(2, 3, 1)),
      KOILA_TEST_FUNCTION(F::interpolate(x, F::InterpolateFuncOptions()
                                                .size(std::vector<std::int64_t>{9, 4})
                                                .mode(torch::kBicubic)
                                                .align_corners(false))),
      KOILA_TEST_FUNCTION(F::unfold(x, F::UnfoldFuncOptions(2))),
      KOILA_TEST_FUNCTION(F::fold(x.flatten(1).view({samples, 16, 9}), F::FoldFuncOptions({6, 6}, 2).stride(2)))};
  check_all(all, torch::randn({samples, 4, 6, 6}), all.size() - 2);
}

}  // namespace

}  // namespace intercept_test
