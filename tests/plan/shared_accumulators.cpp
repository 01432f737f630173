// SPDX-License-Identifier: MIT
// The terms of a sum of partial sums share one buffer, so no kernel has to add them.
#include "plan/support.hpp"

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

/// The numbers of partial sums of a plan that share an accumulator (`partials`), of additions that
/// are skipped because their terms share one (`ops`), and of shared accumulators (`buffers`).
struct found {
  int partials = 0, ops = 0, buffers = 0;
  friend auto operator==(const found&, const found&) -> bool = default;
};
auto joined_in(const memory_plan& p) -> found {
  found f;
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < static_cast<int>(p.graph.nodes.size()); ++i) {
    const int first = p.order.nodes[idx(i)].accumulator;
    if (first < 0) continue;
    CHECK(p.order.nodes[idx(i)].owner == first);
    if (first == i) ++f.buffers;
    if (p.graph.node(i).batch_relation.kind != batch_relation::partial) {
      ++f.ops;
      for (const auto& nodes : p.order.section) CHECK(std::find(nodes.begin(), nodes.end(), i) == nodes.end());
      continue;
    }
    ++f.partials;
    CHECK(p.order.nodes[idx(i)].loop == p.order.nodes[idx(first)].loop);
    CHECK(p.buffers.whole[idx(i)] == p.buffers.whole[idx(first)]);
  }
  return f;
}
auto joined_in(const auto& value) -> found {
  lowered_expression l = lowered(value, 64);
  return joined_in(make_plan(std::move(l.graph), {{l.value}, {1}}, {.chunk = 16}, -1));
}

/// A network that uses one weight N times.
template <dtype T, int N>
auto layers(const auto& x, const auto& w) {
  if constexpr (N == 0) return x;
  else return tanh(linear(layers<T, N - 1>(x, w), w));
}
template <dtype T, int N>
auto of_layers() {
  const input<T, batch, 8> x{"x"};
  const parameter<T, 8, 8> w{"w"};
  return mean(square(layers<T, N>(x, w)));
}

}  // namespace

TEST_CASE("the gradients of a weight that is used several times are added up in one buffer") {
  for (const bool leaving : {false, true}) {
    for (const index_t chunk : {1, 16, 64}) {
      CAPTURE(leaving, chunk);
      CHECK(joined_in(planned(of_layers<float32, 1>(), 64, -1, {.chunk = chunk}, leaving)) == found{});
      CHECK(joined_in(planned(of_layers<float32, 2>(), 64, -1, {.chunk = chunk}, leaving)) == found{2, 1, 1});
      CHECK(joined_in(planned(of_layers<float64, 5>(), 64, -1, {.chunk = chunk}, leaving)) == found{5, 4, 1});
      CHECK(joined_in(planned(of_layers<bfloat16, 3>(), 64, -1, {.chunk = chunk}, leaving)) == found{});
    }
  }
}

TEST_CASE("such a sum takes the memory of one") {
  const auto bytes = [](const auto& loss) {
    const memory_plan p = planned(loss, 1024, -1, {.chunk = 32});
    index_t of_weights = 0;
    for (std::size_t i = 0; i < p.buffers.ranges.size(); ++i) {
      const graph_node& x = p.graph.node(p.buffers.what[i].node);
      if (!x.batch_relation.sampled() && x.dims.rank == 2) of_weights += p.buffers.ranges[i].bytes;
    }
    return of_weights;
  };
  const index_t weight = 8 * 8 * 8;
  CHECK(bytes(of_layers<float64, 1>()) == weight);
  CHECK(bytes(of_layers<float64, 4>()) == weight);
}

TEST_CASE("only partials that nothing else reads are added up so") {
  const input<batch, 8> x{"x"}, y{"y"};
  const input<batch, 4> z{"z"};
  const auto with = [&](const auto& b) { return mm(transpose(x, 0_c, 1_c), b); };
  const auto a = let(with(x)), b = let(with(y));
  const auto c = let(with(tanh(x)));
  CHECK(joined_in(a + b) == found{2, 1, 1});
  CHECK(joined_in(relu(a + b) + c) == found{2, 1, 1});
  CHECK(joined_in((a + b) + c) == found{3, 2, 1});
  CHECK(joined_in(a + (b + c)) == found{3, 2, 1});
  CHECK(joined_in((a + b) * a) == found{});
  CHECK(joined_in(relu(a + b) + relu(b + c)) == found{});
  CHECK(joined_in(a - b) == found{});
  CHECK(joined_in(a + a) == found{});
  CHECK(joined_in(a + 1.0) == found{});
  CHECK(joined_in(a + sum(y, 0_c)) == found{});
  CHECK(joined_in(sum(with(z), 1_c) + relu(sum(b, 1_c))) == found{});
}

TEST_CASE("where partials of two loops are added, each has its buffer") {
  const input<batch, 8> x{"x"};
  const auto squares = [](const auto& v) { return mm(transpose(v, 0_c, 1_c), v); };
  const auto t = let(tanh(x));  // the first loop computes this value in any case, for its mean
  lowered_expression l = lowered(squares(t) + squares(x - mean(t, 0_c)), 64);
  const memory_plan p = make_plan(std::move(l.graph), {{l.value}, {1}}, {.chunk = 16}, -1);
  std::vector<int> loops;
  for (std::size_t i = 0; i < p.graph.nodes.size(); ++i)
    if (p.order.nodes[i].loop >= 0 && p.graph.nodes[i].name() == "mm") loops.push_back(p.order.nodes[i].loop);
  REQUIRE(loops == std::vector<int>{0, 1});
  CHECK(joined_in(p) == found{});
}

TEST_CASE("another addend of a weight's gradient does not keep its partials apart") {
  const input<batch, 8> x{"x"};
  const parameter<8, 8> w{"w"};
  const auto loss = mean(square(layers<float32, 3>(x, w)));
  CHECK(joined_in(planned(loss + 0.1 * sum(square(w)), 64, -1, {.chunk = 16})) == found{3, 2, 1});
  CHECK(joined_in(planned(0.1 * sum(square(w)) + loss, 64, -1, {.chunk = 16})) == found{3, 2, 1});
}

TEST_CASE("a joined sum of more than a few parts is compensated") {
  const auto compensations = [](const auto& loss, index_t chunk) {
    const memory_plan p = planned(loss, 64, -1, {.chunk = chunk});
    int n = 0;
    for (std::size_t i = 0; i < p.buffers.ranges.size(); ++i)
      n += p.buffers.what[i].role == role::compensation && p.graph.node(p.buffers.what[i].node).dims.rank == 2 &&
           p.buffers.ranges[i].bytes > 0;
    return n;
  };
  CHECK(compensations(of_layers<float32, 1>(), 1) == 0);
  CHECK(compensations(of_layers<float32, 2>(), 2) == 0);
  CHECK(compensations(of_layers<float32, 2>(), 1) == 1);
  CHECK(compensations(of_layers<float32, 5>(), 4) == 1);
  CHECK(compensations(of_layers<float32, 5>(), 8) == 0);
}

TEST_CASE("a barrier that a joined sum is the cause of has that cause") {
  const input<batch, 8> x{"x"}, y{"y"};
  const auto squares = [](const auto& v) { return mm(transpose(v, 0_c, 1_c), v); };
  lowered_expression l = lowered(linear(x, squares(x) + squares(y)), 64);
  const memory_plan p = make_plan(std::move(l.graph), {{l.value}, {1}}, {.chunk = 16}, -1);
  const memory_report r(p);
  REQUIRE(r.barriers.size() == 2);
  REQUIRE(r.barriers[1].size() == 2);
  CHECK(r.barriers[1][0].loop == 1);
}
