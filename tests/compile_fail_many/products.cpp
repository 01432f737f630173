// Products.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

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
  input<batch, 4> left{"left"};
  input<batch, 6> right{"right"};
#ifdef MISTAKE
  addmm(ten, x, w);  // says: addmm:
  addmm(seven, x, m);  // says: addmm:
  addmm(wide, x, m);  // says: addmm:
  baddbmm(scalar, stack, other);  // says: baddbmm:
  baddbmm(seven, stack, transpose(other, 1_c, 2_c));  // says: baddbmm:
  bilinear(left, right, cube);  // says: bilinear:
  bilinear(left, right, m);  // says: bilinear:
  bmm(stack, other);  // says: bmm:
  bmm(stack, three);  // says: bmm:
  bmm(x, m);  // says: bmm:
  dot(ten, seven);  // says: dot:
  dot(x, ten);  // says: dot:
  einsum("bi,ij->bj"_eq, x, w);  // says: einsum:
  einsum("bi,ij->bk"_eq, x, m);  // says: einsum:
  einsum("bi,bi->b"_eq, x, wide);  // says: einsum:
  linear(x, w);  // says: linear:
  linear(x, u, seven);  // says: linear:
  linear(x, ten);  // says: linear:
  linear(scalar, u);  // says: linear:
  matmul(x, w);  // says: matmul:
  matmul(x, scalar);  // says: matmul:
  matmul(x, wide);  // says: matmul:
  matmul(b, b);  // says: matmul:
  matmul(stack, three);  // says: matmul:
  mm(x, w);  // says: mm:
  mm(x, ten);  // says: mm:
  mm(x, wide);  // says: mm:
  mv(x, ten);  // says: mv:
  mv(ten, x);  // says: mv:
  outer(x, ten);  // says: outer:
  matmul(x, m, kernel_size = 1_c);  // says: matmul:
#endif
}
