// SPDX-License-Identifier: MIT
// The behaviours of the Python package koila: operators, and the functions of the same names.
#include "float32_bound.hpp"
#include "run/behaviours.hpp"

using namespace koila;
using namespace ::test;

namespace {

auto integer(index_t n) -> at::Tensor { return at::scalar_tensor(n, at::kLong); }
auto real(double v) -> at::Tensor { return at::scalar_tensor(v, at::kFloat); }

struct operands {
  at::Tensor a, b;
};
using operand_list = std::vector<operands>;

/// Checks two lazy values, and a lazy value with a tensor on either side. The values are scalars,
/// or samples in chunks of any size.
void lazily(const auto& f, const auto& g, const operand_list& scalars,
            bool (*same)(const at::Tensor&, const at::Tensor&) = identical) {
  for (const auto& [a, b] : scalars) {
    const auto x = lazy<>(a), y = lazy<>(b);
    const at::Tensor want = g(a, b);
    CAPTURE(a, b);
    CHECK(identical(run(f(x, y)), want));
    CHECK(identical(run(f(a, y)), want));
    CHECK(identical(run(f(x, b)), want));
  }
  const input<batch, 3> x{"x"}, y{"y"};
  STATIC_REQUIRE(shape_t<decltype(f(x, y))>::value.with(float32) == shape_t<input<batch, 3>>::value);
  const at::Tensor t = at::rand({7, 3}) + 0.5, u = at::rand({7, 3}) + 0.5, want = g(t, u);  // (samples, 3)
  for (const index_t chunk : chunks_of(7)) {
    const options o{.chunk = chunk};
    CHECK(same(run(f(x, y), o, x = t, y = u), want));
    CHECK(same(run(f(t, y), o, y = u), want));
    CHECK(same(run(f(x, u), o, x = t), want));
  }
}
/// Checks plain tensors.
void eagerly(const auto& f, const auto& g, const operand_list& scalars) {
  STATIC_REQUIRE(PlainTensor<decltype(f(scalars[0].a, scalars[0].b))>);
  for (const auto& [a, b] : scalars) {
    CAPTURE(a, b);
    CHECK(identical(f(a, b), g(a, b)));
  }
  const at::Tensor t = at::rand({7, 3}) + 0.5, row = at::rand({3}) + 0.5;  // (samples, 3), (3)
  CHECK(identical(f(t, row), g(t, row)));
  CHECK(identical(f(row, t), g(row, t)));
}

/// Checks an op with a single operand in the same ways.
void lazily(const auto& f, const auto& g, const std::vector<at::Tensor>& scalars) {
  for (const auto& a : scalars) {
    CAPTURE(a);
    CHECK(identical(run(f(lazy<>(a))), g(a)));
    CHECK(f(lazy<>(a)).template item<double>() == g(a).template item<double>());
  }
  const input<batch, 3> x{"x"};
  STATIC_REQUIRE(typed<decltype(f(x)), batch, 3>);
  const at::Tensor t = at::randn({7, 3});  // (samples, 3)
  for (const index_t chunk : chunks_of(7)) CHECK(identical(run(f(x), {.chunk = chunk}, x = t), g(t)));
}
void eagerly(const auto& f, const auto& g, const std::vector<at::Tensor>& scalars) {
  STATIC_REQUIRE(PlainTensor<decltype(f(scalars[0]))>);
  for (const auto& a : scalars) {
    CAPTURE(a);
    CHECK(identical(f(a), g(a)));
  }
}

/// Every expression can be run, planned, converted to a tensor and read as a number.
template <class E>
concept Runnable = Expression<E> && requires(const E& e) {
  { run(e) } -> std::same_as<at::Tensor>;
  { plan(e) } -> std::same_as<memory_plan>;
  at::Tensor(e);
  e.template item<float>();
};

}  // namespace

TEST_CASE("behaviours of the Python package: operators") {
  at::manual_seed(31);
  behaviours ran;

  ran("lazy tensors are runnable", [] {
    const input<batch, 3> x{"x"};
    const parameter<3> w{"w"};
    const auto sum_of_both = x + w;
    const auto held = let(sum_of_both);
    const erased<batch, 3> forgotten = held;
    STATIC_REQUIRE(Runnable<input<batch, 3>>);
    STATIC_REQUIRE(Runnable<parameter<3>>);
    STATIC_REQUIRE(Runnable<buffer<3>>);
    STATIC_REQUIRE(Runnable<decltype(lazy<batch, 3>(at::Tensor()))>);
    STATIC_REQUIRE(Runnable<std::remove_cvref_t<decltype(sum_of_both)>>);
    STATIC_REQUIRE(Runnable<std::remove_cvref_t<decltype(held)>>);
    STATIC_REQUIRE(Runnable<erased<batch, 3>>);
    STATIC_REQUIRE(!Runnable<at::Tensor>);
    const at::Tensor t = at::randn({4, 3});  // (samples, 3)
    for (const at::Tensor& y : {run(sum_of_both, x = t), run(held, x = t), run(forgotten, x = t)})
      CHECK(identical(y, t + tensor_of(w).detach()));
  });

  {
    const auto op = [](const auto& x) { return +x; };
    const auto f = [](const auto& x) { return positive(x); };
    const auto g = [](const at::Tensor& x) { return at::positive(x); };
    ran("positive, operator", [&] { lazily(op, g, {integer(-11), real(2.5)}); });
    ran("positive, method", [&] { lazily(f, g, {integer(4), real(-0.5)}); });
    ran("positive, function", [&] { eagerly(f, g, {integer(-8), real(1.5)}); });
  }
  {
    const auto op = [](const auto& x) { return -x; };
    const auto f = [](const auto& x) { return neg(x); };
    const auto g = [](const at::Tensor& x) { return at::neg(x); };
    ran("negative, operator", [&] { lazily(op, g, {integer(-13), real(2.5)}); });
    ran("negative, method", [&] { lazily(f, g, {integer(2), real(-0.5)}); });
    ran("negative, function", [&] { eagerly(f, g, {integer(-5), real(0)}); });
  }

  const auto compared = [](const auto& f, const auto& g, index_t below) {
    const at::Tensor t = at::randint(below, {2, 3, 4}, at::kLong), u = at::randint(below, {2, 3, 4}, at::kLong);
    const input<int64, batch, 3, 4> x{"x"}, y{"y"};
    STATIC_REQUIRE(typed<decltype(f(x, y)), boolean, batch, 3, 4>);
    for (const index_t chunk : {2, 1}) CHECK(identical(run(f(x, y), {.chunk = chunk}, x = t, y = u), g(t, u)));
    CHECK(identical(run(f(lazy<batch>(t), lazy<batch>(u))), g(t, u)));
    CHECK(identical(run(f(lazy<batch>(t), u)), g(t, u)));
    CHECK(identical(run(f(t, lazy<batch>(u))), g(t, u)));
  };
  ran("== and !=, operators", [&] {
    const auto equal = [](const auto& a, const auto& b) { return a == b; };
    const auto unequal = [](const auto& a, const auto& b) { return a != b; };
    compared(equal, [](const at::Tensor& a, const at::Tensor& b) { return at::eq(a, b); }, 2);
    compared(unequal, [](const at::Tensor& a, const at::Tensor& b) { return at::ne(a, b); }, 2);
  });
  ran("<, <=, > and >=, operators", [&] {
    const auto less = [](const auto& a, const auto& b) { return a < b; };
    const auto less_equal = [](const auto& a, const auto& b) { return a <= b; };
    const auto greater = [](const auto& a, const auto& b) { return a > b; };
    const auto greater_equal = [](const auto& a, const auto& b) { return a >= b; };
    compared(less, [](const at::Tensor& a, const at::Tensor& b) { return at::lt(a, b); }, 5);
    compared(less_equal, [](const at::Tensor& a, const at::Tensor& b) { return at::le(a, b); }, 5);
    compared(greater, [](const at::Tensor& a, const at::Tensor& b) { return at::gt(a, b); }, 5);
    compared(greater_equal, [](const at::Tensor& a, const at::Tensor& b) { return at::ge(a, b); }, 5);
  });

  {
    const auto op = [](const auto& a, const auto& b) { return a + b; };
    const auto f = [](const auto& a, const auto& b) { return add(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::add(a, b); };
    ran("add, operator", [&] { lazily(op, g, operand_list{{integer(1), integer(2)}}); });
    ran("add, method", [&] { lazily(f, g, operand_list{{integer(4), integer(3)}}); });
    ran("add, function", [&] { eagerly(f, g, operand_list{{integer(8), integer(4)}}); });
  }
  {
    const auto op = [](const auto& a, const auto& b) { return a - b; };
    const auto f = [](const auto& a, const auto& b) { return sub(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::sub(a, b); };
    ran("sub, operator", [&] { lazily(op, g, operand_list{{integer(1), integer(2)}}); });
    ran("sub, method", [&] { lazily(f, g, operand_list{{integer(4), integer(3)}}); });
    ran("sub, function", [&] { eagerly(f, g, operand_list{{integer(8), integer(4)}}); });
  }
  {
    const auto op = [](const auto& a, const auto& b) { return a * b; };
    const auto f = [](const auto& a, const auto& b) { return mul(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::mul(a, b); };
    ran("mul, operator", [&] { lazily(op, g, operand_list{{real(0.5), integer(2)}}); });
    ran("mul, method", [&] { lazily(f, g, operand_list{{integer(4), integer(3)}}); });
    ran("mul, function", [&] { eagerly(f, g, operand_list{{integer(8), integer(4)}}); });
  }
  // C++ has no operator //, and the package's operator // refuses. So floor_divide is checked
  // instead. The package's methods and functions of this name round towards 0.
  {
    const auto op = [](const auto& a, const auto& b) { return floor_divide(a, b); };
    const auto f = [](const auto& a, const auto& b) { return div(a, b, rounding_mode = kTrunc); };
    const auto down = [](const at::Tensor& a, const at::Tensor& b) { return at::floor_divide(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::div(a, b, "trunc"); };
    ran("floordiv, operator",
        [&] { lazily(op, down, operand_list{{integer(1), integer(2)}, {integer(-7), integer(2)}}); });
    ran("floordiv, method", [&] { lazily(f, g, operand_list{{integer(4), integer(3)}, {integer(-7), integer(2)}}); });
    ran("floordiv, function", [&] { eagerly(f, g, operand_list{{integer(9), integer(4)}, {real(-7), integer(2)}}); });
  }
  {
    const auto op = [](const auto& a, const auto& b) { return a / b; };
    const auto f = [](const auto& a, const auto& b) { return div(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::div(a, b); };
    ran("truediv, operator", [&] { lazily(op, g, operand_list{{integer(1), integer(2)}}); });
    ran("truediv, method", [&] { lazily(f, g, operand_list{{integer(4), integer(3)}}); });
    ran("truediv, function", [&] { eagerly(f, g, operand_list{{integer(9), integer(4)}}); });
  }
  {  // C++ has no **
    const auto f = [](const auto& a, const auto& b) { return koila::pow(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::pow(a, b); };
    // LibTorch rounds powers at the end of a tensor differently, so results in chunks may differ in
    // the last bits.
    ran("pow, operator", [&] { lazily(f, g, operand_list{{real(1.5), integer(2)}}, near); });
    ran("pow, method", [&] { lazily(f, g, operand_list{{integer(4), integer(3)}}, near); });
    ran("pow, function", [&] { eagerly(f, g, operand_list{{real(9), integer(-2)}}); });
  }
  {
    const auto op = [](const auto& a, const auto& b) { return a % b; };
    const auto f = [](const auto& a, const auto& b) { return koila::remainder(a, b); };
    const auto g = [](const at::Tensor& a, const at::Tensor& b) { return at::remainder(a, b); };
    ran("remainder, operator", [&] { lazily(op, g, operand_list{{real(3.3), real(1.9)}, {real(-3.3), real(1.9)}}); });
    ran("remainder, method",
        [&] { lazily(f, g, operand_list{{integer(99), integer(7)}, {integer(-99), integer(7)}}); });
    ran("remainder, function", [&] { eagerly(f, g, operand_list{{integer(25), real(7.8)}}); });
  }

  // C++ has no operator @. If a product has few rows, koila's kernel sums in a different order than
  // BLAS.
  {
    const at::Tensor t = at::randn({10, 11}), u = at::randn({10, 11}).t(),
                     want = at::matmul(t, u);  // (10, 11), (11, 10)
    ran("matmul, operator", [&] {
      const input<batch, 11> x{"x"};
      const input<11, 10> y{"y"};
      STATIC_REQUIRE(typed<decltype(matmul(x, y)), batch, 10>);
      CHECK(relative_error(run(matmul(x, y), {.chunk = 10}, x = t, y = u), want) <= float32_bound(11));
      for (const index_t chunk : {4, 1}) {
        const options o{.chunk = chunk};
        CHECK(relative_error(run(matmul(x, y), o, x = t, y = u), want) <= float32_bound(11));
        CHECK(relative_error(run(matmul(x, u), o, x = t), want) <= float32_bound(11));
      }
      CHECK(relative_error(run(matmul(t, y), y = u), want) <= float32_bound(11));
    });
    ran("matmul, method", [&] {
      const auto x = lazy<10, 11>(t);
      const auto y = lazy<11, 10>(u);
      CHECK(relative_error(run(matmul(x, y)), want) <= float32_bound(11));
      CHECK(relative_error(run(matmul(t, y)), want) <= float32_bound(11));
      CHECK(relative_error(run(matmul(x, u)), want) <= float32_bound(11));
      CHECK(relative_error(run(matmul(lazy<batch>(t), u), {.chunk = 3}), want) <= float32_bound(11));
    });
    ran("matmul, function", [&] { CHECK(relative_error(matmul(t, u), want) <= float32_bound(11)); });
  }

  ran("the number of a scalar", [] {
    for (const at::Tensor& t : {real(13.5), real(-17.5), integer(0)}) {
      const auto x = lazy<>(t);
      const auto v = t.item<double>();
      CHECK(identical(run(x), t));
      CHECK(x.item<double>() == v);
      CHECK(run(x).item<float>() == static_cast<float>(v));
      CHECK(x.item<float>() == static_cast<float>(v));
      CHECK(x.item<int>() == static_cast<int>(v));
      CHECK(x.item<bool>() == (v != 0));
    }
  });

  REQUIRE(ran.count() == of_operators);
}
