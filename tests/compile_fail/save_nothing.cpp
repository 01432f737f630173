// SPDX-License-Identifier: MIT
// A struct without parameters cannot be saved as a model.
// sentence: save: no model with parameters, no optimiser or step whose state lists its parts
// reason: nothing_to_save
// max_lines: 8
// libtorch
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>
#include <koila/nn/serialize.hpp>

using namespace koila;

int main() {
  struct net {
    nn::dropout drop;
    int layers = 3;
  };
#ifdef MISTAKE
  save(net(), "net.pt");
#else
  save(nn::linear<2, 3>(), "net.pt");
#endif
}
