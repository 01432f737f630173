// SPDX-License-Identifier: MIT
// The block kernel of matrix products. For any extents and with each instruction set, each element
// must be the exact sum, and the kernel must not read or write memory outside the operands.
#include "instructions.hpp"
#include "ops/check.hpp"

#include <koila/kernels/cpu/block_product.ipp>

#include <vector>

namespace koila::test::block_products {

namespace d = koila::detail;

struct shape {
  index_t m, n, k;
};

/// Extents: small, large, and one more or less than the registers hold.
auto shapes() -> std::vector<shape> {
  std::vector<shape> out;
  for (const index_t m : {0, 1, 2, 3, 5, 6, 7, 8, 9, 11, 13, 16, 17, 64, 130})
    for (const index_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 24, 31, 33, 47, 49, 63, 64, 65, 80, 81, 127})
      for (const index_t k : {0, 1, 2, 7, 64, 257}) out.push_back({m, n, k});
  return out;
}

/// A matrix of integers with NaN between its rows and around it.
class bordered {
 public:
  bordered(index_t rows, index_t columns, index_t gap) : rows_(rows), columns_(columns), step_(columns + gap) {
    at_.assign(static_cast<std::size_t>(around + rows * step_ + around), std::nanf(""));
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < columns; ++j) (*this)(i, j) = static_cast<float>((i * 7 + j * 5) % 11 - 5);
  }
  auto operator()(index_t i, index_t j) -> float& { return at_[static_cast<std::size_t>(around + i * step_ + j)]; }
  auto whole() -> d::block<float> { return {at_.data() + around, step_}; }
  auto is_alone() -> bool {
    std::size_t known = 0;
    for (const float x : at_) known += x == x;
    return known == static_cast<std::size_t>(rows_ * columns_);
  }

 private:
  static constexpr index_t around = 3;
  index_t rows_, columns_, step_;
  std::vector<float> at_;
};

TEST_CASE("products in blocks: the kernel's, of any extents, with each set of instructions") {
  for (const auto most : {d::instructions::avx2, d::instructions::avx512}) {
    const ::test::while_set instructions(d::most_instructions, most);
    const d::block_product_function multiply = d::best_block_product();
    if (multiply == nullptr) continue;
    for (const auto& [m, n, k] : shapes())
      for (const bool add : {false, true}) {
        const index_t gap = (m + n + k) % 3;
        bordered a(m, k, gap), b(k, n, gap), c(m, n, 2 - gap), before = c;
        multiply({{a.whole().elements, a.whole().step}, {b.whole().elements, b.whole().step}, c.whole(), m, n, k, add});
        bool right = c.is_alone();
        for (index_t i = 0; i < m; ++i)
          for (index_t j = 0; j < n; ++j) {  // sums of integers are exact
            float want = add ? before(i, j) : 0;
            for (index_t l = 0; l < k; ++l) want += a(i, l) * b(l, j);
            right = right && c(i, j) == want;
          }
        CAPTURE(static_cast<int>(most), m, n, k, add);
        REQUIRE(right);
      }
  }
}

TEST_CASE("products in blocks: an element has the same bits in whichever block it is, with AVX2 and with AVX-512") {
  constexpr index_t m = 70, n = 75;
  for (const index_t k : {100, 600}) {
    const at::Tensor a = at::randn({m, k}), b = at::randn({k, n});
    at::Tensor first;
    for (const auto most : {d::instructions::avx2, d::instructions::avx512}) {
      const ::test::while_set instructions(d::most_instructions, most);
      const d::block_product_function multiply = d::best_block_product();
      if (multiply == nullptr) continue;
      for (const index_t side : {1, 3, 4, 6, 7, 10, 13, 16, 31, 75})
        for (const index_t height : {side, m}) {
          at::Tensor y = at::empty({m, n});
          for (index_t i = 0; i < m; i += height)
            for (index_t j = 0; j < n; j += side)
              multiply({{d::data<float>(a) + i * k, k},
                        {d::data<float>(b) + j, n},
                        {y.mutable_data_ptr<float>() + i * n + j, n},
                        std::min(height, m - i),
                        std::min(side, n - j),
                        k,
                        false});
          if (!first.defined()) first = y;
          CAPTURE(static_cast<int>(most), k, side, height);
          CHECK(at::equal(y, first));
        }
    }
  }
}

}  // namespace koila::test::block_products
