// SPDX-License-Identifier: MIT
#include "catch.hpp"

#include <koila/shape/dims.hpp>

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

constexpr dtype all[] = {boolean, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64};
constexpr auto b1 = boolean, u1 = uint8, i1 = int8, i2 = int16, i4 = int32, i8 = int64, f2 = float16, bf = bfloat16,
               f4 = float32, f8 = float64;

// Type promotion as LibTorch documents it and as at::promote_types computes it.
constexpr dtype promoted[10][10] = {
    {b1, u1, i1, i2, i4, i8, f2, bf, f4, f8},  // bool
    {u1, u1, i2, i2, i4, i8, f2, bf, f4, f8},  // uint8
    {i1, i2, i1, i2, i4, i8, f2, bf, f4, f8},  // int8
    {i2, i2, i2, i2, i4, i8, f2, bf, f4, f8},  // int16
    {i4, i4, i4, i4, i4, i8, f2, bf, f4, f8},  // int32
    {i8, i8, i8, i8, i8, i8, f2, bf, f4, f8},  // int64
    {f2, f2, f2, f2, f2, f2, f2, f4, f4, f8},  // float16
    {bf, bf, bf, bf, bf, bf, f4, bf, f4, f8},  // bfloat16
    {f4, f4, f4, f4, f4, f4, f4, f4, f4, f8},  // float32
    {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8},  // float64
};

constexpr auto tensor(dtype t) -> dims { return dims({extent{3}}, t); }
constexpr auto number(dtype t) -> dims {
  dims d = scalar(t);
  d.number = true;
  return d;
}
constexpr auto gives(dtype expected, const auto&... operands) -> bool { return result_type(operands...) == expected; }

}  // namespace

TEST_CASE("promotion is LibTorch's") {
  STATIC_REQUIRE([] {
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 10; ++j)
        if (promote(all[i], all[j]) != promoted[i][j]) return false;
    return true;
  }());
}

TEST_CASE("a type that is not known promotes to one that is not known") {
  for (const dtype t : all) {
    CHECK(promote(t, dtype::unknown) == dtype::unknown);
    CHECK(promote(dtype::unknown, t) == dtype::unknown);
  }
}

TEST_CASE("kinds and sizes of types") {
  STATIC_REQUIRE(bytes_of(boolean) == 1);
  STATIC_REQUIRE(bytes_of(bfloat16) == 2);
  STATIC_REQUIRE(bytes_of(float32) == 4);
  STATIC_REQUIRE(bytes_of(int64) == 8);
  STATIC_REQUIRE(bytes_of(dtype::unknown) == 0);
  STATIC_REQUIRE((is_floating(float16) && is_floating(bfloat16) && is_floating(float64) && !is_floating(int64) &&
                  !is_floating(boolean)));
  STATIC_REQUIRE((is_integral(uint8) && is_integral(int64) && !is_integral(boolean) && !is_integral(float16)));
  STATIC_REQUIRE(to_string(boolean) == "bool");
  STATIC_REQUIRE(to_string(bfloat16) == "bfloat16");
  STATIC_REQUIRE(to_string(float64) == "float64");
}

TEST_CASE("tensors of one rank promote") {
  STATIC_REQUIRE([] {
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 10; ++j)
        if (!gives(promoted[i][j], tensor(all[i]), tensor(all[j])) ||
            !gives(promoted[i][j], scalar(all[i]), scalar(all[j])))
          return false;
    return true;
  }());
}

TEST_CASE("a scalar counts where its kind is higher") {
  STATIC_REQUIRE(gives(float32, tensor(float32), scalar(float64)));
  STATIC_REQUIRE(gives(float32, scalar(float64), tensor(float32)));
  STATIC_REQUIRE(gives(int8, tensor(int8), scalar(int64)));
  STATIC_REQUIRE(gives(float64, tensor(int64), scalar(float64)));
  STATIC_REQUIRE(gives(float16, tensor(int64), scalar(float16)));
  STATIC_REQUIRE(gives(uint8, tensor(boolean), scalar(uint8)));
  STATIC_REQUIRE(gives(boolean, tensor(boolean), scalar(boolean)));
}

TEST_CASE("a C++ number counts last, and a double as the default dtype") {
  STATIC_REQUIRE(gives(float16, tensor(float16), number(float64)));
  STATIC_REQUIRE(gives(float64, tensor(float64), number(int64)));
  STATIC_REQUIRE(gives(float32, tensor(int64), number(float64)));
  STATIC_REQUIRE(gives(uint8, tensor(uint8), number(int64)));
  STATIC_REQUIRE(gives(int64, tensor(boolean), number(int64)));
  STATIC_REQUIRE(gives(boolean, tensor(boolean), number(boolean)));
  STATIC_REQUIRE(gives(int8, scalar(int8), number(int64)));
  STATIC_REQUIRE(gives(bfloat16, scalar(bfloat16), number(float64)));
  STATIC_REQUIRE(gives(float32, scalar(int32), number(float64)));
  STATIC_REQUIRE(gives(float32, number(int64), number(float64)));
}

TEST_CASE("three operands") {
  STATIC_REQUIRE(gives(float32, tensor(boolean), scalar(int32), number(float64)));
  STATIC_REQUIRE(gives(float16, tensor(int32), scalar(float16), number(float64)));
  STATIC_REQUIRE(gives(bfloat16, tensor(bfloat16), scalar(float64), number(int64)));
  STATIC_REQUIRE(gives(float64, tensor(int64), tensor(float64), scalar(float16)));
}

TEST_CASE("what may be a scalar at run time leaves the type open") {
  STATIC_REQUIRE(gives(dtype::unknown, dims(float64), tensor(float32)));
  STATIC_REQUIRE(gives(dtype::unknown, tensor(float32), dims(float64)));
  STATIC_REQUIRE(gives(dtype::unknown, dims(int32), dims(int64)));
  STATIC_REQUIRE(gives(float32, dims(float32), tensor(float32)));
  STATIC_REQUIRE(gives(float16, dims(float16), tensor(int64)));  // float16, whether or not the operand is a scalar
  STATIC_REQUIRE(gives(float64, dims(float64), number(float64)));
  STATIC_REQUIRE(gives(dtype::unknown, dims(), tensor(float32)));
}
