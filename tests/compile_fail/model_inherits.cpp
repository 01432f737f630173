// SPDX-License-Identifier: MIT
// A model whose base has members must have a members() function: C++ does not list these members.
// libtorch
// expect: a model with a base that has members, or whose members cannot be counted: give it a
//    member function members\(\)
#include <koila/nn/linear.hpp>

using namespace koila;

struct base {
#ifdef MISTAKE
  parameter<4> b{"b"};
#endif
};
struct model : base {
  nn::linear<4, 4> l{"l"};
};

int main() {
  model net;
  return static_cast<int>(named_parameters(net).size());
}
