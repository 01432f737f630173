// SPDX-License-Identifier: MIT
// An `erased` cannot be assigned an expression of another dtype than its own.
// sentence: erased = expression: [batch, 512] x int64[batch, 512]: the dtype is not the declared
//    one
// reason: declared_dtype_differs
// max_lines: 8
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<int64, batch, 512> wrong{"wrong"};
  erased<batch, 512> h = x;
#ifdef MISTAKE
  h = wrong + wrong;
#else
  h = x + wrong;
#endif
}
