// SPDX-License-Identifier: MIT
// The values that one kernel computes together: consecutive element-wise values of one shape, with
// no other node between them.
#include "plan/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// Counts the values of a plan's loops and sections that have no buffer. A value has no buffer if
/// only the kernel that computes it reads it.
auto without_buffer(const memory_plan& p) -> int {
  int n = 0;
  for (std::size_t l = 0; l < p.order.loop_of.size(); ++l)
    for (std::size_t k = 0; k < p.order.loop_of[l].body.size(); ++k) {
      const graph_node& x = p.graph.node(p.order.loop_of[l].body[k]);
      n += x.batch_relation.sampled() && !x.is_view() && p.buffers.loop[l][k].own < 0 && p.buffers.loop[l][k].rows < 0
               ? 1
               : 0;
    }
  for (const auto& nodes : p.order.section)
    for (const int i : nodes)
      n += p.graph.node(i).kind == node_kind::compute && p.buffers.whole[static_cast<std::size_t>(i)] < 0 ? 1 : 0;
  return n;
}

constexpr auto values() {
  input<batch, 64> x{"x"};
  parameter<64> w{"w"};
  return relu(x * w + 1.0) * tanh(x);
}

}  // namespace

static_assert(peak_bytes(values, batch = 10) == 10 * 64 * 4 + 64);

TEST_CASE("runs of elements: what only one kernel reads has no buffer") {
  const input<batch, 64> x{"x"};
  const parameter<64> w{"w"};
  const auto chain = x * w + w;
  // Three values have no buffer: the product, the addition, and the product in the gradient. The
  // kernel that computes the addition also computes its mean. The kernel that computes the product
  // in the gradient also sums it.
  CHECK(without_buffer(planned(mean(chain), 32)) == 3);
  CHECK(without_buffer(planned(mean(cumsum(chain, 1_c)), 32)) == 2);  // another kernel reads the addition
  CHECK(without_buffer(planned(mean(relu(chain) * tanh(chain)), 32)) > 6);  // including values of the gradient
  // The matrix product reads x * w, so x * w has a buffer. The product in the gradient has no
  // buffer.
  CHECK(without_buffer(planned(mean(matmul(x * w, transpose(x, 0_c, 1_c))), 32)) == 1);
}

TEST_CASE("runs of elements: the number that a mean is does not stand between a loss and its gradient") {
  const parameter<64, 64> w{"w"}, v{"v"};
  const auto with_buffer = [](const memory_plan& p) {  // counts values of more than one element
    int n = 0;
    for (const auto& nodes : p.order.section)
      for (const int i : nodes) {
        const graph_node& x = p.graph.node(i);
        n += x.kind == node_kind::compute && x.dims.count() > 1 && p.buffers.whole[static_cast<std::size_t>(i)] >= 0
                 ? 1
                 : 0;
      }
    return n;
  };
  CHECK(with_buffer(planned(mse_loss(w, v), 1)) == 2);  // the gradients have buffers, the difference does not
  CHECK(with_buffer(planned(mean(square(w)), 1)) == 1);
  // The number is computed before the larger value that reads it.
  const memory_plan p = planned(sum(square(w * mean(v))), 1);
  std::vector<int> done;
  for (const int i : p.order.section[0]) {
    const graph_node& x = p.graph.node(i);
    for (int k = 0; k < x.operand_count; ++k) {
      const int operand = x.operands[static_cast<std::size_t>(k)];
      if (x.reads(k) && p.graph.node(operand).kind == node_kind::compute)
        CHECK(std::find(done.begin(), done.end(), operand) != done.end());
    }
    done.push_back(i);
  }
}

TEST_CASE("runs of elements: two values that read nothing of each other, where the next op is of both") {
  const input<batch, 64> x{"x"}, z{"z"};
  const parameter<64> w{"w"}, v{"v"};
  CHECK(without_buffer(planned_of(lowered(cumsum(x * w + z * v, 1_c), 32, false), -1, {}, false)) == 2);
  CHECK(without_buffer(planned_of(lowered(cumsum(x * w + cumsum(z * v, 1_c), 1_c), 32, false), -1, {}, false)) == 0);
}

TEST_CASE("runs of elements: not of different shapes, not of other dtypes, not through views") {
  const input<batch, 64> x{"x"};
  const parameter<64> w{"w"};
  // The product and the product in the gradient have no buffer. relu(w) has a buffer, because its
  // shape is (64).
  CHECK(without_buffer(planned(mean(x * relu(w)), 32)) == 2);
  const input<float16, batch, 64> h{"h"};
  CHECK(without_buffer(planned(mean(relu(h * 2.0)), 32)) == 1);  // the product; no kernel sums 16-bit values
  CHECK(without_buffer(planned(mean(to<float32>(relu(h * 2.0))), 32)) == 1);  // no kernel converts and sums
  // relu reads the product through a transposed view, that is, in a different order than the
  // product is computed. Therefore the product has a buffer and is finished before relu begins.
  const parameter<64, 64> m{"m"};
  const auto s = m * 2.0;
  const memory_plan p = planned(sum(x * sum(relu(transpose(s, 0_c, 1_c)) * s)), 32);
  int found = 0;
  for (std::size_t l = 0; l < p.order.section.size(); ++l)
    for (std::size_t k = 0; k < p.order.section[l].size(); ++k) {
      const int i = p.order.section[l][k];
      if (p.graph.node(i).name() != "relu") continue;
      ++found;
      const int product = p.order.nodes[static_cast<std::size_t>(p.graph.node(i).operands[0])].owner;
      CHECK(p.graph.node(product).name() == "mul");
      CHECK(p.buffers.whole[static_cast<std::size_t>(product)] >= 0);
      CHECK(p.order.section[l][static_cast<std::size_t>(p.buffers.section_runs[l].first[k])] > product);
    }
  CHECK(found == 1);
}

TEST_CASE("runs of elements end in sums that lie together, and are not too wide") {
  const input<batch, 8, 600> x{"x"};
  const auto sums_with = [](const auto& y) {  // counts the sums that an element-wise kernel adds up
    const memory_plan p = planned_of(lowered(y, 32, false), -1, {}, false);
    int n = 0;
    for (std::size_t l = 0; l < p.order.loop_of.size(); ++l)
      for (std::size_t k = 0; k < p.order.loop_of[l].body.size(); ++k) {
        const graph_node& s = p.graph.node(p.order.loop_of[l].body[k]);
        n += s.op != nullptr && s.op->sums != nullptr && p.buffers.loop_runs[l].is_fused(k) ? 1 : 0;
      }
    return n;
  };
  const auto y = square(x) * 2.0;
  CHECK(sums_with(sum(y)) == 1);
  CHECK(sums_with(sum(y, 2_c)) == 1);
  CHECK(sums_with(sum(y, list_of(0_c, 2_c))) == 1);
  CHECK(sums_with(sum(y, 1_c)) == 0);  // the dims that are kept are not adjacent
  CHECK(sums_with(sum(y, 0_c)) == 0);  // 4,800 columns are too many
  CHECK(sums_with(sum(x)) == 0);  // nothing is computed before the sum
  CHECK(sums_with(sum(relu(y / sum(y, 2_c, keepdim = true)))) == 2);  // each sum is fused with the kernel before it
}

TEST_CASE("runs of elements have ops of rows among them, of rows that are alike and short") {
  const input<batch, 4, 200> x{"x"};
  const input<batch, 4, 9000> wide{"wide"};
  const parameter<200> w{"w"}, b{"b"};
  const parameter<4, 200> w2{"w2"}, b2{"b2"};
  const parameter<9000> w9{"w9"}, b9{"b9"};
  const auto hidden = [](const auto& y) { return without_buffer(planned_of(lowered(y, 32, false), -1, {}, false)); };
  CHECK(hidden(relu(layer_norm(x, w, b)) * 2.0) == 2);
  CHECK(hidden(layer_norm(tanh(x), w, b) * 2.0) == 2);
  CHECK(hidden(relu(layer_norm(x, w2, b2)) * 2.0) == 2);
  CHECK(hidden(relu(layer_norm(layer_norm(x * 2.0, w, b), w2, b2))) == 2);  // two kernels: for rows of 200 and of 800
  CHECK(hidden(relu(layer_norm(layer_norm(x * 2.0, w, b), w, b))) == 3);
  CHECK(hidden(relu(layer_norm(wide, w9, b9)) * 2.0) == 1);  // only relu: the rows are too long
  CHECK(hidden(sum(relu(layer_norm(x, w, b)), 2_c)) == 1);  // sums per sample have tiles of their own
  CHECK(hidden(sum(relu(layer_norm(x, w, b)))) == 2);
  CHECK(hidden(sum(relu(layer_norm(x, w, b)), list_of(0_c, 1_c))) == 2);
  // A row of layer_norm spans several rows of the sum.
  CHECK(hidden(sum(relu(layer_norm(x, w2, b2)), list_of(0_c, 1_c))) == 1);
  const input<batch, 2000> longer{"longer"};
  const parameter<2000> wl{"wl"}, bl{"bl"};
  CHECK(hidden(relu(layer_norm(longer, wl, bl))) == 1);
  CHECK(hidden(sum(relu(layer_norm(longer, wl, bl)))) == 1);  // tiles of sums are shorter than these rows
  const input<float16, batch, 200> h{"h"};
  const parameter<float16, 200> wh{"wh"}, bh{"bh"};
  CHECK(hidden(relu(layer_norm(h, wh, bh)) * 2.0) == 1);
}

TEST_CASE("runs of elements are no longer than a kernel takes") {
  const input<batch, 8> x{"x"};
  erased<batch, 8> y = x;
  for (int i = 0; i < 100; ++i) y = relu(y * 1.5);
  const memory_plan p = planned(mean(y), 16);
  int longest = 0;
  for (const auto& runs : p.buffers.loop_runs)
    for (std::size_t k = 0; k < runs.last.size(); ++k) longest = std::max(longest, runs.last[k] - runs.first[k] + 1);
  CHECK(longest == static_cast<int>(most_in_run));
}

TEST_CASE("runs of elements: a graph that does not fuse has a buffer for each value") {
  const input<batch, 64> x{"x"};
  const parameter<64> w{"w"};
  lowered_expression l = lowered(mean(relu(x * w + w)), 32, true);
  l.graph.fuses = false;
  CHECK(without_buffer(planned_of(std::move(l), -1, {}, false)) == 0);
}

TEST_CASE("what a kernel of elements is the last to read, it writes over") {
  const input<batch, 64> x{"x"};
  const parameter<64, 64> w{"w"};
  const auto plan_of = [](const auto& y) { return planned_of(lowered(y, 32, false), -1, {}, false); };
  const auto taken = [&](const auto& y) { return plan_of(y).buffers.later.size(); };
  constexpr index_t value = 32 * 64 * 4;
  const auto h = let(matmul(x, w));
  CHECK(taken(matmul(relu(h), w)) == 1);
  CHECK(plan_of(matmul(relu(h), w)).arena_bytes == value);
  CHECK(plan_of(matmul(tanh(relu(h) * 2.0), w)).arena_bytes == value + alignment);  // one value, and a number
  CHECK(taken(matmul(h, w)) == 0);
  CHECK(taken(matmul(relu(h), w) * h) == 0);  // h is read again later
  CHECK(taken(cumsum(matmul(relu(h), w) + h, 1_c)) == 1);  // overwrites the product, or h
  // The sum over h is finished only after relu is written. So relu needs a buffer of its own, and
  // the addition then overwrites that buffer.
  CHECK(taken(matmul(relu(h) + sum(h, 1_c, keepdim = true), w)) == 1);
  CHECK(plan_of(matmul(relu(h) + sum(h, 1_c, keepdim = true), w)).arena_bytes > 2 * value);
  // A view reads elements in a different order than they are written.
  const input<batch, 8, 8> s{"s"};
  const auto e = let(cumsum(s, 1_c));
  CHECK(taken(cumsum(exp(e) + e, 1_c)) == 1);
  CHECK(taken(cumsum(exp(e) + transpose(e, 1_c, 2_c), 1_c)) == 0);
  // A result cannot overwrite a value of different dims or of a different dtype.
  CHECK(taken(cumsum(sum(e, 2_c, keepdim = true) * relu(s), 1_c)) == 0);
}
