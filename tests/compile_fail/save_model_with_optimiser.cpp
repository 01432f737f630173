// SPDX-License-Identifier: MIT
// A model that holds an optimiser cannot be saved: the file would have the parameters alone.
// expect: save and load: a model that holds an optimiser or a step: hand these over besides
// libtorch
#include <koila/koila.hpp>
#include <koila/nn/serialize.hpp>

using namespace koila;

int main() {
  struct trainer {
    parameter<3> w{"w"};
    adam optimizer{};
  } all;
#ifdef MISTAKE
  save(all, "net.pt");
#else
  save(all.w, all.optimizer, "net.pt");
#endif
}
