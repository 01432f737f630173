// SPDX-License-Identifier: MIT
// A gradient node has the batch relation of the value that it differentiates. Gradients keep no
// value alive that they do not read.
#include "graph/support.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// Returns true if the gradient of a loss with respect to each leaf has the leaf's dims, dtype and
/// batch relation.
constexpr auto gradients_match(const auto& loss) -> bool {
  lowered_expression l = lowered(loss);
  std::vector<int> leaves;
  for (std::size_t i = 0; i < l.graph.nodes.size(); ++i)
    if (l.graph.nodes[i].kind == node_kind::leaf && is_floating(l.graph.nodes[i].dims.type))
      leaves.push_back(static_cast<int>(i));
  const std::vector<int> gradients = add_gradients(l.graph, l.value, leaves);
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const graph_node &x = l.graph.node(leaves[k]), &g = l.graph.node(gradients[k]);
    if (gradients[k] < 0 || g.dims.count() != x.dims.count() || g.dims.rank != x.dims.rank ||
        g.dims.type != x.dims.type)
      return false;
    for (int i = 0; i < x.dims.rank; ++i)
      if (g.dims.e[i].n != x.dims.e[i].n) return false;
    if (g.batch_relation.sampled() != x.batch_relation.sampled() ||
        (x.batch_relation.sampled() && g.batch_relation != x.batch_relation))
      return false;
  }
  return !leaves.empty();
}

struct mlp {
  parameter<16, 20> w1{"w1"};
  parameter<16> b1{"b1"};
  parameter<10, 16> w2{"w2"};
  parameter<10> b2{"b2"};
  constexpr auto operator()(const auto& x) const { return linear(relu(linear(x, w1, b1)), w2, b2); }
};

static_assert([] {
  mlp net;
  input<batch, 20> x;
  input<int64, batch> label;
  return gradients_match(cross_entropy(net(x), label)) && gradients_match(mean(net(x) * net(x)));
}());
static_assert([] {  // rank 3, transposed, reshaped, summed
  input<batch, 4, 20> x;
  parameter<5, 20> w;
  parameter<5> b;
  auto y = linear(x, w, b);  // (batch, 4, 5)
  return gradients_match(sum(y * y)) && gradients_match(sum(transpose(y, 0_c, 2_c) * transpose(y, 0_c, 2_c))) &&
         gradients_match(sum(exp(reshape(y, -1_c, 5_c)))) && gradients_match(sum(exp(sum(y, 0_c)))) &&
         gradients_match(mean(exp(sum(y, 1_c, keepdim = true)) * y));
}());
static_assert([] {  // values coupled across the batch
  input<batch, 20> x;
  parameter<5, 20> w;
  auto z = let(linear(x, w));
  auto centred = let(z - mean(z, 0_c));
  return gradients_match(sum(centred * centred * centred)) &&
         gradients_match(mean(matmul(z, transpose(z, 0_c, 1_c)))) && gradients_match(sum(softmax(z, 0_c) * z)) &&
         gradients_match(sum(log_softmax(matmul(z, transpose(z, 0_c, 1_c)), 1_c)));
}());
static_assert([] {  // broadcast in every way
  input<batch, 1, 20> x;
  parameter<4, 1> w;
  parameter<> s;
  return gradients_match(sum(x * w * s)) && gradients_match(sum((x - w) / (s + 2.0))) &&
         gradients_match(mean(pow(x, w)));
}());

/// Counts the nodes of this name that the gradients alone need.
constexpr auto live_for_gradients(const auto& loss, std::string_view name) -> int {
  lowered_expression l = lowered(loss, 8, true);
  l.value = l.gradients[0];
  return count(l, name);
}
static_assert([] {  // the gradients of sums and additions read only the dims of the operands
  input<batch, 20> x{"x"};
  parameter<20> w{"w"};
  auto loss = sum(exp(x) + w * 3.0);
  return live_for_gradients(loss, "x") == 0 && live_for_gradients(loss, "exp") == 0 &&
         live_for_gradients(loss, "w") == 0;
}());
static_assert([] {  // relu's gradient reads its result, linear's gradient its operands
  input<batch, 20> x{"x"};
  mlp net;
  return live_for_gradients(sum(net(x)), "linear") == 1 && live_for_gradients(sum(net(x)), "relu") == 1 &&
         live_for_gradients(sum(net(x)), "b1") == 1 && live_for_gradients(sum(net(x)), "b2") == 0;
}());
static_assert([] {  // an earlier loop counts the labels: the denominator keeps no activation alive
  mlp net;
  input<batch, 20> x;
  input<int64, batch> label;
  return loops(cross_entropy(net(x), label), true) == 2 && loops(mean(net(x)), true) == 1;
}());
static_assert([] {  // a parameter that the loss multiplies by zero also has a gradient
  input<batch, 20> x;
  parameter<20> w, unused;
  auto l = lowered(sum(x * w) + sum(unused * 0.0), 8, true);
  return l.gradients.size() == 2 && l.gradients[0] >= 0 && l.gradients[1] >= 0;
}());

}  // namespace

TEST_CASE("a value that is no scalar has no gradient") {
  input<batch, 20> x{"x"};
  parameter<20> w{"w"};
  lowered_expression l = lowered(x * w);
  CHECK_THROWS_AS(add_gradients(l.graph, l.value, {0}), shape_error);
  input<int64, batch> label{"label"};
  l = lowered(sum(label));
  CHECK_THROWS_AS(add_gradients(l.graph, l.value, {0}), shape_error);
}
