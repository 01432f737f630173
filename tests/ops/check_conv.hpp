// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of convolutions. `f` is the op. `g` is LibTorch's operator, with
// LibTorch's order of arguments.
#include "check.hpp"

#include <ATen/ops/constant_pad_nd.h>

namespace koila::test {

/// A convolution: the sizes of the input and of the weight, and options that apply to every spatial
/// dim.
struct conv_case {
  std::vector<std::int64_t> x, w;
  std::int64_t stride = 1, padding = 0, dilation = 1, groups = 1, output_padding = 0;
};
inline auto of_each_dim(const conv_case& c, std::int64_t n) -> std::vector<std::int64_t> {
  return std::vector<std::int64_t>(c.x.size() - 2, n);
}

/// Checks inputs without a batch dim, and with a batch dim that the kernel slides over.
template <class F, class G>
void check_elsewhere(const F& f, const G& g, const std::vector<std::int64_t>& one, const std::vector<std::int64_t>& w) {
  std::vector<std::int64_t> some{3};
  some.insert(some.end(), one.begin(), one.end());
  check(f, g, whole(normal(one)), whole(normal(w)));
  check(f, g, per_sample(normal(some), 2), whole(normal(w)));
}

/// Checks all `cases`. `one`: the sizes of an input without the batch dim. `w`: the sizes of a
/// weight for that input. Each of `kernels` is also tested with "same" padding, which keeps the
/// sizes `one`.
template <class F, class G>
void check_conv(const F& f, const G& g, const std::vector<conv_case>& cases, const std::vector<std::int64_t>& one,
                const std::vector<std::int64_t>& w, const std::vector<std::vector<std::int64_t>>& kernels) {
  using no_bias = std::optional<at::Tensor>;
  for (const conv_case& c : cases) {
    const auto s = of_each_dim(c, c.stride), p = of_each_dim(c, c.padding), d = of_each_dim(c, c.dilation);
    const auto conv = [&](const auto&... t) {
      return f(t..., stride = c.stride, padding = c.padding, dilation = c.dilation, groups = c.groups);
    };
    check(
        conv,
        [&](const at::Tensor& x, const at::Tensor& v) {
          return g(x, v, no_bias(), at::IntArrayRef(s), at::IntArrayRef(p), at::IntArrayRef(d), c.groups);
        },
        per_sample(normal(c.x)), whole(normal(c.w)));
    check(
        ask{.twice = c.x[0] == 3}, conv,
        [&](const at::Tensor& x, const at::Tensor& v, const at::Tensor& b) {
          return g(x, v, b, at::IntArrayRef(s), at::IntArrayRef(p), at::IntArrayRef(d), c.groups);
        },
        per_sample(normal(c.x)), whole(normal(c.w)), whole(normal({c.w[0]})));
  }
  check_elsewhere(f, g, one, w);
  for (const auto& k : kernels) {
    std::vector<std::int64_t> sizes{3}, weight{3, 2};
    sizes.insert(sizes.end(), one.begin(), one.end());
    weight.insert(weight.end(), k.begin(), k.end());
    check(
        ask{.twice = k[0] == 2}, [&](const auto& x, const auto& v) { return f(x, v, padding = kSame); },
        [&](const at::Tensor& x, const at::Tensor& v) {
          // Pads the input separately, because LibTorch warns if "same" padding is uneven. `around`
          // contains the padding of each dim, from the last dim to the first.
          std::vector<std::int64_t> around;
          for (auto n = k.rbegin(); n != k.rend(); ++n) around.push_back((*n - 1) / 2), around.push_back(*n / 2);
          return g(at::constant_pad_nd(x, around), v);
        },
        per_sample(normal(sizes)), whole(normal(weight)));
  }
}

template <class F, class G>
void check_conv_transpose(const F& f, const G& g, const std::vector<conv_case>& cases,
                          const std::vector<std::int64_t>& one, const std::vector<std::int64_t>& w) {
  for (const conv_case& c : cases) {
    const auto s = of_each_dim(c, c.stride), p = of_each_dim(c, c.padding), d = of_each_dim(c, c.dilation),
               o = of_each_dim(c, c.output_padding);
    const auto conv = [&](const auto&... t) {
      return f(t..., stride = c.stride, padding = c.padding, output_padding = c.output_padding, dilation = c.dilation,
               groups = c.groups);
    };
    const auto want = [&](const at::Tensor& x, const at::Tensor& v, const std::optional<at::Tensor>& b) {
      return g(x, v, b, at::IntArrayRef(s), at::IntArrayRef(p), at::IntArrayRef(o), c.groups, at::IntArrayRef(d));
    };
    check(
        conv, [&](const at::Tensor& x, const at::Tensor& v) { return want(x, v, std::nullopt); },
        per_sample(normal(c.x)), whole(normal(c.w)));
    check(ask{.twice = c.x[0] == 3}, conv, want, per_sample(normal(c.x)), whole(normal(c.w)),
          whole(normal({c.w[1] * c.groups})));
  }
  check_elsewhere(f, g, one, w);
}

}  // namespace koila::test
