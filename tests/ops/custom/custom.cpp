// SPDX-License-Identifier: MIT
#include <koila/ops/custom/custom.hpp>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("custom") {
  // One kernel forward and one backward. The plan predicts the measured memory.
  const auto squash = [](const at::Tensor& t) { return at::sigmoid(t); };
  check(
      ask{.twice = false},
      [&](const auto& x) { return custom(squash, x, koila::workspace = 0, koila::backward_workspace = 0); }, squash,
      per_sample(normal({5, 3})));  // (batch, 3)
  check(
      ask{.twice = false},
      [&](const auto& x) {
        return custom(squash, x, koila::per_sample = true, koila::workspace = 0, koila::backward_workspace = 0);
      },
      squash, per_sample(normal({5, 3})));  // (batch, 3)
  for (const auto& [sizes, batch] : some_sizes(1, 3)) {
    check(
        ask{.twice = false},
        [&](const auto& x) {
          return custom(squash, x, koila::per_sample = true, koila::workspace = 0, koila::backward_workspace = 0);
        },
        squash, per_sample(normal(sizes), batch));
  }
  // Two operands. The second operand is a weight, which each chunk needs as a whole. Its gradient
  // is summed over the chunks.
  const auto product = [](const at::Tensor& a, const at::Tensor& w) { return at::mm(a, w); };
  for (const bool rows : {false, true})
    check(
        ask{.twice = false},
        [&](const auto& x, const auto& w) {
          return custom(product, x, w, koila::per_sample = rows, koila::workspace = 0, koila::backward_workspace = 0);
        },
        product, per_sample(normal({5, 3})), whole(normal({3, 2})));  // (batch, 3), (3, 2)
  // The callable mixes samples, so its operand is gathered.
  const auto over_samples = [](const at::Tensor& t) { return at::softmax(t, 0); };
  check(
      ask{.twice = false},
      [&](const auto& x) { return custom(over_samples, x, koila::workspace = 0, koila::backward_workspace = 0); },
      over_samples, per_sample(normal({5, 4})));
  // Scalars, integers and other dtypes.
  check(
      ask{.twice = false},
      [&](const auto& x) { return custom(squash, x, koila::workspace = 0, koila::backward_workspace = 0); }, squash,
      whole(normal({})));
  const at::Tensor index = labels(10, 3).view({5, 2});  // (batch, 2)
  const auto chosen = [](const at::Tensor& t, const at::Tensor& i) { return at::gather(t, 1, i); };
  check(
      ask{.twice = false},
      [&](const auto& x, const auto& i) {
        return custom(chosen, x, i, koila::per_sample = true, koila::workspace = 0, koila::backward_workspace = 0);
      },
      chosen, per_sample(normal({5, 3})), per_sample(index));
  check(
      ask{.gradients = false},
      [&](const auto& x) {
        return custom([](const at::Tensor& t) { return t.argmax(1); }, x, koila::per_sample = true,
                      koila::workspace = 0, koila::backward_workspace = 0);
      },
      [](const at::Tensor& t) { return t.argmax(1); }, per_sample(normal({5, 3})));
  // Five operands.
  const auto total = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& d,
                        const at::Tensor& e) { return at::add(a, b).add_(c).add_(d).add_(e); };
  check(
      ask{.gradients = false},
      [&](const auto& a, const auto& b, const auto& c, const auto& d, const auto& e) {
        return custom(total, a, b, c, d, e, koila::per_sample = true, koila::workspace = 0,
                      koila::backward_workspace = 0);
      },
      total, per_sample(normal({5, 3})), whole(normal({3})), per_sample(normal({5, 1})), whole(normal({1, 3})),
      whole(normal({})));
}

TEST_CASE("custom: what is stated") {
  // A stated workspace: the memory besides the result, here for an intermediate value.
  const input<float64, batch, 3> x{"x"};
  const auto twice = [](const at::Tensor& a) { return at::exp(at::sigmoid(a)); };
  const auto bytes = [](const auto& a) {
    if constexpr (PlainTensor<std::remove_cvref_t<decltype(a)>>) return index_t{0};
    else return index_t{5 * 3} * bytes_of(a.state->declared.type);
  };
  check(
      ask{.gradients = false}, [&](const auto& a) { return custom(twice, a, workspace = bytes(a)); }, twice,
      per_sample(normal({5, 3})));
  // Stated dims: for a callable that reads values, and for a callable that captures a tensor.
  const auto clipped = [](const at::Tensor& t) {
    const double least = -t.sum().abs().item<double>() / 9;
    return at::clamp(t, least, 1e9);
  };
  const auto same_dims = [](const dims& d) { return d; };
  check(
      ask{.gradients = false},
      [&](const auto& a) {
        return custom(clipped, a, rule = same_dims, koila::workspace = 0, koila::backward_workspace = 0);
      },
      clipped, per_sample(normal({5, 3})));
  const at::Tensor table = normal({4, 3}).to(at::kDouble);
  const auto shifted = [=](const at::Tensor& t) { return at::linear(t, table); };
  const auto to_four = [](const dims& d) -> verdict {
    if (d.rank != 2) return reason::no_rule_for_these_ranks;
    return dims({d.e[0], extent(4)}, d.type);
  };
  const at::Tensor values = normal({5, 3});
  for (const bool rows : {false, true})
    for (const index_t chunk : {5, 2})
      same(run(custom(shifted, x, rule = to_four, koila::per_sample = rows, koila::workspace = 0,
                      koila::backward_workspace = 0),
               {.chunk = chunk}, x = values),
           shifted(values));
  same(custom(shifted, values, rule = to_four, koila::workspace = 0, koila::backward_workspace = 0), shifted(values));
  const input<float64, batch> line{"line"};
  refused(
      [&] {
        (void)run(custom(shifted, line, rule = to_four, koila::workspace = 0, koila::backward_workspace = 0),
                  line = values.select(1, 0));
      },
      "custom: float64[batch=5]: no rule for these ranks");
  // The result differs from the stated dims.
  CHECK_THROWS_WITH(
      run(custom(shifted, x, rule = same_dims, koila::workspace = 0, koila::backward_workspace = 0), x = values),
      "custom: the callable returns float64[5, 4], of which was known float64[5, 3]");
}

TEST_CASE("custom: refusals") {
  const input<float64, batch, 3> x{"x"};
  const at::Tensor values = normal({5, 3});
  const auto reads = [](const at::Tensor& t) { return at::mul(t, t.sum().item<double>()); };
  CHECK_THROWS_WITH(
      run(custom(reads, x, koila::workspace = 0, koila::backward_workspace = 0), x = values),
      Catch::Matchers::StartsWith("custom: float64[batch=5, 3]: the dims of the result are not found by calling it on "
                                  "tensors without data; state them: rule = "));
  refused(
      [&] {
        (void)run(custom([](const at::Tensor& t) { return t.sum(); }, x, koila::per_sample = true, koila::workspace = 0,
                         koila::backward_workspace = 0),
                  x = values);
      },
      "custom: float64[batch=5, 3]: with per_sample = true the result has a row along dim 0 for each of an operand");
  refused(
      [&] {
        (void)run(custom([](const at::Tensor&) { return at::Tensor(); }, x, koila::workspace = 0,
                         koila::backward_workspace = 0),
                  x = values);
      },
      "custom: float64[batch=5, 3]: the callable returns no tensor");
  const auto two = make_opaque<2>([](const at::Tensor& a, const at::Tensor& b) { return at::add(a, b); });
  refused([&] { (void)run(custom(two, x, koila::workspace = 0, koila::backward_workspace = 0), x = values); },
          "custom: float64[batch=5, 3]: no rule for these ranks");
}

}  // namespace koila::test
