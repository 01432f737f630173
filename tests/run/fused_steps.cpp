// SPDX-License-Identifier: MIT
// Kernels that fuse several ops and are compiled for the type of an expression. They compute the
// same results as the separate ops.
#include "instructions.hpp"
#include "run/support.hpp"

#include <koila/run/fused_kernel.hpp>

using namespace koila;
using namespace ::test;

namespace {

/// The result of an expression whose element-wise ops run as one kernel. The kernel also stores the
/// values of the nodes in `stored`.
struct tried {
  std::size_t offered, steps;
  at::Tensor y;
  std::vector<at::Tensor> kept;
};
auto try_kernel(const auto& e, bool fused, const std::vector<int>& stored = {}, std::vector<int> sums = {}) -> tried {
  builder b{bindings{}};
  const int root = lower_root(b, e);
  const graph_node& last = b.node(root);
  tried out{b.fused.size(), 0, at::empty(koila::detail::sizes(last.dims), scalar_type(last.dims.type)), {}};
  fused_kernel kernel(last.dims);
  std::deque<at::Tensor> read;
  std::vector<int> number(b.nodes.size(), -1);
  for (std::size_t k = 0; k < b.nodes.size(); ++k) {
    const graph_node& x = b.nodes[k];
    if (x.kind == node_kind::leaf) {
      read.push_back(tensor_of(*x.leaf));
      number[k] = kernel.read(read.back());
    } else if (x.kind == node_kind::number) {
      read.push_back(at::full({}, x.number, scalar_type(x.dims.type)));
      number[k] = kernel.read(read.back());
    } else {
      int operand[3] = {};
      for (int i = 0; i < x.operand_count; ++i)
        operand[i] = number[static_cast<std::size_t>(x.operands[static_cast<std::size_t>(i)])];
      const bool keep = std::find(stored.begin(), stored.end(), static_cast<int>(k)) != stored.end();
      if (keep) read.push_back(at::empty_like(out.y));
      const all_elements f = x.op->elements();
      number[k] = kernel.compute(x.dims.type == dtype::float64 ? f.float64 : f.float32,
                                 x.op->plain_attributes(x.attributes.get()), operand, x.operand_count,
                                 static_cast<int>(k) == root ? &out.y
                                 : keep                      ? &read.back()
                                                             : nullptr,
                                 x.op);
      if (keep) out.kept.push_back(read.back());
    }
  }
  std::vector<at::Tensor> totals;
  for (const int made : sums)
    kernel.sum(number[static_cast<std::size_t>(made)], 1), totals.push_back(at::empty({}, out.y.options()));
  std::vector<fused_kernel::destination> to;
  for (at::Tensor& t : totals) to.push_back({&t, false});
  kernel.prepare(fused ? b.fused : std::vector<const fused_elements*>());
  kernel.run(to.empty() ? nullptr : to.data());
  out.steps = kernel.steps();
  return out;
}

constexpr koila::detail::instructions all_sets[] = {
    koila::detail::instructions::baseline, koila::detail::instructions::avx2, koila::detail::instructions::avx512};

/// Checks an expression with every instruction set. The expression must be a single step if there
/// are fused kernels for the instruction set, and its results must equal those of the separate ops.
void require_one_step(const auto& e) {
  for (const auto set : all_sets) {
    const while_set limit(koila::detail::most_instructions, set);
    const tried separate = try_kernel(e, false), fused = try_kernel(e, true);
    REQUIRE(fused.offered == 1);
    CHECK(separate.steps > 2);
    CHECK(fused.steps ==
          (koila::detail::instructions_to_use() == koila::detail::instructions::baseline ? separate.steps : 1));
    CHECK(at::allclose(separate.y, fused.y, 1e-5, 1e-6, true));
  }
}

}  // namespace

TEST_CASE("ops on elements that a type shows are one step, with the numbers that they have one after the other",
          "[fused]") {
  if (!koila::detail::compiles_fused) return;  // fused kernels are compiled only with optimisation and on x86-64
  const at::Tensor a = at::randn({3, 1000}) * 3, b = at::randn({3, 1000}), c = at::randn({1000}),
                   d = at::rand({3, 1}) + 0.5;
  const auto x = lazy(a), y = lazy(b), z = lazy(c), w = lazy(d);
  require_one_step(relu(x * y + z) * tanh(z));
  require_one_step(gelu(x * y + z) + x);
  require_one_step(gelu(x * y + z, approximate = kTanh) + x);
  require_one_step(sigmoid(x * w) * tanh(y + z) - x);
  require_one_step(leaky_relu(x - y, 0.1) / (square(z) + 1.0));
  require_one_step(maximum(x, y) * minimum(y, z) + abs(x));
  if (koila::detail::compiles_fused_roots) require_one_step(sqrt(square(x) + square(y)) * rsqrt(w));
  require_one_step(log(exp(-x) + 1.0));
  require_one_step(silu(x) * y + hardswish(z));
  require_one_step(clamp_min(x, -1) * hardsigmoid(y));
  require_one_step(softplus(x) * erf(y) + expm1(z));
  require_one_step(addcmul(x, y, z, 0.5) * log1p(w));
  require_one_step(reciprocal(w) * (x + y));
}

TEST_CASE("what else needs a value inside keeps it", "[fused]") {
  if (!koila::detail::compiles_fused) return;  // fused kernels are compiled only with optimisation and on x86-64
  const at::Tensor a = at::randn({5000}), b = at::randn({5000}), c = at::randn({5000});
  const auto x = lazy(a), y = lazy(b), z = lazy(c);
  const koila::detail::instructions now = koila::detail::instructions_to_use();
  const std::size_t one = now == koila::detail::instructions::baseline ? 5 : 1;
  const auto e = relu(x * y + z) * tanh(z);  // nodes 0 to 7: x, y, x * y, z, sum, relu, tanh, product
  CHECK(try_kernel(e, true).steps == one);
  CHECK(try_kernel(e, true, {5}).steps == 5);
  CHECK(allclose(try_kernel(e, true, {5}).kept[0], at::relu(a * b + c)));
  CHECK(try_kernel(e, true, {}, {6}).steps == 5);
  CHECK(try_kernel(e, true, {}, {7}).steps == one);
  // h is used twice. No fused kernel may compute h twice.
  const auto h = tanh(x * y + z);
  CHECK(try_kernel(h * h, true).steps == try_kernel(h * h, false).steps);
  // A `let` divides the expression. Each part has its own kernel.
  const auto named = let(tanh(x * y + z));
  const tried parts = try_kernel(named * relu(named) - x, true);
  CHECK(parts.offered == 2);
  CHECK(parts.steps == (one == 1 ? 2 : 6));
}

TEST_CASE("a tree that reads, through a name, a value of its own is left as it is", "[fused]") {
  const at::Tensor a = at::randn({64, 64}), b = at::randn({64, 64}), c = at::randn({64, 64});
  const auto x = lazy(a), y = lazy(b), z = lazy(c);
  const auto block = [](const auto& v) {
    const auto s = let(v);
    return s * sigmoid(s);
  };
  const auto h = x * y + z;
  const at::Tensor known = a * b + c;
  CHECK(near(run(h + block(h)), known + known * at::sigmoid(known)));
  const auto n = let(x * y);
  CHECK(near(run(relu(x * y + z) * n), at::relu(known) * (a * b)));
}

TEST_CASE("what a tree reads is not written over before it is computed", "[fused]") {
  const at::Tensor a = at::randn({256, 256}), b = at::randn({256, 256}), c = at::randn({256, 256});
  const auto x = lazy(a), y = lazy(b), z = lazy(c);
  const auto w = let(tanh(z));
  const auto e = relu(matmul(x, y) + z) * w;
  const at::Tensor other = at::tanh(c), known = at::relu(at::mm(a, b) + c) * other;
  CHECK(at::allclose(run(matmul(e, w)), at::mm(known, other), 1e-4, 1e-3));
}

TEST_CASE("a value that another kernel computes again has the bits that it has there", "[fused]") {
  if (!koila::detail::compiles_fused) return;  // fused kernels are compiled only with optimisation and on x86-64
  const at::Tensor a = at::randn({512}), b = at::randn({512}), c = at::randn({512});
  for (const int again : {-1, 2, 4, 5}) {
    at::Tensor y = at::empty({512});
    builder g{bindings{}};
    const auto e = lazy(a) * lazy(b) + lazy(c);
    const int root = lower_root(g, relu(e));
    REQUIRE(g.fused.size() == 1);
    fused_kernel kernel(g.node(root).dims);
    int operand[] = {kernel.read(a), kernel.read(b)};
    const auto add_step = [&](int node, int n, at::Tensor* to) {
      const op_info& op = *g.node(node).op;
      operand[0] = kernel.compute(op.elements().float32, nullptr, operand, n, to, &op, node != again);
    };
    add_step(2, 2, nullptr);
    operand[1] = kernel.read(c);
    add_step(4, 2, nullptr);
    add_step(root, 1, &y);
    kernel.prepare(g.fused);
    CHECK(kernel.steps() ==
          (again < 0 && koila::detail::instructions_to_use() != koila::detail::instructions::baseline ? 1 : 3));
    kernel.run();
    if (again >= 0) CHECK(at::equal(y, at::relu(a * b + c)));
  }
}

TEST_CASE("the largest of values that are computed again is one of them", "[fused]") {
  const input<batch, 300> rows{"rows"};
  const at::Tensor many = at::randn({256, 300}), factor = at::randn({300}), shift = at::randn({300});
  const auto v = rows * lazy(factor) + lazy(shift);
  // For each column, the smallest distance between a value and the column's maximum. The distance
  // is 0, because the maximum is one of the values.
  const auto farthest = amax(amin(abs(amax(v, 0) - v), 0));
  for (const index_t memory : {1 << 20, 100'000}) {  // in bytes: enough for the values (307,200), and not enough
    const options o{.memory = memory, .chunk = 8};
    const memory_plan p = plan(farthest, o, rows = many);
    std::ptrdiff_t times = 0;
    for (const auto& loop : p.order.loop_of)
      times += std::count_if(loop.body.begin(), loop.body.end(),
                             [&](int i) { return p.graph.node(i).op == &info_of<struct koila::add, 2>(); });
    CHECK(times == (memory < 300'000 ? 2 : 1));
    CHECK(koila::run(farthest, o, rows = many).item<float>() == 0);
  }
}

TEST_CASE("trials A6: a kernel of several ops is taken wherever there is one, in every call", "[fused]") {
  if (!koila::detail::compiles_fused) return;  // fused kernels are compiled only with optimisation and on x86-64
  const at::Tensor a = at::randn({3000}), b = at::randn({3000});
  const auto x = lazy(a), y = lazy(b);
  const auto e = relu(x * y - y) * abs(x);
  const bool has_kernels = koila::detail::instructions_to_use() != koila::detail::instructions::baseline;
  const tried first = try_kernel(e, true);
  CHECK(first.steps == (has_kernels ? 1 : 5));
  CHECK(near(first.y, at::relu(a * b - b) * at::abs(a)));
  for (int i = 0; i < 3; ++i) {
    const tried again = try_kernel(e, true);
    CHECK(again.steps == first.steps);
    CHECK(at::equal(again.y, first.y));
  }
}

TEST_CASE("kernels of several ops are offered for float32, and for trees that are neither small nor large", "[fused]") {
  if (!koila::detail::compiles_fused) return;  // fused kernels are compiled only with optimisation and on x86-64
  const at::Tensor t = at::randn({8, 8});
  const auto x = lazy(t);
  const auto offered = [](const auto& e) {
    builder b{bindings{}};
    lower_root(b, e);
    return b.fused.size();
  };
  CHECK(offered(relu(x) + x) == 0);
  CHECK(offered(relu(x * x) + x) == 1);
  CHECK(offered(softmax(relu(x * x) + x, 1)) == 1);
  CHECK(offered(matmul(relu(x * x) + x, tanh(x + x) * x)) == 2);
  CHECK(offered(relu(matmul(x, x) + x) * x) == 1);
  const auto once = relu(x * x) + x;
  const auto twice = tanh(once * once) + once;  // too many operands (9), so its parts are fused instead
  CHECK(offered(twice) == 2);
  const input<float64, 8, 8> wide{"wide"};
  const input<float32, 8, 8> narrow{"narrow"};
  const auto bound = [&](const auto& e, const at::Tensor& v, const auto& features) {
    builder b(koila::detail::bindings_of(koila::detail::bound_of(features = v)));
    lower_root(b, e);
    return b.fused.size();
  };
  CHECK(bound(relu(wide * wide) + wide, t.to(at::kDouble), wide) == 0);
  CHECK(bound(relu(narrow * narrow) + narrow, t, narrow) == 1);
  const erased<unranked> hidden = relu(x * x) + x;
  CHECK(offered(hidden) == 1);
}

TEST_CASE("values of float64, and of 16 bits, which round each result, stay as they are", "[fused]") {
  for (const at::ScalarType type : {at::kDouble, at::kHalf, at::kBFloat16}) {
    const at::Tensor a = at::randn({3000}).to(type), b = at::randn({3000}).to(type);
    const auto x = lazy(a), y = lazy(b);
    const auto e = relu(x * y + y) * abs(x);
    CHECK(try_kernel(e, true).steps == try_kernel(e, false).steps);
    CHECK(at::equal(run(e), at::relu(a * b + b) * at::abs(a)));
  }
}

TEST_CASE("run and backward use them, whole and in chunks", "[fused]") {
  const at::Tensor images = at::randn({64, 300}), bias = at::randn({300});
  const input<batch, 300> x{"x"};
  parameter<300> w{"w"};
  set(w, bias);
  const auto loss = mean(tanh(x * w + 0.5) * relu(x - w));
  const at::Tensor known = bias.clone().requires_grad_();
  const at::Tensor expected = (at::tanh(images * known + 0.5) * at::relu(images - known)).mean();
  expected.backward();
  for (const index_t chunk : {0, 8}) {
    const options o{.chunk = chunk};
    CHECK(at::allclose(koila::run(loss, o, x = images), expected.detach(), 1e-5, 1e-7));
    backward(loss, o, x = images);
    CHECK(at::allclose(tensor_of(w).grad(), known.grad(), 1e-4, 1e-7));
    tensor_of(w).mutable_grad().reset();
  }
}
