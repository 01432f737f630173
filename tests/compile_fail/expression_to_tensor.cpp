// SPDX-License-Identifier: MIT
// An expression is not converted to a tensor implicitly.
// expect: at::Tensor
// max_lines: 9
#include <koila/ops.hpp>

using namespace koila;

void plain(const at::Tensor& t);
void lazy(const auto& e) { (void)e; }

int main() {
  input<batch> x{"x"};
#ifdef MISTAKE
  plain(relu(x));
#else
  lazy(relu(x));
#endif
}
