// SPDX-License-Identifier: MIT
#pragma once
// Base of attribute names.
#include <koila/shape/verdict.hpp>

#include <type_traits>

namespace koila::inline v0::detail {

/// A value with the name of its attribute, such as `dim = -1_c`.
template <class Tag, class Value>
struct named {
  using tag = Tag;
  Value value;
};

/// Base of the name of an attribute. A name must have a static function `member(attributes)`,
/// which returns the member with that name. An op accepts the names for which its attribute struct
/// has members.
template <class Tag>
struct attribute_name {
  template <class Value>
  constexpr auto operator=(Value v) const -> named<Tag, Value> {
    return {v};
  }
  // Refuses a list in braces. The name in #line is deliberately not the name of a file, so that
  // compilers quote the user's line; see op.hpp.
#line 1 "koila's attribute"
  template <class V, std::size_t n, reason Reason = reason::list_in_braces, text Message = message<Reason>("attribute")>
    requires(!std::is_same_v<V, char>)  // not for a string
  void operator=(const V (&)[n]) const = delete;
};

}  // namespace koila::inline v0::detail
