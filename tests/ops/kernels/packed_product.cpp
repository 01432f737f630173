// SPDX-License-Identifier: MIT
// The results of block products agree with float64, for any extents and layouts of the factors. The
// kernel stores a product, or adds it to another value.
#include "instructions.hpp"
#include "ops/check.hpp"

#include <koila/kernels/cpu/packed_product.ipp>

#include <rapidcheck.h>

namespace koila::test::products_in_blocks {

using namespace detail;

namespace d = koila::detail;

auto matrix(std::int64_t rows, std::int64_t columns) -> at::Tensor {
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return at::randn({columns, rows}).t();
    case 1: return at::randn({rows, columns + 7}).narrow(1, 3, columns);
    case 2: return at::randn({columns, rows + 5}).narrow(1, 2, rows).t();
    default: return at::randn({rows, columns});
  }
}

TEST_CASE("products in blocks: any extents, any way the factors lie") {
  const ::test::while_set all(d::all_products_in_blocks, true);
  if (!d::has_brgemm()) return;
  CHECK(rc::check("as in float64", [] {
    const auto extent = [] {
      return *rc::gen::element<std::int64_t>(1, 2, 3, 4, 5, 10, 31, 64, 65, 100, 256, 300, 600);
    };
    const std::int64_t m = extent(), n = extent(), k = extent();
    const at::Tensor a = matrix(m, k), b = matrix(k, n), row = at::randn({n});
    const at::Tensor exact = at::mm(a.to(at::kDouble), b.to(at::kDouble));
    const double rounding = 1e-6 * std::sqrt(static_cast<double>(k)) * 5;
    const auto near = [&](const at::Tensor& y, const at::Tensor& want) {
      RC_ASSERT((y.to(at::kDouble) - want).abs().max().item<double>() <= rounding);
    };
    at::Tensor y = at::full({m, n}, 7.0F);
    RC_ASSERT(d::multiply_in_blocks(y, a, b, nullptr));
    near(y, exact);
    RC_ASSERT(d::multiply_in_blocks(y, a, b.t(), nullptr, true));
    near(y, exact);
    RC_ASSERT(d::multiply_in_blocks(y, a, b, &row));
    near(y, exact + row.to(at::kDouble));
    y.fill_(7.0F);
    RC_ASSERT(d::multiply_in_blocks(y, a, b, &y));
    near(y, exact + 7.0);
  }));
}

TEST_CASE("products in blocks: one that adds is added once where there is no memory for the call") {
  const at::Tensor a = at::randint(-5, 5, {3, 7}, at::kFloat), b = at::randint(-5, 5, {7, 4}, at::kFloat),
                   transposed = a.t().contiguous();  // sums of integers are exact
  for (const bool by_columns : {false, true}) {
    at::Tensor c = at::ones({3, 4});
    const d::block<const float> left{d::data<float>(by_columns ? transposed : a), by_columns ? 3 : 7};
    d::add_product<float>(3, 4, 7, left, {d::data<float>(b), 4}, {c.mutable_data_ptr<float>(), 4}, by_columns,
                          [] { throw std::bad_alloc(); });
    CHECK(at::equal(c, at::mm(a, b) + 1));
  }
}

TEST_CASE("products: small ones in blocks, none where BLAS is asked for, float64 never") {
  at::Tensor y = at::empty({8, 8});
  const at::Tensor a = at::randn({8, 8});
  CHECK(d::multiply_in_blocks(y, a, a, nullptr) == d::has_brgemm());
  at::Tensor wide = at::empty({8, 8}, at::kDouble);
  const at::Tensor b = at::randn({8, 8}, at::kDouble);
  CHECK(!d::multiply_in_blocks(wide, b, b, nullptr));
  const ::test::while_set blas(d::without_brgemm, true);
  CHECK(!d::multiply_in_blocks(y, a, a, nullptr));
}

TEST_CASE(
    "products: on AMD's processors in blocks whatever the size, on Intel's the small ones alone, on others in blocks") {
  using maker = processor::maker;
  constexpr index_t small = index_t{1} << 20, large = small + 1;
  STATIC_REQUIRE(d::prefers_blocks({.vendor = maker::amd}, small) && d::prefers_blocks({.vendor = maker::amd}, large));
  STATIC_REQUIRE(d::prefers_blocks({.vendor = maker::intel}, small) &&
                 !d::prefers_blocks({.vendor = maker::intel}, large));
  STATIC_REQUIRE(d::prefers_blocks({}, small) && d::prefers_blocks({}, large));
}

TEST_CASE("trials A6: products of any way that factors lie take the same way in every call, and are right") {
  const bool blocks = d::has_brgemm() && d::prefers_blocks(this_processor(), 200 * 130 * 150);
  for (int again = 0; again < 2; ++again)
    for (const bool a_transposed : {false, true})
      for (const bool b_transposed : {false, true}) {
        const at::Tensor a = a_transposed ? at::randn({130, 200}).t() : at::randn({200, 130});
        const at::Tensor b = b_transposed ? at::randn({150, 130}).t() : at::randn({130, 150});
        at::Tensor y = at::empty({200, 150});
        CHECK(d::multiply_in_blocks(y, a, b, nullptr) == blocks);
        if (blocks) CHECK(at::allclose(y.to(at::kDouble), a.to(at::kDouble).mm(b.to(at::kDouble)), 1e-4, 1e-4));
      }
}

}  // namespace koila::test::products_in_blocks
