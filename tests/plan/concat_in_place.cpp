// SPDX-License-Identifier: MIT
// Nested concatenations: the inner ones write into the outer one's buffer, unless this would keep
// memory alive for longer.
#include "plan/support.hpp"

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

/// Counts the nested concatenations of a plan that write into the buffer of an outer concatenation.
/// `in_place`: all of them write at the position that the outer one needs.
struct joins_found {
  int inside = 0;
  bool in_place = true;
};
auto inside_others(const memory_plan& p) -> joins_found {
  joins_found f;
  for (std::size_t l = 0; l < p.order.loop_of.size(); ++l) {
    const auto& body = p.order.loop_of[l].body;
    for (std::size_t k = 0; k < body.size(); ++k) {
      const auto& mine = p.buffers.loop[l][k];
      if (mine.own < 0 || p.buffers.what[static_cast<std::size_t>(mine.own)].node == body[k]) continue;
      const graph_node& x = p.graph.node(body[k]);
      if (x.op == nullptr || x.op->concat_dim == nullptr) continue;  // not a concatenation: it reuses a dead buffer
      ++f.inside;
      for (std::size_t j = k + 1; j < body.size(); ++j) {  // finds the outer concatenation
        const graph_node& y = p.graph.node(body[j]);
        index_t before = p.buffers.loop[l][j].offset;
        for (int i = 0; i < y.operand_count && y.op != nullptr && y.op->concat_dim != nullptr; ++i) {
          const int operand = y.operands[static_cast<std::size_t>(i)];
          if (operand == body[k])
            f.in_place = f.in_place && mine.own == p.buffers.loop[l][j].own && mine.offset == before;
          const dims& d = p.graph.node(operand).dims;  // bytes in the outer concatenation's dtype
          before += d.e[0].n * (d.count(1, d.rank) / p.batch) * bytes_of(y.dims.type);
        }
      }
    }
  }
  return f;
}

/// A loss that sums all N steps of a value. The value's gradient is then a concatenation of N
/// parts.
template <int N>
auto of_steps() {
  const input<N, batch, 4> x{"x"};
  const parameter<4> w{"w"};
  const auto h = let(cumsum(x * w, 2_c));
  erased<batch, 4> s = cumsum(koila::select(h, 0_c, 0_c), 1_c);
  for (int t = 1; t < N; ++t) s = s + cumsum(koila::select(h, 0_c, t) * static_cast<double>(t + 1), 1_c);
  return mean(square(s));
}

template <int N>
void check_inside(int joins) {
  CAPTURE(N);
  for (const index_t chunk : {5, 32}) {
    const joins_found f = inside_others(planned(of_steps<N>(), 32, -1, {.chunk = chunk}));
    CHECK(f.inside == joins);
    CHECK(f.in_place);
  }
}

}  // namespace

TEST_CASE("joins of joins: the inner ones are made within the outer one") {
  check_inside<6>(0);
  check_inside<7>(1);
  check_inside<12>(2);
  check_inside<13>(2);
  check_inside<36>(6);
  check_inside<40>(8);
}

TEST_CASE(
    "joins of joins: not where samples are before what is joined, nor where another op comes between or reads an inner one") {
  const auto inside = [](const auto& y) {
    return inside_others(planned_of(lowered(y, 32, false), -1, {}, false)).inside;
  };
  const input<batch, 4> rows{"rows"};
  const auto a = let(cat(rows, rows * 2.0, dim = 1_c)), b = let(cat(rows, rows * 3.0, dim = 1_c));
  CHECK(inside(cumsum(cat(a, b, dim = 1_c), 1_c)) == 0);

  const input<1, batch, 4> x{"x"};
  const auto c = let(cat(x, x, dim = 0_c));
  const auto d = let(cat(x, c, dim = 0_c));
  CHECK(inside(cumsum(cat(d, x, dim = 0_c), 2_c)) == 2);
  CHECK(inside(cumsum(cat(c, cumsum(x, 2_c), dim = 0_c), 2_c)) == 0);

  // The offset of the inner concatenation is the bytes of the operands before it, in the promoted
  // dtype.
  const input<3, batch, 4> three{"three"};
  const input<float64, 1, batch, 4> wide{"wide"};
  const auto e = let(cat(wide, wide, dim = 0_c));
  const joins_found mixed =
      inside_others(planned_of(lowered(cumsum(cat(three, e, dim = 0_c), 2_c), 32, false), -1, {}, false));
  CHECK((mixed.inside == 1 && mixed.in_place));
  CHECK(inside(cumsum(cat(c, c, dim = 0_c), 2_c)) == 0);
  CHECK(inside(cumsum(cat(c, x, dim = 0_c), 2_c) * sum(c, dim = 0_c)) == 0);
}
