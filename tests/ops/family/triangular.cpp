#include <koila/ops/tril.hpp>

namespace koila::test::triangular_family {

constexpr value images{dims({extent{5}, extent{4}, extent{4}}), rows(0)}, columns{images.d, rows(2)};
static_assert(tril::flow(images, images.d, {}).out == rows(0));
static_assert(tril::flow(columns, images.d, {}).operand[0].is == need::whole);
static_assert(tril::rule(dims({extent{3}}), {}).reason == reason::no_rule_for_these_ranks);

}  // namespace koila::test::triangular_family
