// SPDX-License-Identifier: MIT
// An expression cannot be saved: it has no parameters of its own, so the file would be empty.
// sentence: save: no model with parameters, no optimiser or step whose state lists its parts
// reason: nothing_to_save
// max_lines: 8
// libtorch
#include <koila/koila.hpp>
#include <koila/nn/serialize.hpp>

using namespace koila;

int main() {
  parameter<3> w{"w"};
  input<batch, 3> x{"x"};
#ifdef MISTAKE
  save(x * w, "net.pt");
#else
  save(w, "net.pt");
#endif
}
