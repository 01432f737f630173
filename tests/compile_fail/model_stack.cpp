// SPDX-License-Identifier: MIT
// A model cannot have a std::stack member: koila cannot see models inside it and would not save
// them.
// libtorch
// expect: koila cannot see what parameters this class of another library holds: hold models in
//    members
#include <koila/nn/linear.hpp>

#include <stack>
#include <vector>

using namespace koila;

struct model {
#ifdef MISTAKE
  std::stack<nn::linear<4, 4>> layers;
  std::unique_ptr<nn::linear<4, 4>[]> more;
#else
  std::vector<nn::linear<4, 4>> layers;
#endif
};

int main() {
  model net;
  return static_cast<int>(named_parameters(net).size());
}
