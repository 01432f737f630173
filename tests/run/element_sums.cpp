// SPDX-License-Identifier: MIT
// Sums at the end of element-wise kernels: over any dims, of values that no other kernel reads, for
// the whole batch and in chunks.
#include "float32_bound.hpp"
#include "instructions.hpp"
#include "run/support.hpp"

#include <rapidcheck.h>

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

/// The sizes of a value, and some of its dims.
struct summed_value {
  std::vector<std::int64_t> sizes, dims;
};
auto any_sum() -> summed_value {
  summed_value v;
  std::int64_t count = 1;
  for (int i = 0, rank = *rc::gen::inRange(1, 5); i < rank; ++i) {
    const std::int64_t n = *rc::gen::element<std::int64_t>(0, 1, 2, 3, 10, 33, 64, 130, 257, 1100, 5000);
    v.sizes.push_back(count * n > 300'000 ? 3 : n);
    count *= std::max<std::int64_t>(1, v.sizes.back());  // an empty tensor may also have many sums
    if (*rc::gen::arbitrary<bool>()) v.dims.push_back(i);
  }
  if (v.dims.empty()) v.dims.push_back(0);
  return v;
}

/// Returns true if an element-wise kernel can compute the sum. The dims that it keeps must be
/// adjacent, and the number of sums is limited.
auto added_by_kernel(const summed_value& v) -> bool {
  dims d = open_dims(static_cast<int>(v.sizes.size()));
  unsigned over = 0;
  for (int i = 0; i < d.rank; ++i) d.e[i] = extent{v.sizes[static_cast<std::size_t>(i)]};
  for (const std::int64_t i : v.dims) over |= 1U << static_cast<unsigned>(i);
  const sum_shape s = sum_shape_of(d, over);
  return s.regular && added_up_in(s) <= most_sums;
}

/// Computes sum(x) over up to four dims.
auto sum_over(const auto& x, const std::vector<std::int64_t>& d, bool keep) -> at::Tensor {
  const auto over = [&](auto... i) {
    return run(sum(x, dim = list_of(d[static_cast<std::size_t>(i)]...), keepdim = keep));
  };
  switch (d.size()) {
    case 1: return over(0);
    case 2: return over(0, 1);
    case 3: return over(0, 1, 2);
    default: return over(0, 1, 2, 3);
  }
}

/// Returns true if an element-wise kernel of the plan computes a sum.
auto ends_in_sum(const memory_plan& p) -> bool {
  bool found = false;
  for (std::size_t l = 0; l < p.order.section.size(); ++l)
    for (std::size_t k = 0; k < p.order.section[l].size(); ++k)
      found =
          found || (p.buffers.section_runs[l].is_fused(k) && p.graph.node(p.order.section[l][k]).op->sums != nullptr);
  for (std::size_t l = 0; l < p.order.loop_of.size(); ++l)
    for (std::size_t k = 0; k < p.order.loop_of[l].body.size(); ++k) {
      const graph_node& x = p.graph.node(p.order.loop_of[l].body[k]);
      found = found || (p.buffers.loop_runs[l].is_fused(k) && x.op != nullptr && x.op->sums != nullptr);
    }
  return found;
}

}  // namespace

TEST_CASE("sums of elements: over any dims") {
  CHECK(rc::check("float64 and float32", [] {
    const summed_value v = any_sum();
    const bool keep = *rc::gen::arbitrary<bool>();
    for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
      const at::Tensor a = at::randn(v.sizes, type), b = at::rand(v.sizes.back(), type) + 0.5;
      const at::Tensor y = sum_over(square(lazy(a)) * lazy(b) + lazy(b), v.dims, keep);
      const at::Tensor wide = b.to(at::kDouble), want = at::sum(a.to(at::kDouble).square() * wide + wide, v.dims, keep);
      RC_ASSERT(y.sizes() == want.sizes());
      // All terms are positive. If no kernel of koila's computes the sum, LibTorch's operator does,
      // and its error is allowed as well.
      const double theirs = added_by_kernel(v) ? 0 : relative_error(at::sum(a.square() * b + b, v.dims, keep), want);
      RC_ASSERT(relative_error(y, want) < std::max(type == at::kDouble ? 1e-14 : 2e-7, 1.5 * theirs));
    }
  }));
}

TEST_CASE("sums of elements: many beside each other, of what is computed and of what is read") {
  const at::Tensor a = at::randn({40, 12, 300}), b = at::randn({12, 300}), c = at::randn({40, 12, 1});
  const auto x = lazy(a), y = lazy(b), z = lazy(c);
  const auto t = let(x * y + z);
  const auto u = relu(t) * x;
  const auto total =
      sum(square(sum(u, 0_c))) + sum(square(sum(t, 2_c))) + sum(square(sum(x, list_of(0_c, 2_c)))) + sum(u * t);
  const at::Tensor A = a.to(at::kDouble), B = b.to(at::kDouble), T = A * B + c.to(at::kDouble), U = at::relu(T) * A;
  const at::Tensor want =
      U.sum(0).square().sum() + T.sum(2).square().sum() + A.sum(at::IntArrayRef{0, 2}).square().sum() + (U * T).sum();
  CHECK(ends_in_sum(plan(total)));
  CHECK(relative_error(run(total), want) < float32_bound(1000));
}

TEST_CASE("sums of elements: the same whatever the threads, in each set of instructions within rounding") {
  const at::Tensor a = at::randn({300, 700});
  const auto y = sum(square(lazy(a)) * 0.5, 0_c);
  const at::Tensor one = run(y);
  at::set_num_threads(2);
  const at::Tensor two = run(y);
  at::set_num_threads(1);
  CHECK(identical(one, two));
  const at::Tensor want = (a.to(at::kDouble).square() * 0.5).sum(0);
  for (const auto most : {koila::detail::instructions::baseline, koila::detail::instructions::avx2}) {
    const while_set limit(koila::detail::most_instructions, most);
    CHECK(relative_error(run(y), want) < 1e-7);
  }
}

TEST_CASE("sums of elements: gradients of biases and of weights of norms, in chunks and whole, few and many") {
  const input<batch, 6, 40> x{"x"};
  const parameter<40> w{"w"}, b{"b"};
  const parameter<6, 1> s{"s"};
  const auto h = relu(x * w + b) * s;
  const auto loss = mean(square(h - x)) + mean(sum(h * h, -1_c));
  const at::Tensor values = at::randn({300, 6, 40}), wide = values.to(at::kDouble);
  std::vector<at::Tensor> leaves;
  for (const auto& p : {tensor_of(w), tensor_of(b), tensor_of(s)}) {
    p.detach().copy_(at::randn(p.sizes()));
    leaves.push_back(p.detach().to(at::kDouble).requires_grad_());
  }
  const at::Tensor inner = at::relu(wide * leaves[0] + leaves[1]) * leaves[2];
  const at::Tensor want = (inner - wide).square().mean() + (inner * inner).sum(-1).mean();
  want.backward();
  for (const index_t chunk : {1, 2, 4, 64, 300}) {
    const options o{.chunk = chunk};
    CHECK(ends_in_sum(plan(loss, o, x = values)));
    for (const auto& p : {tensor_of(w), tensor_of(b), tensor_of(s)}) p.mutable_grad() = at::Tensor();
    CHECK(relative_error(backward(loss, o, x = values), want) < float32_bound(1000));
    CHECK(relative_error(tensor_of(w).grad(), leaves[0].grad()) < float32_bound(1000));
    CHECK(relative_error(tensor_of(b).grad(), leaves[1].grad()) < float32_bound(1000));
    CHECK(relative_error(tensor_of(s).grad(), leaves[2].grad()) < float32_bound(1000));
  }
}

TEST_CASE("sums of elements: views between what one kernel computes") {
  const input<batch, 4> x{"x"};
  const parameter<4> a{"a"}, b{"b"};
  const at::Tensor values = at::randn({5, 4});
  set(a, at::randn({4}));
  const at::Tensor got = run(gradient(sum(x * a * b), b), x = values);
  CHECK(near(got, (values * tensor_of(a)).sum(0)));
}

TEST_CASE("sums of elements take no tensor memory, and what they are of has none") {
  const input<batch, 1000> x{"x"};
  const at::Tensor values = at::randn({64, 1000});
  const auto y = sum(relu(x * 3.0) * x);
  const memory_plan p = plan(y, {.chunk = 16}, x = values);
  CHECK(p.peak_bytes() < 1000);
  const measure m;
  const at::Tensor result = run(y, {.chunk = 16}, x = values);
  CHECK(m.peak() == p.peak_bytes());
  CHECK(near(result, (at::relu(values * 3.0) * values).sum()));
}

TEST_CASE("sums of elements for each sample: the same bits whatever else is computed or stored") {
  // If a value is recomputed in a later loop or in a chunk, its bits must be the same: a mask may
  // be computed from both values.
  const auto ask = [](const auto& a, const auto& b, at::ScalarType type) {
    for (const std::int64_t n : {40, 130, 300, 512, 1024, 5000}) {
      const at::Tensor t = at::randn({300, n}, type), u = at::randn({300, n}, type);  // (samples, n)
      const auto sum_of = [](const auto& y) { return sum(y, 1_c, keepdim = true); };
      const auto q = let(tanh(a * b));
      const auto more = square(q) + exp(q) * b - abs(a);
      for (const index_t chunk : {300, 64, 1}) {
        const options o{.chunk = chunk};
        const at::Tensor of_chain = run(sum_of(q), o, a = t, b = u), values = run(q, o, a = t, b = u);
        CHECK(at::equal(run(sum_of(a), o, a = values), of_chain));  // only this sum
        CHECK(at::equal(run(sum_of(q) + sum(cumsum(q, 1_c)) * 0.0, o, a = t, b = u), of_chain));  // also stores q
        CHECK(at::equal(run(sum_of(q) + sum(cumsum(more, 1_c)) * 0.0, o, a = t, b = u), of_chain));  // and much else
        CHECK(relative_error(of_chain, values.to(at::kDouble).sum(1, true)) <
              (type == at::kFloat ? float32_bound(1000) : 1e-14));
      }
    }
  };
  ask(input<batch, any>("a"), input<batch, any>("b"), at::kFloat);
  ask(input<float64, batch, any>("a"), input<float64, batch, any>("b"), at::kDouble);
}
