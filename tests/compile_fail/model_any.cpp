// SPDX-License-Identifier: MIT
// A model cannot have a std::any member: koila cannot see a model inside it and would not save it.
// libtorch
// expect: koila cannot see what parameters this class of another library holds: hold models in
//    members
#include <koila/nn/linear.hpp>

#include <any>

using namespace koila;

struct model {
  nn::linear<4, 4> first{"first"};
#ifdef MISTAKE
  std::any second = nn::linear<4, 4>("second");
#else
  std::optional<nn::linear<4, 4>> second{"second"};
#endif
};

int main() {
  model net;
  return static_cast<int>(named_parameters(net).size());
}
