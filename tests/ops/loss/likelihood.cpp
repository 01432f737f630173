// SPDX-License-Identifier: MIT
#include <koila/ops/loss/likelihood.hpp>

#include "pch.hpp"

#include <cmath>

namespace koila::test {

TEST_CASE("family: likelihoods") { CHECK(std::abs(detail::log_two_pi - std::log(2 * 3.14159265358979323846)) < 1e-15); }

}  // namespace koila::test
