// SPDX-License-Identifier: MIT
#include "long.hpp"
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("pad") {
  const auto f = [](const auto& by, auto chosen) { return [=](const auto& x) { return pad(x, by, mode = chosen); }; };
  const auto g = [](std::vector<std::int64_t> by, std::string_view form) {
    return [=](const at::Tensor& x) { return at::pad(x, by, form); };
  };
  SECTION("constants around any dim, the samples' too, and negative ones") {
    for (const auto n : batches) {
      check(f(list_of(1, 2), kConstant), g({1, 2}, "constant"), per_sample(normal({n, 3})));
      check([](const auto& x) { return pad(x, list_of(0, 1, 2, 0), fill_value = -0.5); },
            [](const at::Tensor& x) { return at::constant_pad_nd(x, {0, 1, 2, 0}, -0.5); },
            per_sample(normal({n, 2, 3})));
      check(f(list_of(0, 0, 1, 2), kConstant), g({0, 0, 1, 2}, "constant"), per_sample(normal({n, 3})));
    }
    check(f(list_of(-1, 2, 1, -2), kConstant), g({-1, 2, 1, -2}, "constant"), per_sample(normal({3, 5}), 1));
    check(f(list_of(-2, -1), kConstant), g({-2, -1}, "constant"), whole(normal({2, 3})));
    check(f(list_of(0, 0), kConstant), g({0, 0}, "constant"), per_sample(normal({5, 3})));
    check([](const auto& x) { return pad(x, list_of(1, 1), kConstant, 2); },
          [](const at::Tensor& x) { return at::constant_pad_nd(x, {1, 1}, 2); }, whole(normal({3})));
  }
  SECTION("what is there already") {
    check(f(list_of(2, 1), kReflect), g({2, 1}, "reflect"), per_sample(normal({5, 2, 3})));
    check(f(list_of(2, 1), kReplicate), g({2, 1}, "replicate"), per_sample(normal({5, 2, 3})));
    check(f(list_of(2, 3), kCircular), g({2, 3}, "circular"), per_sample(normal({5, 2, 3})));
    for (const int position : {0, 1, 2, 3}) {
      std::vector<std::int64_t> sizes{3, 2, 4, 3};
      sizes[static_cast<std::size_t>(position)] = 5;
      check(f(list_of(1, 2, 2, 0), kReflect), g({1, 2, 2, 0}, "reflect"), per_sample(normal(sizes), position));
      check(f(list_of(1, 2, 2, 0), kReplicate), g({1, 2, 2, 0}, "replicate"), per_sample(normal(sizes), position));
      check(f(list_of(1, 2, 2, 0), kCircular), g({1, 2, 2, 0}, "circular"), per_sample(normal(sizes), position));
    }
  }
  SECTION("shapes that the compiler knows, other dtypes, special values") {
    check_typed(f(list_of(1_c, 1_c), kConstant), g({1, 1}, "constant"),
                std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
    STATIC_REQUIRE(
        std::is_same_v<shape_t<decltype(pad(input<batch, 3>{}, list_of(1_c, 2_c)))>, shape_t<input<batch, 6>>>);
    for (const auto type : {at::kBool, at::kByte, at::kLong, at::kHalf}) {
      const at::Tensor t = at::arange(12).view({3, 4}).remainder(5).to(type);
      same(pad(t, list_of(1, 2, 3, 4)), at::constant_pad_nd(t, {1, 2, 3, 4}));
      same(pad(t, list_of(1, 2), kConstant, 1), at::constant_pad_nd(t, {1, 2}, 1));
    }
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, -0.0F});
    same(pad(odd, list_of(1, 1), kConstant, INFINITY), at::constant_pad_nd(odd, {1, 1}, INFINITY));
  }
  SECTION("refused") {
    STATIC_REQUIRE(!Accepts<struct pad, shape<batch, 3>, decltype(list_of(3_c, 0_c)), decltype(mode = kReflect)>);
    const input<any, any> x{"x"};
    const at::Tensor t = at::rand({2, 3});
    refused([&] { run(pad(x, list_of(3, 0), mode = kReflect), x = t); },
            "pad: [2, 3] by (3, 0): a size is out of range");
    refused([&] { pad(t, list_of(-2, -2)); }, "pad: [2, 3] by (-2, -2): a size is out of range");
    refused([&] { pad(t, list_of(4, 0), mode = kCircular); }, "pad: [2, 3] by (4, 0): a size is out of range");
    STATIC_REQUIRE(!Accepts<struct pad, shape<batch, 3>, decltype(list_of(1_c, 1_c)), decltype(mode = kSum)>);
    STATIC_REQUIRE(!Accepts<struct pad, shape<batch, 3>, decltype(list_of(1_c))>);
    refused([&] { pad(t, list_of(1, 1, 1, 1, 1, 1)); }, "pad: [2, 3] by (1, 1, 1, 1, 1, 1): dimension out of range");
  }
}

TEST_CASE("trials H3: circular padding wraps what is left after cropping") {
  const at::Tensor x = at::arange(5, at::kDouble);
  same(pad(x, list_of(2, -2), mode = kCircular), at::tensor({1, 2, 0, 1, 2}, at::kDouble));
  same(pad(x, list_of(-2, 2), mode = kCircular), at::tensor({2, 3, 4, 2, 3}, at::kDouble));
  // The padding is larger than the extent after cropping.
  refused([&] { pad(x, list_of(3, -3), mode = kCircular); }, "pad: float64[5] by (3, -3): a size is out of range");
}

TEST_CASE("padding by any numbers of either sign is LibTorch's, or refused as there") {
  const auto modes = std::make_tuple(std::pair{kCircular, "circular"}, std::pair{kReflect, "reflect"},
                                     std::pair{kReplicate, "replicate"}, std::pair{kConstant, "constant"});
  const auto check_mode = [](auto chosen, const char* name) {
    for (const std::int64_t n : {1, 2, 3, 5})
      for (std::int64_t before = -n; before <= n + 1; ++before)
        for (std::int64_t after = -n; after <= n + 1; ++after) {
          INFO(name << " " << n << " by " << before << ", " << after);
          const at::Tensor t = normal({2, 3, n});
          if (n + before + after < 1) continue;  // LibTorch refuses some results that are empty
          // LibTorch compares the padding of each side with the extent before cropping. If the
          // cropped extent is smaller than the padding, LibTorch reads memory that was never
          // written.
          const bool read_unwritten =
              std::string_view(name) == "circular" &&
              n + std::min<std::int64_t>(before, 0) + std::min<std::int64_t>(after, 0) < std::max(before, after);
          bool theirs = !read_unwritten;
          at::Tensor want;
          try {
            want = at::pad(t, {before, after}, name);
          } catch (const c10::Error&) { theirs = false; }
          if (!theirs) {
            CHECK_THROWS_AS(pad(t, list_of(before, after), mode = chosen), shape_error);
            continue;
          }
          same(pad(t, list_of(before, after), mode = chosen), want);
          if ((before + 3 * after + n) % of_sweep(11, 1) != 0 || (before > 0 && after > 0)) continue;
          check(
              {.twice = false, .quotients = false},
              [=](const auto& x) { return pad(x, list_of(before, after), mode = chosen); },
              [=](const at::Tensor& x) { return at::pad(x, {before, after}, name); }, per_sample(normal({5, 2, n})));
        }
  };
  std::apply([&](const auto&... m) { (check_mode(m.first, m.second), ...); }, modes);
  // Padding of the batch dim.
  check([](const auto& x) { return pad(x, list_of(0, 0, 2, -3), mode = kCircular); },
        [](const at::Tensor& x) { return at::pad(x, {0, 0, 2, -3}, "circular"); }, per_sample(normal({1, 7, 3}), 1));
}

}  // namespace koila::test
