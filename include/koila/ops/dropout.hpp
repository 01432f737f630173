#pragma once
// dropout: elements set to zero at random.
#include <koila/ops/family/dropout.hpp>

namespace koila {

/// (...) -> (...): 0 with probability p, else x / (1 - p). The same elements for every chunk and in
/// the gradient.
inline constexpr struct dropout : op<dropout, 1> {
  static constexpr std::string_view name = "dropout";
  using attributes = dropout_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::dropout(x, a); }
  static constexpr auto expand(const auto& x, const attributes& a) { return detail::dropped(x, a); }
} dropout;

}  // namespace koila
