// relu: one operand.
// sentence: relu: [batch, 3] x [batch, 3]: no rule for these ranks
// reason: no_rule_for_these_ranks
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 3> x{"x"};
#ifdef MISTAKE
  auto z = relu(x, x);
#else
  auto z = relu(x);
#endif
}
