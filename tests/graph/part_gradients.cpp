// SPDX-License-Identifier: MIT
// Gradients of slices are concatenated. They are not padded with zeros and added.
#include "graph/support.hpp"

using namespace koila;
using namespace koila::author;
using namespace ::test;

namespace {

/// Counts the nodes of this name that the first leaf's gradient needs.
constexpr auto needed_for(const auto& loss, std::string_view name) -> int {
  lowered_expression l = lowered(loss, 8, true);
  l.value = l.gradients[0];
  return count(l, name);
}

static_assert([] {  // slices that cover the whole dim, in any order
  parameter<6, 4> w{"w"};
  auto loss =
      sum(exp(narrow(w, 0_c, 4_c, 2_c))) + sum(sin(narrow(w, 0_c, 0_c, 3_c))) + sum(cos(narrow(w, 0_c, 3_c, 1_c)));
  return needed_for(loss, "cat") == 1 && needed_for(loss, "slice_backward") == 0;
}());
static_assert([] {  // gaps are filled with zeros
  parameter<6, 4> w{"w"};
  auto loss = sum(exp(narrow(w, 0_c, 4_c, 1_c))) + sum(sin(narrow(w, 0_c, 1_c, 2_c)));
  return needed_for(loss, "cat") == 1 && needed_for(loss, "slice_backward") == 0;
}());
static_assert([] {  // overlapping slices are padded and added
  parameter<6, 4> w{"w"};
  auto loss = sum(exp(narrow(w, 0_c, 0_c, 4_c))) + sum(sin(narrow(w, 0_c, 3_c, 2_c)));
  return needed_for(loss, "cat") == 0 && needed_for(loss, "slice_backward") == 2 && needed_for(loss, "add") == 1;
}());
static_assert([] {  // if the whole value is also read, its gradient is added once
  parameter<6, 4> w{"w"};
  auto [a, c] = split(w, 3_c, 0_c);
  auto loss = sum(exp(a)) + sum(exp(w)) + sum(sin(c));
  return needed_for(loss, "cat") == 1 && needed_for(loss, "slice_backward") == 0 && needed_for(loss, "add") == 1;
}());
static_assert([] {  // slices along different dims or with strides: padded and added
  parameter<6, 4> w{"w"};
  auto other_dims = sum(exp(narrow(w, 0_c, 0_c, 3_c))) + sum(sin(narrow(w, 1_c, 0_c, 2_c)));
  auto strided = sum(exp(slice(w, 0_c, 0_c, 4_c, 2_c))) + sum(sin(slice(w, 0_c, 4_c, 6_c, 1_c)));
  return needed_for(other_dims, "slice_backward") == 2 && needed_for(other_dims, "cat") == 0 &&
         needed_for(strided, "slice_backward") == 2 && needed_for(strided, "cat") == 0;
}());
static_assert([] {  // slices of the samples are gathered first, then concatenated
  parameter<4> w{"w"};
  input<batch, 4> x{"x"};
  auto y = let(x * w);
  auto loss = sum(exp(narrow(y, 0_c, 0_c, 3_c))) + sum(sin(narrow(y, 0_c, 3_c, 5_c)));
  return needed_for(loss, "slice_backward") == 0 && needed_for(loss, "cat") == 1;
}());

}  // namespace

TEST_CASE("the gradient of a sequence grows with its length and not with its square") {
  const auto bytes_of = [](index_t steps) {
    input<any, batch, 3> x{"x"};
    parameter<5, 3> w{"w"};
    parameter<5, 5> u{"u"};
    input<batch, 5> h{"h"};
    bindings bound;
    bound.axes.push_back({axis_name<struct koila::batch>, 8});
    dims d = shape_of(x);
    d.e[0].n = steps, d.e[1].n = 8;
    bound.leaves.push_back({x.state.get(), d, layout::dense});
    const lowered_expression l = lower_expression(sum(rnn_tanh(x, h, w, u)), std::move(bound), true);
    const schedule s = needed(l);
    double bytes = 0;
    int padded = 0;
    for (std::size_t i = 0; i < l.graph.nodes.size(); ++i) {
      if (!s.nodes[i].is_live) continue;
      bytes += l.graph.nodes[i].cost.bytes;
      padded += l.graph.nodes[i].name() == "slice_backward" ? 1 : 0;
    }
    CHECK(padded == 0);
    return bytes;
  };
  const double a = bytes_of(50), b = bytes_of(100), c = bytes_of(200);
  CHECK(c - b < 2.1 * (b - a));
}
