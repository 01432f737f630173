#pragma once
// Every op as its tables tell, for tests that ask something of all of them.
#include <string>
#include <vector>

#include "pch.hpp"

namespace koila::test {

/// An op with the header that it is in and what stands above it there.
struct described {
  std::string name, header, doc;
  const op_info* forms = nullptr;  ///< by the number of operands; those that it does not take have no rule
  handle<const object> attributes;  ///< as they are where none is given
  /// With a few positions, sizes and lists of them for those that have a place in a call; and with
  /// numbers that are not whole.
  std::vector<handle<const object>> variants, factors;

  auto takes(std::size_t operands) const -> bool { return forms[operands].rule != nullptr; }
  /// The fewest operands, and the table for so many.
  auto least() const -> std::size_t {
    std::size_t n = 0;
    while (n < most_operands && !takes(n)) ++n;
    return n;
  }
  auto info() const -> const op_info* { return &forms[least()]; }
  auto made_of_ops() const -> bool { return info()->expand != nullptr; }
  auto differentiable() const -> bool { return info()->gradient != nullptr || made_of_ops(); }
};

/// All ops by their names.
auto all_ops() -> const std::vector<described>&;

/// Whether an op with these attributes computes each element of elements of its operands, which are
/// all of dtype t: of scalars and of three dims, whatever dim the samples are on.
auto is_of_each_element(const op_info& op, std::size_t operands, const object* attributes, dtype t) -> bool;

/// Operands of the ranks and dtypes that an op takes, of extent 4 or, where it has gates, a
/// multiple: at most `most`, those of low ranks.
auto accepted_operands(const op_info& op, std::size_t operands, const object* attributes, std::size_t most)
    -> std::vector<std::vector<dims>>;

}  // namespace koila::test
