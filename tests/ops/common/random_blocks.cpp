// SPDX-License-Identifier: MIT
// If several blocks of random bits are computed at once, each block has the same bits as alone,
// with every instruction set.
#include "instructions.hpp"
#include "ops/check.hpp"

#include <koila/ops/common/random_blocks.ipp>

#include <rapidcheck.h>

namespace koila::test::random_bits_of_blocks {

namespace d = koila::detail;

TEST_CASE("random bits of many blocks are those of each alone") {
  for (const d::instructions most : {d::instructions::baseline, d::instructions::avx2, d::instructions::avx512}) {
    const ::test::while_set set(d::most_instructions, most);
    const d::random_blocks_function draw = d::best_random_blocks();
    CHECK(rc::check("any counter, any key", [&] {
      const auto word = [] { return *rc::gen::arbitrary<std::uint32_t>(); };
      const auto from = *rc::gen::inRange<index_t>(0, d::blocks_per_call);
      const std::uint32_t k0 = word(), k1 = word();
      const index_t number = word() / d::blocks_per_call * d::blocks_per_call + from;
      const d::philox_words first{{static_cast<std::uint32_t>(number), word(), word(), word()}};
      const index_t n = *rc::gen::inRange<index_t>(0, d::blocks_per_call - from + 1);
      struct {
        d::random_words words;
        std::uint32_t behind = 7;
      } to;
      draw(to.words, first, k0, k1, n);
      for (index_t i = 0; i < n; ++i) {
        d::philox_words counter = first;
        counter.w[0] += static_cast<std::uint32_t>(i);
        const d::philox_words one = d::philox(counter, k0, k1);
        for (int k = 0; k < 4; ++k) RC_ASSERT(to.words.words[4 * i + k] == one.w[k]);
      }
      RC_ASSERT(to.behind == 7U);
    }));
  }
}

}  // namespace koila::test::random_bits_of_blocks
