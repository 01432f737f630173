// Element-wise ops of two operands or more.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

int main() {
  input<batch, 7> x{"x"};
  input<batch, 5> y{"y"};
  input<float64, batch, 7> wide{"wide"};
  input<boolean, batch, 7> b{"b"};
#ifdef MISTAKE
  add(x, y);  // says: add: [batch, 7] x [batch, 5]: not broadcastable
  x + y;  // says: add: [batch, 7] x [batch, 5]: not broadcastable
  div(x, y);  // says: div: [batch, 7] x [batch, 5]: not broadcastable
  x / y;  // says: div: [batch, 7] x [batch, 5]: not broadcastable
  mul(x, y);  // says: mul: [batch, 7] x [batch, 5]: not broadcastable
  x * y;  // says: mul: [batch, 7] x [batch, 5]: not broadcastable
  pow(x, y);  // says: pow: [batch, 7] x [batch, 5]: not broadcastable
  pow(b, b);  // says: pow: bool[batch, 7] x bool[batch, 7]: no rule for booleans
  sub(x, y);  // says: sub: [batch, 7] x [batch, 5]: not broadcastable
  sub(b, x);  // says: sub: bool[batch, 7] x [batch, 7]: no rule for booleans
  x - y;  // says: sub: [batch, 7] x [batch, 5]: not broadcastable
  ties(x, y);  // says: ties: [batch, 7] x [batch, 5]: not broadcastable
  ties(x, wide);  // says: ties: [batch, 7] x float64[batch, 7]: dtypes differ
  add(x, x, kernel_size = 1_c);  // says: add: [batch, 7] x [batch, 7]: the op has no such attribute
#endif
}
