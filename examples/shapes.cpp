// SPDX-License-Identifier: MIT
// Shapes are types: a mistake does not compile. Uncomment a line with a mistake to read the
// compiler's message.
#include <koila/koila.hpp>

#include <cstdio>

using namespace koila;

inline constexpr struct seq : axis<seq> {  // a user's own axis
  using axis::operator=;
} seq;

int main() {
  input<batch, 784> x{"x"};
  parameter<128, 784> w1{"w1"};
  parameter<64, 10> w2{"w2"};

  auto h = relu(linear(x, w1));  // (batch, 128)
  static_assert(shape_of(h) == shape<batch, 128>::value);

  // auto y = matmul(h, w2);
  //   error: use of deleted function ... "matmul: [batch, 128] x [64, 10]: inner dimensions differ"

  input<batch, seq, 64> tokens{"tokens"};
  auto scores = matmul(tokens, transpose(tokens, 1_c, 2_c));  // (batch, seq, seq)
  auto attention = softmax(scores, -1_c);                     // (batch, seq, seq)
  static_assert(shape_of(attention) == shape<batch, seq, seq>::value);

  // auto z = tokens + x;
  //   error: ... "add: [batch, seq, 64] x [batch, 784]: not broadcastable"

  // The same rules check dims that are known only at run time, when tensors are bound and before
  // anything runs.
  input<any, any> a{"a"}, b{"b"};
  try {
    (void)run(matmul(a, b), a = tensor_of(w1), b = tensor_of(w2));
  } catch (const shape_error& e) {
    std::printf("%s\n", e.what());  // matmul: [128, 784] x [64, 10]: inner dimensions differ
  }

  // The planner runs in the compiler as well.
  static_assert(peak_bytes(
                    [] {
                      input<batch, 784> in;
                      parameter<128, 784> w;
                      return mean(relu(linear(in, w)));
                    },
                    batch = 64) <= 1_MiB);
}
