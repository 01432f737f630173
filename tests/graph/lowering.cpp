// SPDX-License-Identifier: MIT
// Lowering of expressions to nodes. Each value becomes one node with its batch relation. Values are
// gathered and sliced where ops need this.
#include "graph/support.hpp"

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

using features = input<batch, 20>;

// ---- common subexpressions
static_assert(nodes([] { return features{}; }()) == 1);
constexpr auto squares() {
  features x;
  return x * x + x * x;
}
static_assert(nodes(squares()) == 3 && count(squares(), "mul") == 1);
static_assert([] {
  features x;
  return nodes(x + x) == 2 && nodes((x + x) + (x + x)) == 3;
}());
static_assert([] {  // copies of a leaf are the same leaf; two leaves with the same name are different
  features x{"x"}, y{"x"}, z = x;
  return nodes(x + z) == 2 && nodes(x + y) == 3;
}());
static_assert([] {  // ops with different attributes are different nodes
  features x;
  return count(sum(x, 0_c) + sum(x, dim = 0_c), "sum") == 1 && count(sum(sum(x, 0_c)) + sum(sum(x, 1_c)), "sum") == 4;
}());
static_assert([] {  // ops with different numbers are different nodes: 0 and -0 differ, because 1 / 0 and 1 / -0 do
  features x;
  return count(x * 2.0 + x * 2.0, "number") == 1 && count(x * 2.0 + x * 3.0, "number") == 2 &&
         count(x / 0.0 + x / -0.0, "div") == 2;
}());
static_assert([] {  // an integer and a floating-point number promote differently
  input<int64, batch> i;
  return count((i * 2) + (i * 2.0), "mul") == 2;
}());

// ---- let
static_assert([] {
  features x;
  auto h = let(relu(x * 2.0));
  auto diamond = h * h + exp(h);
  return count(diamond, "relu") == 1 && nodes(diamond) == 7;
}());
template <int N>
constexpr auto doubled(const auto& x) {
  if constexpr (N == 0) return x;
  else return doubled<N - 1>(let(x + x));
}
static_assert([] {
  features x;
  return count(doubled<10>(x), "add") == 10;
}());

// ---- erased
static_assert([] {  // each value is one node, also through erased expressions
  features x;
  erased<batch, 20> h = relu(x);
  erased<batch, 20> a = h + x, b = h * x;
  return count(a + b, "relu") == 1 && nodes(a + b) == 5;
}());

// ---- batch relations
constexpr auto of_linear() {
  features x;
  parameter<10, 20> w;
  return linear(x, w);
}
static_assert(relation_of(features{}) == samples_along(0));
static_assert(relation_of(parameter<10, 20>{}) == batch_relation{});
static_assert(relation_of(of_linear()) == samples_along(0));
static_assert(relation_of(transpose(of_linear(), 0_c, 1_c)) == samples_along(1));
static_assert(relation_of(sum(of_linear(), 0_c)) == partial(monoid::sum));
static_assert(relation_of(sum(of_linear())) == partial(monoid::sum));
static_assert(relation_of(sum(of_linear(), 1_c)) == samples_along(0));
static_assert(relation_of(sum(transpose(of_linear(), 0_c, 1_c), 0_c)) == samples_along(0));
static_assert(relation_of(sum(transpose(of_linear(), 0_c, 1_c), 0_c, keepdim = true)) == samples_along(1));
static_assert(relation_of(sum(transpose(of_linear(), 0_c, 1_c), 1_c)) == partial(monoid::sum));
static_assert(relation_of(reshape(features{}, batch, 4_c, 5_c)) == samples_along(0));
static_assert(relation_of(reshape(features{}, -1_c, 5_c)) == samples_along(0, 1, 4));  // (batch * 4, 5)
static_assert(relation_of(flatten(input<3, batch, 4>{}, 0_c, 1_c)) == samples_along(0, 3, 1));  // (3 * batch, 4)
static_assert(relation_of(reshape(flatten(input<3, batch, 4>{}, 0_c, 1_c), -1_c)) == samples_along(0, 3, 4));
static_assert(dims_at_8(flatten(input<3, batch, 4>{}, 0_c, 1_c)).e[0].n == 24);
static_assert(relation_of(features{} + parameter<20>{}) == samples_along(0));
static_assert(relation_of(input<batch>{} * input<3, batch>{}) == samples_along(1));
static_assert(relation_of(log_softmax(features{}, 1_c)) == samples_along(0));
static_assert(relation_of(matmul(transpose(features{}, 0_c, 1_c), features{})) == partial(monoid::sum));  // contracted
static_assert(relation_of(bmm(input<batch, 3, 4>{}, input<batch, 4, 5>{})) == samples_along(0));

// ---- gathered and sliced values
constexpr auto pairs() {
  features x;
  parameter<10, 20> w;
  auto z = relu(linear(x, w));
  return matmul(z, transpose(z, 0_c, 1_c));  // (batch, batch)
}
static_assert(count(pairs(), "gather") == 1 && count(pairs(), "relu") == 1);  // the gather comes before the transpose
static_assert(relation_of(pairs()) == samples_along(0));
static_assert(loops(mean(pairs())) == 2 && loops(mean(pairs()), true) >= 2);
static_assert(count(mean(pairs()), "gather") == 1);
static_assert([] {  // the whole batch of an input is always available: nothing is gathered
  features x;
  return count(matmul(x, transpose(x, 0_c, 1_c)), "gather") == 0 &&
         count(matmul(x, transpose(x, 0_c, 1_c)), "whole") == 1 && loops(mean(matmul(x, transpose(x, 0_c, 1_c)))) == 1;
}());
static_assert([] {  // softmax over the samples: gathers, then slices per sample again
  auto y = softmax(of_linear(), 0_c);
  return count(y, "gather") == 1 && count(y, "slice") == 1 && relation_of(y) == samples_along(0);
}());
static_assert([] {
  features x;
  return loops(mean(x)) == 1 && loops(x - mean(x, 0_c)) == 2 &&
         loops(mean((x - mean(x, 0_c)) * (x - mean(x, 0_c)))) == 2;
}());
static_assert(loops(parameter<3>{} * 2.0) == 0);

// ---- numbers are folded; a mean is a sum divided by the element count of the whole batch
static_assert([] {
  features x;
  const lowered_expression l = lowered(mean(x) * 2.0);
  return count(l, "number") == 2 && count(l, "mul") == 2;
}());
static_assert([] {  // the gradient of 3 * mean(x * w) is one number, broadcast
  features x;
  parameter<20> w;
  lowered_expression l = lowered(mean(x * w) * 3.0, 8, true);
  const schedule s = needed(l.graph, {l.gradients[0]});
  int numbers = 0;
  double value = 0;
  for (std::size_t i = 0; i < s.nodes.size(); ++i)
    if (s.nodes[i].is_live && l.graph.nodes[i].kind == node_kind::number) ++numbers, value = l.graph.nodes[i].number;
  return numbers == 1 && value == 3 * (1.0 / (8 * 20));
}());
static_assert([] {  // a multiplication by one is dropped, unless it changes the dtype
  features x;
  input<int64, batch> i;
  return count(relu(x) * 1.0, "mul") == 0 && count(1.0 * x, "mul") == 0 && count(x * 1.5, "mul") == 1 &&
         count(i * 1.0, "mul") == 1 && count(i * 1, "mul") == 0;
}());
static_assert([] {  // the gradient of a sum is 1: the chain rule drops each multiplication by it
  features x;
  parameter<20> w;
  const lowered_expression l = lowered(sum(x * w), 8, true);
  return count(l, "mul") == 1 && count(l, "sum_to") == 1;
}());
static_assert([] {  // dropped also for a tensor whose dims the compiler does not know
  dims open = open_dims(1, dtype::float32);
  open.e[0] = {20, "", true};
  const tensor_leaf weights(make_handle<leaf_state>("weights", open, leaf_state::parameter));
  parameter<20> w;
  return count(lowered(sum(relu(w) * weights), 8, true), "mul") == 1;
}());

}  // namespace

TEST_CASE("an erased chain of 10,000 blocks is lowered linearly, each node once") {
  const auto build = [](int n) {
    features x{"x"};
    parameter<20> b{"b"};
    erased<batch, 20> h = x;
    for (int i = 0; i < n; ++i) h = relu(h + b) * (2.0 + i);
    return h;
  };
  // Benchmarks measure how long this takes. A quadratic algorithm would take minutes.
  for (const int n : {5000, 40000}) CHECK(count(lowered(build(n))) == 2 + 4 * n);  // x, b; add, relu, number, mul
}
