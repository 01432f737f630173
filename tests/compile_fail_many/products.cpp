// SPDX-License-Identifier: MIT
// Products.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 128> x{"x"};
  input<batch, 4, 6> stack{"stack"};
  input<batch, 5, 6> other{"other"};
  input<3, 6, 5> three{"three"};
  input<float64, 128, 10> wide{"wide"};
  input<boolean, 128, 10> b{"b"};
  input<64, 10> w{"w"};
  input<128, 10> m{"m"};
  input<10, 128> u{"u"};
  input<10> ten{"ten"};
  input<7> seven{"seven"};
  input<> scalar{"scalar"};
  input<10, 4, 5> cube{"cube"};
  input<2, 2, 2, 2, 2, 2> big{"big"};
  input<batch, 4> left{"left"};
  input<batch, 6> right{"right"};
#ifdef MISTAKE
  addmm(ten, x, w);  // says: addmm: [10] x [batch, 128] x [64, 10]: inner dimensions differ
  addmm(seven, x, m);  // says: addmm: [7] x [batch, 128] x [128, 10]: not broadcastable
  addmm(wide, x, m);  // says: addmm: float64[128, 10] x [batch, 128] x [128, 10]: dtypes differ
  cdist(stack, three);  // says: cdist: [batch, 4, 6] x [3, 6, 5]: inner dimensions differ
  cdist(x, ten);  // says: cdist: [batch, 128] x [10]: no rule for these ranks
  cdist(m, wide);  // says: cdist: [128, 10] x float64[128, 10]: dtypes differ
  cdist_backward(stack, stack, other, other);  // says: cdist_backward: [batch, 4, 6] x [batch, 4, 6] x [batch, 5, 6] x [batch, 5, 6]: shapes differ
  cdist_forward(x, u);  // says: cdist_forward: [batch, 128] x [10, 128]: no rule for these ranks
  baddbmm(scalar, stack, other);  // says: baddbmm: [] x [batch, 4, 6] x [batch, 5, 6]: inner dimensions differ
  baddbmm(seven, stack, transpose(other, 1_c, 2_c));  // says: baddbmm: [7] x [batch, 4, 6] x [batch, 6, 5]: not broadcastable
  bilinear(left, right, cube);  // says: bilinear: [batch, 4] x [batch, 6] x [10, 4, 5]: in_features differ
  bilinear(left, right, m);  // says: bilinear: [batch, 4] x [batch, 6] x [128, 10]: no rule for these ranks
  bmm(stack, other);  // says: bmm: [batch, 4, 6] x [batch, 5, 6]: inner dimensions differ
  bmm(stack, three);  // says: bmm: [batch, 4, 6] x [3, 6, 5]: batch dimensions differ
  bmm(x, m);  // says: bmm: [batch, 128] x [128, 10]: no rule for these ranks
  dot(ten, seven);  // says: dot: [10] x [7]: inner dimensions differ
  dot(x, ten);  // says: dot: [batch, 128] x [10]: no rule for these ranks
  einsum("bi,ij->bj"_eq, x, w);  // says: einsum: [batch, 128] x [64, 10], "bi,ij->bj": inner dimensions differ
  einsum("bi,ij->bk"_eq, x, m);  // says: einsum: [batch, 128] x [128, 10], "bi,ij->bk": not an equation of subscripts
  einsum("bi,bi->b"_eq, x, wide);  // says: einsum: [batch, 128] x float64[128, 10], "bi,bi->b": dtypes differ
  kron(cube, big);  // says: kron: [10, 4, 5] x [2, 2, 2, 2, 2, 2]: more than 8 dimensions
  linear(x, w);  // says: linear: [batch, 128] x [64, 10]: in_features differ
  linear(x, u, seven);  // says: linear: [batch, 128] x [10, 128] x [7]: the bias is not (out_features)
  linear(x, ten);  // says: linear: [batch, 128] x [10]: no rule for these ranks
  linear(scalar, u);  // says: linear: [] x [10, 128]: no rule for these ranks
  linear(x);  // says: linear: [batch, 128]: the op takes another number of operands
  matmul(x, w);  // says: matmul: [batch, 128] x [64, 10]: inner dimensions differ
  matmul(x, scalar);  // says: matmul: [batch, 128] x []: no rule for these ranks
  matmul(x, wide);  // says: matmul: [batch, 128] x float64[128, 10]: dtypes differ
  matmul(b, b);  // says: matmul: bool[128, 10] x bool[128, 10]: no rule for booleans
  matmul(stack, three);  // says: matmul: [batch, 4, 6] x [3, 6, 5]: batch dimensions differ
  matmul(x, m, dim = 1_c);  // says: matmul: [batch, 128] x [128, 10]: the op has no such attribute
  matmul(x, 2);  // says: matmul: [batch, 128] x []: no rule for these ranks
  mm(x, w);  // says: mm: [batch, 128] x [64, 10]: inner dimensions differ
  mm(x, ten);  // says: mm: [batch, 128] x [10]: no rule for these ranks
  mm(x, wide);  // says: mm: [batch, 128] x float64[128, 10]: dtypes differ
  mv(x, ten);  // says: mv: [batch, 128] x [10]: inner dimensions differ
  mv(ten, x);  // says: mv: [10] x [batch, 128]: no rule for these ranks
  outer(x, ten);  // says: outer: [batch, 128] x [10]: no rule for these ranks
  tensordot(x, w, 1_c);  // says: tensordot: [batch, 128] x [64, 10], dims 1: inner dimensions differ
  tensordot(x, w);  // says: tensordot: [batch, 128] x [64, 10]: no dim is given
  tensordot(x, m, 3_c);  // says: tensordot: [batch, 128] x [128, 10], dims 3: dimension out of range
  tensordot(x, m, list_of(1_c), list_of(2_c));  // says: tensordot: [batch, 128] x [128, 10], dims 1 and 2: dimension out of range
  tensordot(x, m, list_of(1_c, 1_c), list_of(0_c, 1_c));  // says: tensordot: [batch, 128] x [128, 10], dims (1, 1) and (0, 1): a dim is given twice
  tensordot(x, m, list_of(1_c));  // says: tensordot: [batch, 128] x [128, 10], dims 1 and (): not each dim is given once
  tensordot(x, wide, 1_c);  // says: tensordot: [batch, 128] x float64[128, 10], dims 1: dtypes differ
  tensordot(b, b, 2_c);  // says: tensordot: bool[128, 10] x bool[128, 10], dims 2: no rule for booleans
  tensordot(big, cube, 0_c);  // says: tensordot: [2, 2, 2, 2, 2, 2] x [10, 4, 5], dims 0: more than 8 dimensions
#endif
}
