// SPDX-License-Identifier: MIT
// A step cannot be saved if the state of its optimiser does not list its parts.
// sentence: save: no model with parameters, no optimiser or step whose state lists its parts
// reason: nothing_to_save
// max_lines: 8
// libtorch
#include <koila/koila.hpp>
#include <koila/nn/serialize.hpp>

using namespace koila;

template <bool Lists>
struct own_sgd {
  struct state {
    at::Tensor sum;
    auto bytes() const -> std::int64_t { return 0; }
    static void each(auto& s, const auto& f)
      requires Lists
    {
      f("sum", s.sum);
    }
  };
  double lr = 0.1;
  auto state_for(const at::Tensor&) const -> state { return {}; }
  void update(const at::Tensor&, const at::Tensor&, state&) const {}
};

int main() {
  parameter<3> w{"w"};
#ifdef MISTAKE
  save(step(sum(w), own_sgd<false>()), "o.pt");
#else
  save(step(sum(w), own_sgd<true>()), "o.pt");
#endif
}
