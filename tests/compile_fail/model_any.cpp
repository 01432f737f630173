// SPDX-License-Identifier: MIT
// What a std::any of a model holds cannot be seen: a model in it would not be saved.
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
  return static_cast<int>(parameters(net).size());
}
