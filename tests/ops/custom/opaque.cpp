// SPDX-License-Identifier: MIT
#include <koila/ops/custom/custom.hpp>

#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("opaque callables: what becomes of samples") {
  constexpr auto flow = [](const value& x, const value& w, const dims& y, bool rows) {
    opaque_attributes a;
    a.per_sample = rows;
    return ops::custom::flow(x, w, y, a);
  };
  constexpr auto d = [](index_t n, index_t m) {
    return dims({extent{n, axis_name<struct batch>}, extent(m)}, float32);
  };
  constexpr dims w({extent(3), extent(2)}, float32);
  constexpr relations whole = flow({d(5, 3), samples_along(0)}, {w, {}}, d(5, 2), false);
  STATIC_REQUIRE(whole.out.kind == batch_relation::whole);
  STATIC_REQUIRE((whole.resliced && whole.again == samples_along(0) && whole.operand[0].kind == need::whole));
  constexpr relations chunked = flow({d(5, 3), samples_along(0)}, {w, {}}, d(5, 2), true);
  STATIC_REQUIRE(chunked.out == samples_along(0));
  STATIC_REQUIRE((chunked.operand[0].kind == need::rows && chunked.operand[1].kind == need::whole));
  // Operands are gathered if the samples do not lie along dim 0, or if the result has a different
  // number of rows.
  STATIC_REQUIRE(flow({d(3, 5), samples_along(1)}, {w, {}}, d(3, 2), true).out.kind == batch_relation::whole);
  STATIC_REQUIRE(flow({d(5, 3), samples_along(0)}, {w, {}}, d(4, 2), true).out.kind == batch_relation::whole);
  // Several rows per sample: (batch * 2, 3).
  STATIC_REQUIRE(flow({d(10, 3), samples_along(0, 1, 2)}, {w, {}}, d(10, 2), true).out == samples_along(0, 1, 2));

  constexpr auto pull_back = [](int wanted) {
    opaque_attributes a;
    a.per_sample = true;
    const dims x({extent(5), extent(3)}, float32), y({extent(5), extent(2)}, float32),
        w({extent(3), extent(2)}, float32);
    return custom_backward::flow(value{y, samples_along(0)}, value{x, samples_along(0)}, value{w, {}},
                                 wanted == 0 ? x : w, opaque_backward_attributes(a, wanted));
  };
  STATIC_REQUIRE(pull_back(0).out == samples_along(0));
  STATIC_REQUIRE(pull_back(1).out == partial(monoid::sum));
  STATIC_REQUIRE(ops::custom::rule(d(5, 3), opaque_attributes{}).reason == reason::no_rule_for_these_ranks);
}

TEST_CASE("opaque callables: dims that grow with an axis are that axis") {
  const input<float64, batch, 3> x{"x"};
  const at::Tensor values = normal({3, 3});
  const auto pairs = custom([](const at::Tensor& t) { return at::mm(t, t.t()); }, x, koila::workspace = 0,
                            koila::backward_workspace = 0);  // (batch, batch)
  const auto gram = custom([](const at::Tensor& t) { return at::mm(t.t(), t); }, x, koila::workspace = 0,
                           koila::backward_workspace = 0);   // (3, 3): no dim is the batch dim
  const auto spelt = [&](const auto& y) {
    const memory_plan p = plan(y, x = values);
    detail::writer w;
    for (const graph_node& n : p.graph.nodes)
      if (n.op != nullptr && n.name() == "custom") w.put(n.dims);
    return std::string(w.view());
  };
  CHECK(spelt(pairs) == "float64[batch=3, batch=3]");
  CHECK(spelt(gram) == "float64[3, 3]");
}

}  // namespace koila::test
