// Products without a kernel that is made for their shape: to the bit what oneDNN's kernels compute.
#include "../check.hpp"
#include "instructions.hpp"

#include <koila/ops/family/packed_product.ipp>

namespace koila::test {

namespace d = koila::detail;

#if defined(CPUBLAS_BRGEMM_F32F32F32) && !defined(KOILA_NO_BLOCK_KERNELS)
TEST_CASE("trials A6: a product has the same bits with a kernel for its shape and without one") {
  if (!d::has_block_kernels() || d::instructions_to_use() == d::instructions::baseline) return;
  const std::array<std::int64_t, 3> shapes[] = {{64, 64, 256}, {1, 64, 256}, {3, 5, 7},   {27, 27, 27}, {64, 27, 100},
                                                {5, 64, 13},   {64, 16, 1}, {17, 33, 255}, {1, 1, 256},  {64, 512, 36}};
  for (const auto& [m, n, k] : shapes)
    for (const bool add : {false, true}) {
      CAPTURE(m, n, k, add);
      const at::Tensor a = at::randn({m, k}), b = at::randn({k, n}), c = at::randn({m, n});
      at::Tensor with = c.clone(), without = c.clone();
      at::native::cpublas::brgemm(m, n, k, k, n, n, add, d::data<float>(a), d::data<float>(b), with.mutable_data_ptr<float>());
      for (const auto most : {d::instructions::avx512, d::instructions::avx2}) {
        const ::test::while_set limit(d::most_instructions, most);
        without.copy_(c);
        d::chained_products::multiply({m, n, k, {d::data<float>(a), k}, {d::data<float>(b), n}, {without.mutable_data_ptr<float>(), n}, add});
        CHECK(at::equal(with, without));
      }
    }
}
#endif

TEST_CASE("trials A6: products have the same bits on any number of threads, however small their blocks are") {
  if (!d::has_block_kernels()) return;
  const int before = at::get_num_threads();
  const ::test::while_set all(d::all_products_in_blocks, true);
  const std::array<std::int64_t, 3> shapes[] = {{4, 4, 20000}, {64, 64, 4096}, {10, 512, 2000}, {283, 283, 283},
                                                {2, 300, 3000}, {512, 40, 520}, {129, 257, 1025}, {33, 20, 9000}};
  for (const auto& [m, n, k] : shapes)
    for (const int form : {0, 1, 2, 3})
      for (const bool add : {false, true}) {
        CAPTURE(m, n, k, form, add);
        const at::Tensor a = form % 2 == 1 ? at::randn({k, m}).t() : at::randn({m, k});
        const at::Tensor b = form > 1 ? at::randn({n, k}).t() : at::randn({k, n});
        const at::Tensor c = at::randn({m, n});
        const auto product = [&](int threads) {
          at::set_num_threads(threads);
          at::Tensor y = c.clone();
          REQUIRE(d::multiply_in_blocks(y, a, b, add ? &y : nullptr));
          return y;
        };
        const at::Tensor one = product(1);
        for (const int threads : {2, 3, 8}) CHECK(at::equal(product(threads), one));
        const at::Tensor exact = at::mm(a.to(at::kDouble), b.to(at::kDouble)) + (add ? 1 : 0) * c.to(at::kDouble);
        CHECK((one.to(at::kDouble) - exact).abs().max().item<double>() <= 1e-5 * std::sqrt(static_cast<double>(k)));
      }
  at::set_num_threads(before);
}

}  // namespace koila::test
