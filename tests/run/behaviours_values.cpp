// SPDX-License-Identifier: MIT
// The behaviours of the Python package koila: minima and maxima, shapes, views, and conversions of
// values.
#include "run/behaviours.hpp"

using namespace koila;
using namespace ::test;

namespace {

/// Checks that a value has the same bits in chunks of every size.
void same_in_chunks(const auto& y, const at::Tensor& want, index_t samples, const auto&... bound) {
  for (const index_t chunk : chunks_of(samples)) {
    CAPTURE(chunk);
    CHECK(identical(run(y, {.chunk = chunk}, bound...), want));
  }
}

/// Expected results: over all elements, of two values, and the values and indices along a dim.
struct extremes {
  at::Tensor all, of_two;
  std::tuple<at::Tensor, at::Tensor> along1, along2, kept;
};
void check_extremes(const auto& f, const auto& of_two, const extremes& want, const auto& x, const auto& y) {
  const auto [v1, i1] = f(x, 1_c);
  const auto [v2, i2] = f(x, -1_c);
  const auto [kept_v, kept_i] = f(x, 1_c, keepdim = hana::true_c);
  if constexpr (!PlainTensor<std::remove_cvref_t<decltype(x)>>) {
    STATIC_REQUIRE(shape_t<decltype(f(x))>::value.rank == 0);
    STATIC_REQUIRE(shape_t<decltype(v1)>::value.with(float32) == shape<6, 8>::value);
    STATIC_REQUIRE(typed<decltype(i1), int64, 6, 8>);
    STATIC_REQUIRE(typed<decltype(kept_i), int64, 6, 1, 8>);
  }
  const auto value = []<class T>(const T& e) {
    if constexpr (PlainTensor<T>) return e;
    else return run(e);
  };
  CHECK(identical(value(f(x)), want.all));
  CHECK(identical(value(v1), std::get<0>(want.along1)));
  CHECK(identical(value(i1), std::get<1>(want.along1)));
  CHECK(identical(value(v2), std::get<0>(want.along2)));
  CHECK(identical(value(i2), std::get<1>(want.along2)));
  CHECK(identical(value(kept_v), std::get<0>(want.kept)));
  CHECK(identical(value(kept_i), std::get<1>(want.kept)));
  CHECK(identical(value(of_two(x, y)), want.of_two));
}
/// Checks samples in chunks.
void check_extremes_in_chunks(const auto& f, const extremes& want, const at::Tensor& t) {
  const input<batch, 7, 8> x{"x"};
  const auto [v, i] = f(x, 1_c);
  STATIC_REQUIRE(typed<decltype(v), batch, 8>);
  STATIC_REQUIRE(typed<decltype(i), int64, batch, 8>);
  same_in_chunks(f(x), want.all, 6, x = t);
  same_in_chunks(v, std::get<0>(want.along1), 6, x = t);
  same_in_chunks(i, std::get<1>(want.along1), 6, x = t);
}

}  // namespace

TEST_CASE("behaviours of the Python package: values and shapes") {
  at::manual_seed(32);
  behaviours ran;

  {
    const at::Tensor t = at::randn({6, 7, 8}), u = at::randn({1, 7, 8});
    const extremes least{at::min(t), at::minimum(t, u), at::min(t, 1), at::min(t, 2), at::min(t, 1, true)};
    const extremes most{at::max(t), at::maximum(t, u), at::max(t, 1), at::max(t, 2), at::max(t, 1, true)};
    const auto smallest = [](const auto& x, auto... a) { return koila::min(x, a...); };
    const auto largest = [](const auto& x, auto... a) { return koila::max(x, a...); };
    const auto smaller = [](const auto& a, const auto& b) { return minimum(a, b); };
    const auto larger = [](const auto& a, const auto& b) { return maximum(a, b); };
    const auto x = lazy<6, 7, 8>(t);
    const auto y = lazy<1, 7, 8>(u);
    ran("min, method",
        [&] { check_extremes(smallest, smaller, least, x, y), check_extremes_in_chunks(smallest, least, t); });
    ran("min, function", [&] { check_extremes(smallest, smaller, least, t, u); });
    ran("max, method",
        [&] { check_extremes(largest, larger, most, x, y), check_extremes_in_chunks(largest, most, t); });
    ran("max, function", [&] { check_extremes(largest, larger, most, t, u); });
  }

  const at::Tensor table = at::randn({11, 13}), five = at::randn({2, 3, 4, 5, 6});  // with 2 dims, with 5 dims
  const auto two_dims = lazy<11, 13>(table);
  const auto five_dims = lazy<2, 3, 4, 5, 6>(five);
  const input<batch, 3, 4, 5, 6> samples{"samples"};
  using dims_list = std::vector<index_t>;

  ran("size and shape, method", [&] {
    CHECK(shape_of(two_dims).with(float32) == shape<11, 13>::value);
    CHECK(shape_of(two_dims)[0].n == 11);
    CHECK(shape_of(two_dims)[-1].n == 13);
    CHECK(shape_of(table)[0].n == 11);
    CHECK(shape_of(table)[1].n == 13);
    CHECK(dtype_of(table) == float32);
    CHECK(planned(two_dims) == dims_list{11, 13});
    CHECK(planned(lazy<batch>(table)) == dims_list{11, 13});
  });
  ran("t, method", [&] {
    const input<batch, 13> x{"x"};
    STATIC_REQUIRE(typed<decltype(t(x)), 13, batch>);
    CHECK(planned(t(two_dims)) == dims_list{13, 11});
    same_in_chunks(t(x), table.t(), 11, x = table);
  });
  ran("t, function", [&] {
    CHECK(ops::t(table).sizes() == at::IntArrayRef(dims_list{13, 11}));
    CHECK(identical(ops::t(table), table.t()));
  });
  ran("dim, method", [&] {
    STATIC_REQUIRE(shape_t<decltype(five_dims)>::value.rank == 5);
    STATIC_REQUIRE(shape_t<decltype(two_dims)>::value.rank == 2);
    CHECK(shape_of(five_dims).rank == 5);
    CHECK(shape_of(five).rank == 5);
    CHECK(shape_of(table).rank == 2);
  });
  ran("permute, method", [&] {
    const auto back = permute(samples, 3_c, 4_c, 1_c, 2_c, 0_c);
    const auto end = permute(samples, 0_c, 1_c, 4_c, 3_c, 2_c);
    STATIC_REQUIRE(typed<decltype(back), 5, 6, 3, 4, batch>);
    STATIC_REQUIRE(typed<decltype(end), batch, 3, 6, 5, 4>);
    CHECK(planned(permute(five_dims, 3_c, 4_c, 1_c, 2_c, 0_c)) == dims_list{5, 6, 3, 4, 2});
    same_in_chunks(back, five.permute({3, 4, 1, 2, 0}), 2, samples = five);
    same_in_chunks(end, five.permute({0, 1, 4, 3, 2}), 2, samples = five);
  });
  ran("permute, function", [&] {
    CHECK(identical(permute(five, list_of(3, 4, 1, 2, 0)), five.permute({3, 4, 1, 2, 0})));
    CHECK(identical(permute(five, list_of(0, 1, 4, 3, 2)), five.permute({0, 1, 4, 3, 2})));
    CHECK(planned(permute(five_dims, list_of(0, 1, 4, 3, 2))) == dims_list{2, 3, 6, 5, 4});
  });
  ran("transpose, method", [&] {
    const auto last = transpose(samples, 3_c, 4_c);
    const auto first = transpose(samples, 0_c, 1_c);
    const auto far = transpose(samples, 0_c, 3_c);
    STATIC_REQUIRE(typed<decltype(last), batch, 3, 4, 6, 5>);
    STATIC_REQUIRE(typed<decltype(first), 3, batch, 4, 5, 6>);
    STATIC_REQUIRE(typed<decltype(far), 5, 3, 4, batch, 6>);
    same_in_chunks(last, five.transpose(3, 4), 2, samples = five);
    same_in_chunks(first, five.transpose(0, 1), 2, samples = five);
    same_in_chunks(far, five.transpose(0, 3), 2, samples = five);
    CHECK(planned(transpose(five_dims, 0_c, 3_c)) == dims_list{5, 3, 4, 2, 6});
  });
  {
    const at::Tensor cube = at::randn({3, 4, 5}), index = at::tensor({1, 2, 3}, at::kLong);  // (3, 4, 5), (3)
    const at::Tensor want_select = cube.select(1, 2), want_index = cube.index_select(1, index);
    const input<batch, 4, 5> x{"x"};
    const input<int64, 3> i{"i"};
    ran("select, method", [&] {
      const auto y = koila::select(x, 1_c, 2_c);
      STATIC_REQUIRE(typed<decltype(y), batch, 5>);
      STATIC_REQUIRE(!PlainTensor<decltype(y)>);
      same_in_chunks(y, want_select, 3, x = cube);
      CHECK(planned(koila::select(lazy<3, 4, 5>(cube), 1_c, 2_c)) == dims_list{3, 5});
    });
    ran("select, function", [&] {
      CHECK(identical(koila::select(cube, 1, 2), want_select));
      CHECK(identical(run(koila::select(lazy<batch>(cube), 1, 2)), want_select));
    });
    ran("index_select, method", [&] {
      const auto y = index_select(x, i, 1_c);
      STATIC_REQUIRE(typed<decltype(y), batch, 3, 5>);
      STATIC_REQUIRE(!PlainTensor<decltype(y)>);
      same_in_chunks(y, want_index, 3, x = cube, i = index);
      CHECK(planned(y, x = cube, i = index) == dims_list{3, 3, 5});
    });
    ran("index_select, function", [&] {
      CHECK(identical(index_select(cube, 1, index), want_index));
      CHECK(identical(run(index_select(lazy<batch>(cube), 1, index)), want_index));
    });
  }
  ran("numel, method", [&] {
    STATIC_REQUIRE(shape_t<decltype(five_dims)>::value.count() == 2 * 3 * 4 * 5 * 6);
    CHECK(shape_of(lazy<15, 19>(at::zeros({15, 19}))).count() == 15 * 19);
  });
  ran("numel, function", [&] {
    CHECK(shape_of(five).count() == 2 * 3 * 4 * 5 * 6);
    CHECK(shape_of(two_dims).count() == 11 * 13);
  });

  const at::Tensor random = at::randn({3, 4, 5, 6});  // (samples, 4, 5, 6)
  const auto held = lazy<batch, 4, 5, 6>(random);
  ran("run, method", [&] { CHECK(identical(run(held), random)); });
  ran("torch, method", [&] { CHECK(identical(at::Tensor(held), random)); });
  ran("numpy, method", [&] {  // the elements, read as C++ numbers
    const at::Tensor t = run(held);
    const auto a = t.accessor<float, 4>(), b = random.accessor<float, 4>();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 5; ++k)
          for (int l = 0; l < 6; ++l) REQUIRE(a[i][j][k][l] == b[i][j][k][l]);
  });
  ran("pad, function", [&] {
    const std::int64_t by[] = {2, 3, 0, 1};
    const at::Tensor want = at::pad(random, by, "reflect");
    const input<batch, 4, 5, 6> x{"x"};
    const auto y = pad(x, list_of(2_c, 3_c, 0_c, 1_c), mode = kReflect);
    STATIC_REQUIRE(typed<decltype(y), batch, 4, 6, 11>);
    same_in_chunks(y, want, 3, x = random);
    CHECK(identical(pad(random, list_of(2, 3, 0, 1), mode = kReflect), want));
  });
  ran("buffer sizes, those of shared values once", [] {
    const at::Tensor a = at::randn({4, 5, 6}), b = at::randn({4, 5, 1}), d = at::randn({4, 5, 6});
    const auto x = lazy<4, 5, 6>(a);
    const auto y = lazy<4, 5, 1>(b);
    const auto c = let(x + y);   // (4, 5, 6), as all values below
    const auto e = let(c * d);   // d is a plain tensor
    constexpr index_t bytes = 4 * 5 * 6 * 4, in_arena = aligned(bytes);
    CHECK(shape_of(c).count() == shape_of(x).count());
    CHECK(shape_of(c).count() == 6 * shape_of(y).count());
    const auto check = [&](const auto& value, index_t inputs, index_t arena, index_t output) {
      const memory_plan p = plan(value);
      CHECK(p.resident_bytes == inputs);
      CHECK(p.arena_bytes == arena);
      CHECK(p.output_bytes == output);
      const measure m;
      const at::Tensor t = run(value);
      CHECK(m.peak() == arena + output);
      CHECK(m.live() == output);
    };
    check(x, bytes, 0, bytes);
    check(y, bytes / 6, 0, bytes / 6);
    check(c, bytes + bytes / 6, 0, bytes);
    // c has no buffer, because only the kernel that computes c reads it.
    check(e, 2 * bytes + bytes / 6, 0, bytes);
    check(sum(e), 2 * bytes + bytes / 6, 0, 4);  // e has no buffer either: the kernel that computes e also sums it
    check(c + e, 2 * bytes + bytes / 6, 0, bytes);
    const auto f = let(cos(c));  // LibTorch's kernels compute cos, so its operand and its result have buffers
    check(cos(f), bytes + bytes / 6, 2 * in_arena, bytes);  // c and f
    // cos and the addition both read c, which is computed only once. The sum overwrites c or f.
    check(cos(f + c), bytes + bytes / 6, 2 * in_arena, bytes);
  });

  REQUIRE(ran.count() == of_values);
}
