// SPDX-License-Identifier: MIT
#pragma once
// Counts the behaviours that the tests of the Python package koila check.
// tests/run/behaviours_*.cpp check the same behaviours.
#include "run/support.hpp"

#include <set>

namespace test {

/// The number of behaviours that each test case checks.
inline constexpr int of_operators = 34, of_functions = 43, of_values = 22, of_shapes = 10, of_layers = 13,
                     of_models = 1;
/// The numbers of behaviours that the tests of the Python package check: in test_lazy.py, and in
/// all files together (also test_prepasses.py, test_layers.py and test_models.py).
static_assert(of_operators + of_functions + of_values == 99);
static_assert(99 + of_shapes + of_layers + of_models == 123);

/// Runs the check of each behaviour and counts behaviours by name. A method in Python corresponds
/// to a function on expressions in C++.
class behaviours {
 public:
  template <class F>
  void operator()(const std::string& name, const F& check) {
    CAPTURE(name);
    REQUIRE(names_.insert(name).second);
    check();
  }
  auto count() const -> int { return static_cast<int>(names_.size()); }

 private:
  std::set<std::string> names_;
};

/// Returns the dims that a plan states for an expression. Runs nothing.
template <Expression E, class... B>
auto planned(const E& e, const B&... bound) -> std::vector<index_t> {
  const memory_plan p = koila::plan(e, bound...);
  const dims& d = p.graph.node(p.outputs[0]).dims;
  std::vector<index_t> out;
  for (int i = 0; i < d.rank; ++i) out.push_back(d.e[i].n);
  return out;
}

/// True if the compiler knows the expression's shape, and the shape is exactly this one.
template <class E, auto... D>
inline constexpr bool typed = std::is_same_v<shape_t<E>, shape_t<input<D...>>>;

}  // namespace test
