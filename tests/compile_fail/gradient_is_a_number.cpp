// SPDX-License-Identifier: MIT
// The gradient of a user's op must be an expression, not a number.
// expect: gradients: for each operand an expression or no_gradient
// max_lines: 40
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

struct twice : op<twice> {
  static constexpr std::string_view name = "twice";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) {
#ifdef MISTAKE
    return gradients(2.0);
#else
    return gradients(dy * 2);
#endif
  }
};

int main() { return info_of<twice, 1>().gradient == nullptr ? 1 : 0; }
