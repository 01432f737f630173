// SPDX-License-Identifier: MIT
// koila does not find the models in a std::stack: they would not be saved.
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
  return static_cast<int>(parameters(net).size());
}
