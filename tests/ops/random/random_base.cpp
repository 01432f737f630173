// SPDX-License-Identifier: MIT
#include <koila/ops/random/random_base.hpp>

namespace koila {

// The known-answer tests of Random123.
static_assert(detail::philox({{0, 0, 0, 0}}, 0, 0) ==
              detail::philox_words{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
static_assert(detail::philox({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, 0xffffffff, 0xffffffff) ==
              detail::philox_words{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
static_assert(detail::philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0) ==
              detail::philox_words{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});

// A different seed, call, sample or block gives different bits, also if they differ only above the
// lowest 32 bits.
static_assert(detail::random_bits(1, 2, 3, 4) != detail::random_bits(std::uint64_t{1} << 32 | 1, 2, 3, 4));
static_assert(detail::random_bits(1, 2, 3, 4) != detail::random_bits(1, 3, 3, 4));
static_assert(detail::random_bits(1, 2, 3, 4) != detail::random_bits(1, 2, std::uint64_t{1} << 32 | 3, 4));
static_assert(detail::random_bits(1, 2, 3, 4) != detail::random_bits(1, 2, 3, std::uint64_t{1} << 32 | 4));

namespace {

/// Divides the 5 samples of a tensor with the dims (2, outer * 5 * inner, 3) into chunks. Returns
/// true if each element has the same sample and the same position in its chunk as in the whole
/// tensor.
constexpr auto chunks_stand_where_the_whole_does(index_t outer, index_t inner) -> bool {
  const index_t all[] = {2, outer * 5 * inner, 3};
  const detail::sample_positions whole(all, 3, {author::samples_along(1, outer, inner), 0, 0});
  for (index_t first = 0; first < 5; first += 2) {
    const index_t chunk = first + 2 > 5 ? 1 : 2, part[] = {2, outer * chunk * inner, 3};
    const detail::sample_positions here(part, 3, {author::samples_along(1, outer, inner), first, 0});
    for (index_t a = 0, element = 0; a < 2 * outer; ++a)
      for (index_t s = 0; s < chunk; ++s)
        for (index_t b = 0; b < 3 * inner; ++b, ++element) {
          const index_t there = (a * 5 + first + s) * 3 * inner + b;
          if (here.sample(element) != first + s || here.position(element) != a * 3 * inner + b) return false;
          if (whole.sample(there) != first + s || whole.position(there) != here.position(element)) return false;
        }
  }
  return true;
}

}  // namespace

static_assert(chunks_stand_where_the_whole_does(1, 1) && chunks_stand_where_the_whole_does(2, 1) &&
              chunks_stand_where_the_whole_does(1, 3) && chunks_stand_where_the_whole_does(2, 3));

static_assert(rules::probability(0) && rules::probability(1) && rules::probability({2, false}));
static_assert(!rules::probability(-0.1) && !rules::probability(1.1));

}  // namespace koila
