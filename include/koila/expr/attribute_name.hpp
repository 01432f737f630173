#pragma once
// The base of attributes' names.
#include <koila/shape/verdict.hpp>

#include <type_traits>

namespace koila {

/// `dim = -1_c`: a value with the attribute's name.
template <class Tag, class Value>
struct named {
  using tag = Tag;
  Value value;
};

/// Base of an attribute's name. `of(attributes)` is the member of that name: an op takes the names
/// it has members for.
template <class Tag>
struct attribute_name {
  template <class Value>
  constexpr auto operator=(Value v) const -> named<Tag, Value> {
    return {v};
  }
  // A list in braces, refused under a name that is no file: see op.hpp.
#line 1 "koila's attribute"
  template <class V, std::size_t n, why Reason = why::list_in_braces, text Says = says<Reason>("attribute")>
    requires(!std::is_same_v<V, char>)  // a text
  void operator=(const V (&)[n]) const = delete;
};

}  // namespace koila
