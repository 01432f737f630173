#pragma once
// Calls of every op with whatever operands and attributes: what the generated misuse test tries,
// drawn from a seed.
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "pch.hpp"

namespace koila::test {

/// Random choices, the same on every machine.
class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  auto below(std::size_t n) -> std::size_t { return static_cast<std::size_t>(engine_() % n); }
  auto one_in(std::size_t n) -> bool { return below(n) == 0; }
  template <class T, std::size_t N>
  auto among(const T (&list)[N]) -> T {
    return list[below(N)];
  }
  template <class T>
  void shuffle(std::vector<T>& v) {
    for (std::size_t i = v.size(); i > 1; --i) std::swap(v[i - 1], v[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

/// An attribute that has a name, as LibTorch's operators name it.
struct attribute_value {
  enum kind { whole, real, truth, named, list, other } what;
  std::string name = {};
  std::int64_t number = 0;
  double real_number = 0;
  choice of = choice::none;
  std::vector<std::int64_t> several = {};
  bool usual = false;  ///< the value where none is given
};

/// An op with so many operands.
struct callable_op {
  std::string name, header;
  const op_info* info;
  int operands;
  std::function<handle<const object>(dice&, bool hostile)> attributes;  ///< usual values, or hostile ones
  std::function<std::vector<attribute_value>(const object*)>
      attribute_values;  ///< those with names; one without where others are given
  bool takes_numbers;  ///< as operands
};

/// Every op for every number of operands that it takes.
auto callable_ops() -> const std::vector<callable_op>&;

/// One call: dims of the operands (of numbers, too), what they hold, the attributes.
struct call {
  const callable_op* op;
  std::vector<dims> in;
  handle<const object> at;
  std::uint64_t seed = 0;  // of the values
  bool hostile_values = false, hostile_attributes = false;

  auto verdict() const -> koila::verdict { return op->info->rule(in.data(), at.get()); }
  auto spell() const -> std::string;
};

/// A call that the rule accepts; none where none was found. `at`: the attributes it is to have.
auto accepted_call(const callable_op& op, dice& d) -> std::optional<call>;
/// The same with one thing changed: an operand's rank, an extent, a dtype, an attribute.
auto changed(const call& c, dice& d) -> call;

}  // namespace koila::test
