// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("einsum") {
  const auto one = [](const char* e, const operand& x) {
    INFO(e);
    check([=](const auto& a) { return einsum(e, a); }, [=](const at::Tensor& a) { return at::einsum(e, {a}); }, x);
  };
  const auto two = [](const char* e, const operand& x, const operand& y) {
    INFO(e);
    check([=](const auto& a, const auto& b) { return einsum(e, a, b); },
          [=](const at::Tensor& a, const at::Tensor& b) { return at::einsum(e, {a, b}); }, x, y);
  };
  SECTION("one operand") {
    for (const auto n : {0, 1, 2, 5}) {
      one("ij->ji", per_sample(normal({n, 3})));
      one("ij->j", per_sample(normal({n, 3})));
      one("bij->jb", per_sample(normal({2, n, 3}), 1));
      one("ij->", per_sample(normal({n, 3})));
    }
    one("ba", whole(normal({2, 3})));
    one("...ij -> ...ji", per_sample(normal({5, 2, 3})));
    one("i...->...", whole(normal({2, 3, 4})));
    one("->", whole(normal({})));
  }
  SECTION("more operands") {
    const auto three = [](const char* e, const operand& x, const operand& y, const operand& z) {
      INFO(e);
      check([=](const auto& a, const auto& b, const auto& c) { return einsum(e, a, b, c); },
            [=](const auto& a, const auto& b, const auto& c) { return at::einsum(e, {a, b, c}); }, x, y, z);
    };
    for (const auto n : {0, 1, 5}) {
      three("bi,ij,jk->bk", per_sample(normal({n, 3})), whole(normal({3, 4})), whole(normal({4, 2})));
      three("bi,bj,ijk->bk", per_sample(normal({n, 3})), per_sample(normal({n, 4})), whole(normal({3, 4, 2})));
      three("bi,bi,bi->b", per_sample(normal({n, 3})), per_sample(normal({n, 3})), per_sample(normal({n, 3})));
      three("bi,c,bj->", per_sample(normal({n, 3})), whole(normal({2})), per_sample(normal({n, 2})));
      three("b,i,j", per_sample(normal({n})), whole(normal({2})), whole(normal({3})));
      three("...i,ij,j...->...", per_sample(normal({n, 3})), whole(normal({3, 4})), whole(normal({4, 1})));
    }
    three("ij,ik,il->jkl", whole(normal({1, 2})), whole(normal({3, 4})),
          per_sample(normal({3, 5}), 1));  // an extent of 1
    const at::Tensor a = normal({2, 3}), b = normal({3, 2}), c = normal({2, 2}), d = normal({2}), e = normal({3});
    same(einsum("ij,jk,kl,l->i", a, b, c, d), at::einsum("ij,jk,kl,l->i", {a, b, c, d}));
    same(einsum("ij,jk,kl,l,j->i", a, b, c, d, e), at::einsum("ij,jk,kl,l,j->i", {a, b, c, d, e}));
    refused([&] { einsum("ij,jk,jl", a, b, c); },
            "einsum: float64[2, 3] x float64[3, 2] x float64[2, 2], \"ij,jk,jl\": inner dimensions differ");
    refused(
        [&] { einsum("ij,jk", a, b, c); },
        "einsum: float64[2, 3] x float64[3, 2] x float64[2, 2], \"ij,jk\": the op takes another number of operands");
  }
  SECTION("products of matrices") {
    for (const auto n : {0, 1, 5}) {
      two("ij,jk->ik", per_sample(normal({n, 3})), whole(normal({3, 4})));
      two("ij,kj->ik", per_sample(normal({n, 3})), whole(normal({4, 3})));
      two("ji,jk->ik", per_sample(normal({n, 3})), per_sample(normal({n, 2})));
      two("ij,jk->ki", per_sample(normal({n, 3})), whole(normal({3, 4})));
      two("bij,bjk->bik", per_sample(normal({n, 2, 3})), per_sample(normal({n, 3, 4})));
      two("bij,bkj->bik", per_sample(normal({n, 2, 3})), per_sample(normal({n, 4, 3})));
      two("bij,jk->bik", per_sample(normal({n, 2, 3})), whole(normal({3, 4})));
      two("bi,bi->b", per_sample(normal({n, 3})), per_sample(normal({n, 3})));
      two("i,i->", per_sample(normal({n})), per_sample(normal({n})));
    }
  }
  SECTION("several dims of each kind") {
    two("bhid,bhjd->bhij", per_sample(normal({5, 2, 3, 4})), per_sample(normal({5, 2, 2, 4})));
    two("bihd,bjhd->bhij", per_sample(normal({5, 3, 2, 4})), per_sample(normal({5, 2, 2, 4})));
    two("abcd,cdef->abef", per_sample(normal({5, 2, 3, 2}), 0), whole(normal({3, 2, 2, 2})));
    two("abcd,dcb->ad", per_sample(normal({2, 3, 2, 5}), 3), per_sample(normal({5, 2, 3})));
    two("aibj,bk->ijk", per_sample(normal({2, 5, 3, 2}), 1), whole(normal({3, 4})));
    two("ia,jb->ij", per_sample(normal({5, 3})), whole(normal({2, 4})));
  }
  SECTION("element by element") {
    two("ij,ij->ij", per_sample(normal({5, 3})), per_sample(normal({5, 3})));
    two("i,j->ij", per_sample(normal({5})), whole(normal({3})));
    two("i,j->ji", per_sample(normal({5})), per_sample(normal({5})));
    two("bi,bj->bij", per_sample(normal({5, 2})), per_sample(normal({5, 3})));
    two(",ij", whole(normal({})), per_sample(normal({5, 3})));
  }
  SECTION("ellipses, what is implied, extents of 1") {
    two("...ij,...jk->...ik", per_sample(normal({5, 2, 2, 3})), whole(normal({2, 3, 4})));
    two("...i,ij", per_sample(normal({5, 2, 3})), whole(normal({3, 4})));
    two("ba,cb", per_sample(normal({5, 3}), 0), per_sample(normal({2, 5}), 1));
    two("Ba,aC", per_sample(normal({5, 3}), 0), whole(normal({3, 2})));
    two("...i,...i->...", per_sample(normal({5, 1, 3})), per_sample(normal({5, 4, 3})));
    two("bi,bi->b", per_sample(normal({5, 1})), per_sample(normal({5, 3})));
    two("ij,j...->i...", per_sample(normal({5, 3})), whole(normal({3, 2, 2})));
  }
  SECTION("shapes that the compiler knows") {
    const input<batch, 2, 3> a;
    const auto y = einsum("bij,jk->bik"_eq, a, parameter<3, 4>{});
    STATIC_REQUIRE(shape_of(y).find(axis_name<struct batch>) == 0);
    STATIC_REQUIRE(shape_of(y)[1].n == 2 && shape_of(y)[2].n == 4);
    check_typed([](const auto& x, const auto& w) { return einsum("bij,kj->kbi"_eq, x, w); },
                [](const at::Tensor& x, const at::Tensor& w) { return at::einsum("bij,kj->kbi", {x, w}); },
                std::pair{input<batch, 2, 3>{}, normal({5, 2, 3}).to(at::kFloat)},
                std::pair{parameter<4, 3>{}, normal({4, 3}).to(at::kFloat)});
    STATIC_REQUIRE(!Accepts<struct ops::einsum, shape<batch, 3>, shape<4, 2>, decltype("ij,jk->ik"_eq)>);
  }
  SECTION("integers") {
    const at::Tensor a = at::arange(6).view({2, 3}), b = at::arange(12).view({3, 4});
    same(einsum("ij,jk->ik", a, b), at::einsum("ij,jk->ik", {a, b}));
    same(einsum("ij->i", a.to(at::kInt)), at::einsum("ij->i", {a.to(at::kInt)}));
    same(einsum("ij,ij->ij", a.to(at::kInt), a.to(at::kInt)),
         at::einsum("ij,ij->ij", {a.to(at::kInt), a.to(at::kInt)}));
  }
  SECTION("refused") {
    const input<any, any> x{"x"};
    const at::Tensor a = at::rand({2, 3}), b = at::rand({4, 5}), c = at::rand({3}, at::kDouble),
                     t = at::ones({3}, at::kBool);
    refused([&] { run(einsum("ij,jk", x, x), x = a); }, "einsum: [2, 3] x [2, 3], \"ij,jk\": inner dimensions differ");
    refused([&] { einsum("ij,jk", a, b); }, "einsum: [2, 3] x [4, 5], \"ij,jk\": inner dimensions differ");
    refused([&] { einsum("ii", a); }, "einsum: [2, 3], \"ii\": a dim is given twice");
    refused([&] { einsum("i", a); }, "einsum: [2, 3], \"i\": no rule for these ranks");
    refused([&] { einsum("ij,jk", a); }, "einsum: [2, 3], \"ij,jk\": the op takes another number of operands");
    refused([&] { einsum("ij->k", a); }, "einsum: [2, 3], \"ij->k\": not an equation of subscripts");
    refused([&] { einsum("i1", a); }, "einsum: [2, 3], \"i1\": not an equation of subscripts");
    refused([&] { einsum("ij,j->i", a, c); }, "einsum: [2, 3] x float64[3], \"ij,j->i\": dtypes differ");
    refused([&] { einsum("i,i->", t, t); }, "einsum: bool[3] x bool[3], \"i,i->\": no rule for booleans");
  }
}

TEST_CASE("trials A1: einsum of an extent of 1 that is summed over") {
  const auto both = [](const char* e, const at::Tensor& a, const at::Tensor& b) {
    INFO(e);
    const at::Tensor want = at::einsum(e, {a, b});
    same(einsum(e, a, b), want);
    same(run(einsum(e, lazy(a), lazy(b))), want);
  };
  for (const auto type : {at::kDouble, at::kLong}) {
    const at::Tensor a = normal({2, 2}).mul(9).to(type), one = normal({1, 1}).mul(9).to(type),
                     b = normal({3, 2}).mul(9).to(type);
    both("ij,jk->ik", a, one);
    both("ij,jk->ik", one, a);
    both("...i,ij", b, one);
    both("...i,ij", one, b);
  }
  // For these operands, LibTorch returns int64. LibTorch does not return int64 if all extents are
  // larger than 1, or if all extents are 1.
  const at::Tensor narrow = at::ones({2, 2}, at::kByte), of_one = at::ones({1, 1}, at::kByte);
  refused([&] { einsum("ij,jk->ik", narrow, of_one); },
          "einsum: uint8[2, 2] x uint8[1, 1], \"ij,jk->ik\": no rule for these dtypes");
  CHECK(at::einsum("ij,jk->ik", {narrow, of_one}).scalar_type() == at::kLong);
  both("ij,jk->ik", narrow, narrow);
  both("ij,jk->ik", of_one, of_one);
  both("ij,ij->ij", narrow, of_one);
}

}  // namespace koila::test
