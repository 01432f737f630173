// Randomness, sequences and attention.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

int main() {
  input<batch, 10> x{"x"};
  input<int64, batch, 10> n{"n"};
  input<int32, batch, 10> narrow_index{"narrow_index"};
  input<100, 16> w{"w"};
  input<100> line{"line"};
#ifdef MISTAKE
  bernoulli(n);  // says: bernoulli:
  bernoulli_like(n);  // says: bernoulli_like:
  bernoulli_like(x, 2_c);  // says: bernoulli_like:
  dropout(n);  // says: dropout:
  dropout(x, p = 2_c);  // says: dropout:
  embedding(narrow_index, w);  // says: embedding:
  embedding(n, line);  // says: embedding:
  embedding(n, n);  // says: embedding:
  embedding(n, w, padding_idx = 100_c);  // says: embedding:
  embedding_backward(x, n, w);  // says: embedding_backward:
  rand_like(n);  // says: rand_like:
  randn_like(n);  // says: randn_like:
#endif
}
