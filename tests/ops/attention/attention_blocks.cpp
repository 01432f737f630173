// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

#include <koila/ops/attention/attention_blocks.hpp>

namespace koila::test {

TEST_CASE("blocks of attention: whole vectors of queries, parts of their own for threads, and what is taken") {
  const auto made = [](index_t samples, index_t l, index_t s, dtype type, bool changed) {
    const dims q({extent{samples}, extent{l}, extent{8}}, type), k({extent{samples}, extent{s}, extent{8}}, type),
        v({extent{samples}, extent{s}, extent{6}}, type);
    return detail::attention_blocks(q, k, v, changed);
  };
  const detail::attention_blocks b = made(3, 70, 300, dtype::float32, false),
                                 few = made(3, 5, 7, dtype::float32, false);
  CHECK((b.queries() == 64 && b.keys() == 128 && b.query_blocks() == 2 && b.key_blocks() == 3));
  CHECK((few.queries() == 16 && few.keys() == 7 && few.query_blocks() == 1 && few.key_blocks() == 1));
  CHECK((b.forward_parts() == 6 && b.backward_parts() == 3));
  CHECK(b.forward_part() == 64 * 8 + 2 * 128 * 64 + 128 * 8);
  // If scores are masked or weights are dropped, forward and backward each need one more block.
  const detail::attention_blocks changed = made(3, 70, 300, dtype::float32, true);
  CHECK(changed.forward_part() - b.forward_part() == 128 * 64);
  CHECK(changed.backward_part() - b.backward_part() == 128 * 64);
  // Workspace in bytes. float32 and float64 need only the scratch elements; 16-bit dtypes also need
  // the converted operands.
  CHECK(b.workspace(10, 100) == 40);
  CHECK(made(3, 70, 300, dtype::float64, false).workspace(10, 100) == 80);
  CHECK(made(3, 70, 300, dtype::bfloat16, false).workspace(10, 100) == 440);
  CHECK(made(3, 0, 300, dtype::float32, false).workspace(10, 100) == 0);
  // If a single thread gets the scratch memory of all threads, it processes more keys at once, as
  // far as this memory allows.
  const auto along = [&](index_t elements) {
    return b.along_more_keys(&detail::attention_blocks::forward_part, elements);
  };
  CHECK((along(6 * b.forward_part()).most_keys == 512 && along(6 * b.forward_part()).key_blocks() == 1));
  CHECK((along(2 * b.forward_part()).most_keys == 256 && along(2 * b.forward_part()).key_blocks() == 2));
  CHECK(along(2 * b.forward_part()).forward_part() <= 2 * b.forward_part());
  CHECK(along(b.forward_part()).most_keys == 128);
  CHECK(b.flops(2, true) * 2 == b.flops(2, false));
}

}  // namespace koila::test
