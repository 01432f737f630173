// SPDX-License-Identifier: MIT
#pragma once
// Random calls of every op with arbitrary operands and attributes, for the generated misuse test. A
// seed determines them.
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "pch.hpp"

namespace koila::test {

using namespace detail;

/// Random choices that are the same on every machine.
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

/// A named attribute. Its name is that of the argument of LibTorch's operator.
struct attribute_value {
  enum kind { whole, real, truth, named, list, other } what;
  std::string name = {};
  std::int64_t number = 0;
  double real_number = 0;
  choice of = choice::none;
  std::vector<std::int64_t> several = {};
  bool usual = false;  ///< it has its default value
};

/// Returns a type's name without koila's namespaces.
template <class T>
auto type_name() -> std::string {
  const std::string_view all = __PRETTY_FUNCTION__;
  std::string_view type = all.substr(all.find("T = ") + 4);
  type = type.substr(0, type.find_first_of(";]"));
  for (const std::string_view space : {"koila::", "ops::", "internal::"})
    if (type.substr(0, space.size()) == space) type.remove_prefix(space.size());
  return std::string(type);
}

/// An op with a given number of operands.
struct callable_op {
  std::string name, header;
  std::string type;  ///< unlike the name, it says which result is meant: max_values, max_indices
  const op_info* info;
  int operands;
  std::function<handle<const object>(dice&, bool hostile)> attributes;  ///< returns usual values, or hostile ones
  std::function<std::vector<attribute_value>(const object*)>
      attribute_values;  ///< named attributes, and an unnamed one if others are given
  bool takes_numbers;  ///< numbers may be operands
  /// Returns false if only gradients and expansions call the op.
  auto is_public() const -> bool { return header.substr(0, 9) != "internal/"; }
};

/// Returns every op once for each number of operands that it takes.
auto callable_ops() -> const std::vector<callable_op>&;

/// One call: the dims of its operands (numbers too), its attributes, and the seed of its values.
struct call {
  const callable_op* op;
  std::vector<dims> in;
  handle<const object> at;
  std::uint64_t seed = 0;  // of the operands' values
  bool hostile_values = false, hostile_attributes = false;

  auto verdict() const -> koila::verdict { return op->info->rule(in.data(), at.get()); }
  auto to_string() const -> std::string;
};

/// Returns a random call that the rule accepts, or nothing if none of 2,000 tries finds one.
auto accepted_call(const callable_op& op, dice& d) -> std::optional<call>;
/// Returns the call with one change: an operand's rank, extent or dtype, another order, or
/// attributes.
auto changed(const call& c, dice& d) -> call;

}  // namespace koila::test
