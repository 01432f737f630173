#include <koila/ops/family/embedding.hpp>

namespace koila::test::embedding_family {

constexpr auto padded(index_t i) -> embedding_attributes {
  embedding_attributes a;
  a.padding_idx = i;
  return a;
}
constexpr dims index({extent{2}, extent{5}}, int64), weight({extent{10}, extent{4}}, float32);
static_assert(rules::embedding(index, weight, {}).out == dims({extent{2}, extent{5}, extent{4}}, float32));
static_assert(rules::embedding(index.with(float32), weight, {}).reason == why::index_is_not_integers);
static_assert(rules::embedding(index, weight.with(int64), {}).reason == why::not_a_floating_type);
static_assert(rules::embedding(index, index.with(float32), padded(2)).reason == why::number_is_too_large);
static_assert(rules::embedding(index, dims({extent{3}}, float32), {}).reason == why::no_rule_for_these_ranks);
static_assert(embedding_attributes{}.padding(10) == -1 && padded(-1).padding(10) == 9 && padded(3).padding(10) == 3);

}  // namespace koila::test::embedding_family
