// SPDX-License-Identifier: MIT
#pragma once
// Random calls of every op with arbitrary operands and attributes, for the generated misuse test. A
// seed determines the calls.
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

/// A named attribute. Its name is the argument's name in LibTorch's operator.
struct attribute_value {
  enum kind { whole, real, truth, named, list, other } what;
  std::string name = {};
  std::int64_t number = 0;
  double real_number = 0;
  choice chosen = choice::none;
  std::vector<std::int64_t> several = {};
  bool usual = false;  ///< the attribute has its default value
};

/// Returns a type's name without koila's namespaces.
template <class T>
auto type_name() -> std::string {
  const std::string_view all = __PRETTY_FUNCTION__;
  std::string_view type = all.substr(all.find("T = ") + 4);
  type = type.substr(0, type.find_first_of(";]"));
  for (const std::string_view space : {"koila::", "v0::", "ops::", "internal::"})
    if (type.substr(0, space.size()) == space) type.remove_prefix(space.size());
  return std::string(type);
}

/// An op together with a number of operands.
struct callable_op {
  std::string name, header;
  std::string type;  ///< unlike the name, the type distinguishes the results of an op: max_values, max_indices
  const op_info* info;
  int operands;
  std::function<handle<const object>(dice&, bool hostile)> attributes;  ///< hostile: most values are out of range
  std::function<std::vector<attribute_value>(const object*)>
      attribute_values;  ///< the named attributes, and one of kind `other` if an unnamed one is set
  bool takes_numbers;  ///< operands may be numbers
  /// Returns false if only gradients and expansions call the op.
  auto is_public() const -> bool { return header.substr(0, 9) != "internal/"; }
};

/// Returns every op once for each number of operands that the op takes.
auto callable_ops() -> const std::vector<callable_op>&;

/// One call: the dims of its operands (of numbers too), its attributes, and the seed of its values.
struct call {
  const callable_op* op;
  std::vector<dims> operands;
  handle<const object> attributes;
  std::uint64_t seed = 0;  // of the operands' values
  bool hostile_values = false, hostile_attributes = false;
  bool special_values = false;  // NaN, infinities and zeros among the floating-point values

  auto verdict() const -> author::verdict { return op->info->rule(operands.data(), attributes.get()); }
  auto to_string() const -> std::string;
};

/// Returns a random call that the rule accepts. Returns nothing if the rule rejects 2,000 random
/// calls.
auto accepted_call(const callable_op& op, dice& d) -> std::optional<call>;
/// Returns the call with one change: the rank, extent or dtype of an operand, the order of the
/// operands, or the attributes.
auto changed(const call& c, dice& d) -> call;

}  // namespace koila::test
