// SPDX-License-Identifier: MIT
#include "instructions.hpp"
#include "ops/check.hpp"

#include <ATen/ops/max_pool2d_with_indices.h>

namespace koila::test {

TEST_CASE("the rule of pools") {
  constexpr dims x({extent{-1, axis_name<struct batch>}, extent{4}, extent{7}}, float32);
  constexpr auto with = [](auto... as) { return attributes_from<struct max_pool1d>(as...).for_rank(1); };
  STATIC_REQUIRE(rules::pooled(x, with(2), false).out == dims({x[0], extent{4}, extent{3}}, float32));
  STATIC_REQUIRE(rules::pooled(x, with(2, ceil_mode = true), false).out == dims({x[0], extent{4}, extent{4}}, float32));
  STATIC_REQUIRE(rules::pooled(x, with(3, 2, padding = 1), false).out == dims({x[0], extent{4}, extent{4}}, float32));
  STATIC_REQUIRE(rules::pooled(x, with(2, padding = 2), false).reason == reason::size_out_of_range);
  STATIC_REQUIRE(rules::pooled(x, with(), false).reason == reason::dims_are_not_all_given);
  STATIC_REQUIRE(rules::pooled(x, attributes_from<struct adaptive_avg_pool1d>(2).for_rank(1), false).out[2] ==
                 extent{2});
  STATIC_REQUIRE(rules::pooled(dims(float32), with(2), false).out == dims(float32));
  STATIC_REQUIRE(rules::pooled(x, with(3, 2, padding = 1, dilation = 3), false).out.rank == 3);
  STATIC_REQUIRE(rules::pooled(x, with(3, padding = 2, dilation = 3), false).reason == reason::size_out_of_range);
  // The samples may be any dim except the spatial ones.
  constexpr dims whole({extent{5}, extent{4}, extent{7}}, float32);
  constexpr value samples{whole, samples_along(0)}, channels{whole, samples_along(1)}, places{whole, samples_along(2)};
  STATIC_REQUIRE(flows::planes(&samples, 1, 1, whole).out == samples_along(0));
  STATIC_REQUIRE(flows::planes(&channels, 1, 1, whole).out == samples_along(1));
  STATIC_REQUIRE(flows::planes(&places, 1, 1, whole).operand[0].kind == need::whole);
}

TEST_CASE("maxima of lines that are longer than a vector, with ties, NaN and -inf, as LibTorch has them") {
  struct config {
    std::int64_t kernel, stride, padding, dilation;
    bool ceil;
  };
  for (const auto set : {detail::instructions::avx512, detail::instructions::avx2, detail::instructions::baseline}) {
    const ::test::while_set only(detail::most_instructions, set);
    for (const auto type : {at::kFloat, at::kDouble})
      for (const config c : {config{2, 2, 0, 1, false}, config{3, 2, 1, 1, true}, config{3, 1, 1, 1, false},
                             config{2, 1, 1, 2, false}, config{3, 3, 0, 1, true}, config{2, 4, 0, 3, false}})
        for (const std::int64_t width : {8, 16, 33, 300}) {
          const at::Tensor drawn = normal({2, 3, 7, width});
          for (const at::Tensor& all :
               {drawn, drawn.sign(), at::where(drawn > 1.5, NAN, at::where(drawn > 0, -INFINITY, drawn)),
                at::full_like(drawn, -INFINITY)}) {
            const at::Tensor x = all.to(type);
            const auto [y, where] = at::max_pool2d_with_indices(x, c.kernel, c.stride, c.padding, c.dilation, c.ceil);
            pool_of p;
            p.n = 2, p.kernel_size = c.kernel, p.stride = c.stride, p.padding = c.padding, p.dilation = c.dilation;
            p.ceil_mode = c.ceil;
            same(max_pool_at(x, x, pooling = p), y);
            const at::Tensor v = normal({2, 3, 7, width}).to(type), dy = normal({1}).to(type) * at::ones_like(y);
            same(max_pool_at(v, x, pooling = p), v.flatten(-2).gather(-1, where.flatten(-2)).view(y.sizes()));
            same(max_pool_backward(dy, x, pooling = p),
                 at::zeros_like(x).flatten(-2).scatter_add(-1, where.flatten(-2), dy.flatten(-2)).view(x.sizes()));
          }
        }
  }
}

}  // namespace koila::test
