// SPDX-License-Identifier: MIT
// A model cannot be cloned if it holds another model by reference: the clone would share the
// weights.
// libtorch
// expect: clone: what a std::reference_wrapper refers to belongs to another object
#include <koila/nn/linear.hpp>

#include <functional>

using namespace koila;

struct model {
#ifdef MISTAKE
  std::reference_wrapper<nn::linear<4, 4>> layer;
#else
  nn::linear<4, 4> layer;
#endif
};

int main() {
  nn::linear<4, 4> first{"first"};
  return static_cast<int>(named_parameters(clone(model{first})).size());
}
