// SPDX-License-Identifier: MIT
#include <koila/expr/attribute_names.hpp>

#include "list.hpp"
#include "pch.hpp"

namespace koila::test {

namespace {

/// The reason for which the op refuses an attribute of this name.
template <class Op, class Name>
constexpr auto refusal = koila::detail::verdict_of<Op, shape<batch, 3>, decltype(Name{} = 1_c)>::value.reason;

}  // namespace

TEST_CASE("every op refuses an attribute that it does not have") {
  int ops = 0;
  for_each_op([&]<class Op>(const char* header, const char*) {
    INFO(header);
    if constexpr (requires { Op::name; }) {  // chunk and split have no name: they call another op several times
      if constexpr (requires(koila::detail::attributes_t<Op>& a) { koila::kernel_size.member(a); })
        CHECK(refusal<Op, struct blank> == reason::no_such_attribute);
      else CHECK(refusal<Op, struct kernel_size> == reason::no_such_attribute);
      ++ops;
    }
  });
  CHECK(ops > 300);
}

}  // namespace koila::test
