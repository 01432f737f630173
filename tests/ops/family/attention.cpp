#include <koila/ops/family/attention.hpp>

namespace koila::test::attention_family {

constexpr auto d(std::initializer_list<extent> e, dtype t = float32) -> dims { return dims(e, t); }
constexpr auto e(index_t n) -> extent { return {n}; }

static_assert(rules::attention(d({e(2), e(5), e(8)}), d({e(2), e(7), e(8)}), d({e(2), e(7), e(3)})).out ==
              d({e(2), e(5), e(3)}));
static_assert(rules::attention(d({e(5), e(8)}), d({e(2), e(7), e(8)}), d({e(7), e(3)})).out == d({e(2), e(5), e(3)}));
static_assert(rules::attention(d({e(5), e(8)}), d({e(7), e(9)}), d({e(7), e(3)})).reason == why::embedding_dimensions_differ);
static_assert(rules::attention(d({e(5), e(8)}), d({e(7), e(8)}), d({e(6), e(3)})).reason == why::shapes_differ);
static_assert(rules::attention(d({e(8)}), d({e(7), e(8)}), d({e(7), e(3)})).reason == why::no_rule_for_these_ranks);
static_assert(rules::attention(d({e(5), e(8)}), d({e(7), e(8)}, float64), d({e(7), e(3)})).reason == why::dtypes_differ);
static_assert(rules::attention(d({e(5), e(8)}), d({e(7), e(8)}), d({e(7), e(3)}), d({e(5), e(7)}, boolean)).accepted());
static_assert(rules::attention(d({e(5), e(8)}), d({e(7), e(8)}), d({e(7), e(3)}), d({e(5), e(6)}, boolean)).reason ==
              why::not_broadcastable);
static_assert(rules::attention(d({e(5), e(8)}), d({e(7), e(8)}), d({e(7), e(3)}), d({e(5), e(7)}, int64)).reason ==
              why::mask_is_not_boolean);

}  // namespace koila::test::attention_family
