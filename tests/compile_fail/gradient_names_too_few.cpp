// SPDX-License-Identifier: MIT
// The gradient of a user's op must name an expression or no_gradient for each operand.
// expect: names one expression or no_gradient for each operand
// max_lines: 40
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

struct twice_and : op<twice_and> {
  static constexpr std::string_view name = "twice_and";
  static constexpr auto rule(const dims& x, const dims&) -> verdict { return x; }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const auto&) {
#ifdef MISTAKE
    return gradients(dy * 2);
#else
    return gradients(dy * 2, no_gradient);
#endif
  }
};

int main() { return info_of<twice_and, 2>().gradient == nullptr ? 1 : 0; }
