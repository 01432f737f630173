// SPDX-License-Identifier: MIT
// A model with private members must have a members() function, so that koila sees its parameters.
// libtorch
// expect: give it a member function members\(\) that returns a std::tie of them
#include <koila/nn/linear.hpp>

using namespace koila;

class hidden {
  nn::linear<4, 4> inner{"inner"};

 public:
  auto operator()(const auto& x) const { return inner(x); }
#ifdef MISTAKE
#else
  auto members() const { return std::tie(inner); }
#endif
};
struct model {
  hidden first;
  nn::linear<4, 4> second{"second"};
};

int main() {
  model net;
  return static_cast<int>(named_parameters(net).size());
}
