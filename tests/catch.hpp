// SPDX-License-Identifier: MIT
#pragma once
// Includes Catch2 of version 2 or 3. Version 2 gets the names of version 3. Tests see the names of
// authors of ops.
#include <koila/shape/author.hpp>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
#else
#include <catch2/catch.hpp>

#include <string>

namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& text) { return Contains(text); }
}  // namespace Catch::Matchers
#endif

namespace koila::test {
using namespace author;
}
