#pragma once
// What negative log-likelihoods of distributions share.
#include <koila/ops/family/loss.hpp>

namespace koila {

/// Whether the terms count that do not depend on the model.
inline constexpr struct full : attribute_name<full> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.full)) { return a.full; }
} full;

namespace detail {

inline constexpr double log_two_pi = 1.8378770664093454835606594728112;

}  // namespace detail
}  // namespace koila
