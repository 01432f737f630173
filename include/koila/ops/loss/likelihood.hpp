// SPDX-License-Identifier: MIT
#pragma once
// Shared by the negative log-likelihoods of distributions.
#include <koila/ops/creation/full.hpp>
#include <koila/ops/loss/loss.hpp>

namespace koila::inline v0 {

namespace detail {

inline constexpr double log_two_pi = 1.8378770664093454835606594728112;

}  // namespace detail
}  // namespace koila::inline v0
