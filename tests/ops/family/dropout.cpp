#include <koila/ops/family/dropout.hpp>

namespace koila::test::dropout_family {

constexpr auto with(double p) -> dropout_attributes {
  dropout_attributes a;
  a.p = p;
  return a;
}
constexpr dims x({extent{3}}, float32);
static_assert(rules::dropout(x, with(0.5)).out == x);
static_assert(rules::dropout(x, with(0)).accepted() && rules::dropout(x, with(1)).accepted());
static_assert(rules::dropout(x, with(1.5)).reason == why::probability_out_of_range);
static_assert(rules::dropout(x, with(-0.1)).reason == why::probability_out_of_range);
static_assert(rules::dropout(x.with(int64), with(0.5)).reason == why::not_a_floating_type);

}  // namespace koila::test::dropout_family
