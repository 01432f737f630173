// SPDX-License-Identifier: MIT
// A class with private members has no parameters that koila could see: it must say where they are.
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
  return static_cast<int>(parameters(net).size());
}
