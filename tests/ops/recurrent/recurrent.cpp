// SPDX-License-Identifier: MIT
#include <koila/ops/recurrent/recurrent.hpp>

namespace koila::test::recurrent_family {

constexpr dims x({extent{7}, extent{2}, extent{4}}, float32), h({extent{2}, extent{3}}, float32),
    w({extent{12}, extent{4}}, float32), u({extent{12}, extent{3}}, float32), b({extent{12}}, float32);
static_assert(rules::recurrent(true, x, h, w, u, 4, b).out == dims({extent{7}, extent{2}, extent{3}}, float32));
static_assert(rules::recurrent(true, h, h, w, u, 4).reason == reason::no_rule_for_these_ranks);
static_assert(rules::recurrent(true, x, h, u, u, 4).reason == reason::in_features_differ);
static_assert(rules::recurrent(true, x, h, w, w, 4).reason == reason::hidden_sizes_differ);
static_assert(rules::recurrent(true, x, h, w, u, 3).reason == reason::hidden_sizes_differ);
static_assert(rules::recurrent(true, x, h, w, u, 4, h).reason == reason::bias_is_not_out_features);
static_assert(rules::recurrent(true, x.with(int64), h, w, u, 4).reason == reason::not_a_floating_type);
static_assert(rules::recurrent(true, x, h.with(float64), w, u, 4).reason == reason::dtypes_differ);
static_assert(rules::last_step(rules::recurrent(true, x, h, w, u, 4)).out == h);
static_assert(rules::with_cell(h, h, u).reason == reason::hidden_sizes_differ);
static_assert(rules::with_cell(h, h, h).accepted());

// A recurrent op multiplies one time step at a time if the products of all steps take more than 2
// MiB and the weight takes at most 256 KiB. For 16-bit dtypes it always multiplies all steps at
// once.
constexpr auto by_steps(index_t time, index_t samples, index_t in_features, index_t out, dtype t = float32) -> bool {
  return koila::detail::multiplies_by_steps(dims({extent{time}, extent{samples}, extent{in_features}}, t),
                                            dims({extent{out}, extent{in_features}}, t));
}
static_assert(!by_steps(64, 32, 4, 256) && by_steps(64, 33, 4, 256));
static_assert(by_steps(64, 33, 256, 256) && !by_steps(64, 33, 257, 256));
static_assert(by_steps(64, 32, 4, 256, float64) && !by_steps(64, 330, 4, 256, bfloat16));

}  // namespace koila::test::recurrent_family
