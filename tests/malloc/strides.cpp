// SPDX-License-Identifier: MIT
// Updates, and additions to gradients, call no malloc, whatever the strides of the tensors. So a
// failing malloc cannot leave some parameters changed and others unchanged.
#include "malloc/failing.hpp"
#include "run/support.hpp"

#include <ATen/OpMathType.h>

using namespace koila;
using namespace ::test;

namespace {

/// A copy of a (6, 4, 5, 3) tensor with other strides: channels last, permuted, or with gaps.
auto laid_out(const at::Tensor& t, int variant) -> at::Tensor {
  if (variant == 0) return t.contiguous(at::MemoryFormat::ChannelsLast);
  if (variant == 1) return t.permute({3, 1, 0, 2}).contiguous().permute({2, 1, 3, 0});
  return at::zeros({6, 8, 5, 3}, t.options()).slice(1, 0, 8, 2).copy_(t);
}

/// Returns how many times f calls malloc. Each of these calls fails.
auto refused_calls(const auto& f) -> int {
  failing_malloc::begin(1, 1);
  failing_malloc::resume();
  try {
    f();
  } catch (const std::exception&) {}
  failing_malloc::pause();
  return failing_malloc::failed();
}

/// Calls f(tensor, contiguous copy, gradient) for every dtype and layout.
void each_layout(const auto& f) {
  at::manual_seed(6);
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16})
    for (int variant = 0; variant < 3; ++variant) {
      CAPTURE(type, variant);
      const at::Tensor p = laid_out(at::randn({6, 4, 5, 3}, type), variant);  // (6, 4, 5, 3)
      f(p, p.clone(at::MemoryFormat::Contiguous), at::randn({6, 4, 5, 3}, type));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("trials G: no optimiser calls malloc in an update, whatever the strides", "", sgd, adam, adamw,
                   rmsprop, adagrad) {
  each_layout([](const at::Tensor& p, const at::Tensor& contiguous, const at::Tensor& g) {
    TestType o{};
    if constexpr (requires { o.momentum; }) o.momentum = 0.9;
    if constexpr (requires { o.weight_decay; }) o.weight_decay = 0.01;
    const at::ScalarType type = p.scalar_type();
    auto state = o.state_for(p), other = o.state_for(contiguous);
    for (int i = 0; i < 2; ++i) {
      const at::Tensor own = g.clone(), copy = g.clone();
      o.update(contiguous, copy, other);
      CHECK(refused_calls([&] { o.update(p, own, state); }) == 0);
      // Strided elements are updated one by one, so the last bits may differ.
      const double rounding = at::toOpMathType(type) != type ? 0x1p-7 : type == at::kFloat ? 0x1p-22 : 0x1p-50;
      CHECK(at::allclose(p, contiguous, 4 * rounding, 4 * rounding));
    }
  });
}

TEST_CASE("trials G: a gradient is added to one that is there without malloc, with LibTorch's bits") {
  each_layout([](const at::Tensor& to, const at::Tensor& theirs, const at::Tensor& g) {
    const auto version = to._version();
    CHECK(refused_calls([&] { koila::detail::add_gradient(to, g); }) == 0);
    CHECK(at::equal(to, theirs.add_(g)));
    CHECK(to._version() > version);
  });
}
