// SPDX-License-Identifier: MIT
// A user's op gets the same error messages as koila's ops.
// sentence: outer_product: [batch, 3] x [3]: no rule for these ranks
// reason: no_rule_for_these_ranks
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;
using namespace koila::author;

inline constexpr struct outer_product : op<outer_product> {
  static constexpr std::string_view name = "outer_product";
  static constexpr auto rule(const dims& a, const dims& b) -> verdict {
    if ((a.ranked() && a.rank != 1) || (b.ranked() && b.rank != 1)) return reason::no_rule_for_these_ranks;
    return dims({a[0], b[0]}, result_type(a, b));
  }
} outer_product;

int main() {
  input<batch, 3> x{"x"};
  input<batch> s{"s"};
  input<3> v{"v"};
#ifdef MISTAKE
  auto y = outer_product(relu(x), v);
#else
  auto y = outer_product(relu(s), v);
#endif
}
