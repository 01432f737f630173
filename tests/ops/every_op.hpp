// SPDX-License-Identifier: MIT
#pragma once
// A list of all ops with their table entries, for tests that check every op.
#include <string>
#include <vector>

#include "pch.hpp"

namespace koila::test {

using namespace detail;

/// An op, the header that declares it, and its docstring in that header.
struct described {
  std::string name, header, doc;
  /// Indexed by the number of operands. For a number that the op does not accept, the entry has no
  /// rule.
  const op_info* forms = nullptr;
  handle<const object> attributes;  ///< the default attributes
  std::string settings;  ///< names and values, "dim = -1, keepdim = false"; a name alone has no default
  /// `variants`: attributes with different integers, or lists of integers, in positional places.
  /// `factors`: attributes with different floating-point numbers in positional places.
  std::vector<handle<const object>> variants, factors;

  auto accepts(std::size_t operands) const -> bool { return forms[operands].rule != nullptr; }
  /// `least` returns the smallest number of operands. `info` returns the table's entry for that
  /// number.
  auto least() const -> std::size_t {
    std::size_t n = 0;
    while (n < most_operands && !accepts(n)) ++n;
    return n;
  }
  auto info() const -> const op_info* { return &forms[least()]; }
  auto made_of_ops() const -> bool { return info()->expand != nullptr; }
  auto differentiable() const -> bool { return info()->gradient != nullptr || made_of_ops(); }
};

/// All ops, sorted by name.
auto all_ops() -> const std::vector<described>&;

/// Returns true if an op with these attributes is element-wise for operands of dtype t. The op must
/// be element-wise for scalars, and for operands of rank 3 with the samples along each of the dims.
auto is_of_each_element(const op_info& op, std::size_t operands, const object* attributes, dtype t) -> bool;

/// Returns at most `most` lists of operands that an op accepts, of different ranks and dtypes, low
/// ranks first. The extents are 4, or a multiple of 4 for gates.
auto accepted_operands(const op_info& op, std::size_t operands, const object* attributes, std::size_t most)
    -> std::vector<std::vector<dims>>;

}  // namespace koila::test
