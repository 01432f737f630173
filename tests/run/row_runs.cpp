// SPDX-License-Identifier: MIT
// Ops along rows, fused with element-wise ops. If a normalisation shares a kernel with the ops
// before and after it, the results have the same bits as with separate kernels.
#include "instructions.hpp"
#include "long.hpp"
#include "run/support.hpp"

#include <ATen/ops/cos.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sum.h>

using namespace koila;
using namespace ::test;

namespace {

/// Counts the steps of an expression's plan that share a kernel with other steps.
auto fused_in(const auto& y) -> int {
  const memory_plan p = plan(y);
  int n = 0;
  for (const fusion_groups& runs : p.buffers.section_runs)
    for (std::size_t k = 0; k < runs.first.size(); ++k) n += runs.is_fused(k) ? 1 : 0;
  return n;
}

struct rows_of_elements {
  at::Tensor x, z, w, b;
  rows_of_elements(at::IntArrayRef lead, at::IntArrayRef row, at::ScalarType type)
      : w(at::randn(row, type)), b(at::randn(row, type)) {
    std::vector<std::int64_t> sizes(lead.begin(), lead.end());
    sizes.insert(sizes.end(), row.begin(), row.end());
    x = at::randn(sizes, type) * 3 + 1, z = at::randn(sizes, type);
  }
};

/// Compares fused expressions with eager calls, in which each op runs its own kernel.
void check_rows(const rows_of_elements& t, bool fits) {
  CAPTURE(t.x.sizes(), t.w.sizes(), t.x.scalar_type());
  const auto x = lazy(t.x), z = lazy(t.z);
  const auto w = lazy(t.w), b = lazy(t.b);
  const at::Tensor normal = layer_norm(t.x, t.w, t.b);
  CHECK(identical(run(layer_norm(x, w, b)), normal));
  const auto after = relu(layer_norm(x, w, b)) - z;
  CHECK(identical(run(after), at::relu(normal) - t.z));
  CHECK(fused_in(after) == (fits ? 3 : 2));
  CHECK(identical(run(layer_norm(x * z, w, b)), layer_norm(t.x * t.z, t.w, t.b)));
  CHECK(identical(run(cos(relu(layer_norm(x * z, w, b)))), at::cos(at::relu(layer_norm(t.x * t.z, t.w, t.b)))));
  CHECK(identical(run(relu(softmax(x * z, -1_c)) * x), softmax(t.x * t.z, -1_c) * t.x));
  CHECK(identical(run(relu(log_softmax(x * z, -1_c)) * x), at::relu(log_softmax(t.x * t.z, -1_c)) * t.x));
  const auto made = relu(layer_norm(x, w, b)) * z;
  const at::Tensor exact = (at::relu(normal) * t.z).to(at::kDouble);
  const double bound = t.x.scalar_type() == at::kDouble ? 1e-13 : 1e-5;
  CHECK(at::allclose(run(sum(made)).to(at::kDouble), exact.sum(), bound, bound * exact.abs().sum().item<double>()));
  CHECK(
      at::allclose(run(sum(made, 0_c)).to(at::kDouble), exact.sum(0), bound, bound * static_cast<double>(t.x.size(0))));
  CHECK(at::allclose(run(sum(made, -1_c)).to(at::kDouble), exact.sum(-1), bound,
                     bound * static_cast<double>(t.x.size(-1))));
  // One factor is a row that all rows share; another factor has one number for each row.
  const at::Tensor scale = at::randn({t.x.size(0), 1}, t.x.scalar_type());
  if (t.x.dim() == 2) CHECK(identical(run(layer_norm(x, w, b) * w * lazy(scale)), normal * t.w * scale));
}

}  // namespace

TEST_CASE("rows: a normalisation among elements has the bits that it has alone") {
  using enum koila::detail::instructions;
  for (const auto set : {baseline, avx2, avx512}) {
    const while_set limit(koila::detail::most_instructions, set);
    for (const at::ScalarType type : {at::kFloat, at::kDouble})
      for (const std::int64_t n : koila::test::of_sweep<std::vector<std::int64_t>>(
               {1, 3, 10, 64, 127, 200, 256, 2048}, {1, 3, 10, 48, 64, 127, 128, 200, 256, 768, 1000, 2048, 6000}))
        for (const std::int64_t rows : {1, 2, 7, 50}) {
          const auto bytes = static_cast<index_t>(n) * (type == at::kFloat ? 4 : 8);
          // The bytes that the norm, relu and the difference read and write.
          check_rows({{rows}, {n}, type}, 7 * bytes <= most_bytes_of_tiles);
        }
  }
}

TEST_CASE("rows: of more than the caches hold, and written past them") {
  const rows_of_elements t({520}, {1100}, at::kFloat);
  check_rows(t, true);
  const while_set far(koila::detail::bytes_far, std::int64_t{0});
  check_rows(t, true);
  check_rows({{9}, {40}, at::kFloat}, true);
}

TEST_CASE("rows: what is computed again in another loop has the same bits") {
  const input<batch, 200> x{"x"};
  const parameter<200> w{"w"}, b{"b"};
  set(w, at::randn({200})), set(b, at::randn({200}));
  const at::Tensor values = at::randn({50, 200});
  const auto y = layer_norm(x * 1.5, w, b) * 0.7;  // no two of its values are equal
  const auto largest = sum(to<float32>(eq(y, amax(y, 0_c))));
  for (const index_t chunk : {0, 16, 3, 1})
    CHECK(run(largest, options{.chunk = chunk}, x = values).item<float>() == 200);
}

TEST_CASE("rows: of several dims, beside what is broadcast along some of them") {
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    check_rows({{5, 2}, {3, 20}, type}, true);
    check_rows({{9}, {3, 129}, type}, true);
    const rows_of_elements t({7, 2}, {3, 130}, type);
    const at::Tensor inner = at::randn({130}, type), outer = at::randn({3, 1}, type), each = at::randn({2, 1, 1}, type);
    const at::Tensor normal = layer_norm(t.x, t.w, t.b);
    CHECK(identical(run(layer_norm(lazy(t.x), lazy(t.w), lazy(t.b)) * lazy(inner)), normal * inner));
    CHECK(identical(run(layer_norm(lazy(t.x), lazy(t.w), lazy(t.b)) * lazy(outer)), normal * outer));
    CHECK(identical(run(layer_norm(lazy(t.x), lazy(t.w), lazy(t.b)) * lazy(each)), normal * each));
    CHECK(identical(run(softmax(lazy(t.x) * lazy(inner), -1_c) * lazy(outer)), softmax(t.x * inner, -1_c) * outer));
    // Rows of different lengths need different kernels. Rows along other dims are not contiguous.
    const auto both = layer_norm(softmax(lazy(t.x) * 2.0, -1_c), lazy(t.w), lazy(t.b));
    CHECK(identical(run(both), layer_norm(softmax(t.x * 2.0, -1_c), t.w, t.b)));
    CHECK(near(run(softmax(lazy(t.x) * 2.0, 1_c) * lazy(t.z)), softmax(t.x * 2.0, 1_c) * t.z));
    // An operand is also read through a view, in a different order than its memory order.
    const at::Tensor transposed = at::randn({3, 130, 7, 2}, type).permute({2, 3, 0, 1});
    CHECK(identical(run(layer_norm(lazy(transposed) + lazy(t.x), lazy(t.w), lazy(t.b)) * lazy(transposed)),
                    layer_norm(transposed + t.x, t.w, t.b) * transposed));
  }
}

namespace {

template <dtype Type, index_t N>
void check_gradients(at::ScalarType type, double bound) {
  CAPTURE(N, type);
  const input<Type, batch, N> x{"x"};
  parameter<Type, N> w{"w"}, b{"b"}, shift{"shift"};
  const at::Tensor values = at::randn({37, N}, type);
  for (const auto* p : {&w, &b, &shift}) set(*p, at::randn({N}, type));
  const auto h = let(tanh(x + shift));
  const auto loss = mean(square(relu(layer_norm(h, w, b)) + log_softmax(softmax(h * 2.0, -1_c) - h, -1_c)));
  const at::Tensor features = values.to(at::kDouble);
  std::vector<at::Tensor> exact;
  for (const auto* p : {&w, &b, &shift}) exact.push_back(tensor_of(*p).detach().to(at::kDouble).requires_grad_());
  const at::Tensor u = at::tanh(features + exact[2]);
  at::square(at::relu(at::layer_norm(u, {N}, exact[0], exact[1])) + at::log_softmax(at::softmax(u * 2.0, -1) - u, -1))
      .mean()
      .backward();
  for (const index_t chunk : {0, 32, 8, 3, 1}) {
    CAPTURE(chunk);
    for (const auto* p : {&w, &b, &shift}) tensor_of(*p).mutable_grad().reset();
    const options o{.chunk = chunk};
    const memory_plan p = plan(loss, o, x = values);
    const measure m;
    backward(loss, o, x = values);
    CHECK(m.peak() == p.peak_bytes());
    std::size_t k = 0;
    for (const auto* q : {&w, &b, &shift}) CHECK(relative_error(tensor_of(*q).grad(), exact[k++].grad()) < bound);
  }
}

}  // namespace

TEST_CASE("rows: gradients of normalisations among elements, in chunks, in the memory that is planned") {
  check_gradients<float64, 10>(at::kDouble, 1e-12);
  check_gradients<float64, 300>(at::kDouble, 1e-12);
  check_gradients<float32, 10>(at::kFloat, 2e-5);
  check_gradients<float32, 48>(at::kFloat, 2e-5);
  check_gradients<float32, 256>(at::kFloat, 2e-5);
  check_gradients<float32, 1000>(at::kFloat, 2e-5);
}

TEST_CASE("rows of 16 bits are LibTorch's, or their own kernel's") {
  for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
    const rows_of_elements t({6}, {40}, type);
    CHECK(identical(run(relu(layer_norm(lazy(t.x), lazy(t.w), lazy(t.b)))), at::relu(layer_norm(t.x, t.w, t.b))));
    CHECK(identical(run(relu(softmax(lazy(t.x), -1_c))), at::relu(softmax(t.x, -1_c))));
  }
}
