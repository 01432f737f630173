// SPDX-License-Identifier: MIT
#include "instructions.hpp"
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("bernoulli_like: as it is defined, by every set of instructions") {
  const portion where{samples_along(1), 3, (std::uint64_t{5} << 32) + 77};
  for (const auto set : {detail::instructions::baseline, detail::instructions::avx2, detail::instructions::avx512})
    for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16})
      for (const double chance : {0.0, 1e-10, 0.3, 0.9999, 1.0})
        for (const std::int64_t n : {1, 7, 263, 1100}) {
          const ::test::while_set only(detail::most_instructions, set);
          struct bernoulli_like::attributes a;
          a.p = chance, a.kept = 1.5;
          at::Tensor y = at::full({2, 3, n}, -1, type);
          const at::Tensor* features[] = {&y};
          // The pointer is volatile, so that the compiler cannot inline the kernel here.
          const op_info* volatile drawn_by = &info_of<struct bernoulli_like, 1>();
          drawn_by->operators.draw(y, features, detail::box_attributes<struct bernoulli_like>(a).get(), where);
          const at::Tensor got = y.to(at::kDouble);
          int wrong = 0;
          for (std::int64_t i = 0; i < got.numel(); ++i) {
            const std::int64_t sample = 3 + i / n % 3, position = i / (3 * n) * n + i % n;
            const auto bits = detail::random_bits(where.seed, a.call.id, static_cast<std::uint64_t>(sample),
                                                  static_cast<std::uint64_t>(position / 4));
            const double number = (static_cast<double>(bits.w[position % 4]) + 0.5) * 0x1p-32;
            wrong += detail::data<double>(got)[i] != (number < chance ? 1.5 : 0) ? 1 : 0;
          }
          CHECK(wrong == 0);
        }
}

TEST_CASE("bernoulli_like") {
  for (const int d : {0, 1, 2}) {
    const bound x = some_input({7, 11, 5}, d);
    const at::Tensor y = drawn(bernoulli_like(x.leaf, 0.25), x);
    CHECK((y.eq(0) | y.eq(1)).all().item<bool>());
    CHECK(drawn(bernoulli_like(x.leaf, ops::p = 0), x).eq(0).all().item<bool>());
    CHECK(drawn(bernoulli_like(x.leaf, ops::p = 1), x).eq(1).all().item<bool>());
    CHECK(drawn(bernoulli_like(x.leaf, detail::leading = 2), x).sizes() == at::IntArrayRef({7, 11, 1}));
  }
  for (const double chance : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    manual_seed(4);
    const at::Tensor wide = bernoulli_like(at::empty({300, 300}, at::kDouble), chance);
    CHECK(std::abs(wide.mean().item<double>() - chance) <= 5 * std::sqrt(chance * (1 - chance) / 9e4));
    CHECK(std::abs(((wide - chance) * (wide.roll(1) - chance)).mean().item<double>()) <=
          5 * chance * (1 - chance) / 300);
  }
  manual_seed(5);  // the same numbers for every dtype
  const at::Tensor wide = bernoulli_like(at::empty({40, 50}, at::kDouble));
  manual_seed(5);
  CHECK(at::equal(bernoulli_like(at::empty({40, 50}, at::kBFloat16)).to(at::kDouble), wide));
  check([](const auto& x) { return add(x, bernoulli_like(x, 1.0)); }, [](const at::Tensor& x) { return x + 1; },
        per_sample(normal({5, 3}), 1));

  const at::Tensor three = at::ones({3});
  refused([&] { bernoulli_like(three, 1.5); }, "bernoulli_like: [3]: the probability is not in [0, 1]");
  const at::Tensor integers = at::arange(3);
  refused([&] { bernoulli_like(integers); }, "bernoulli_like: int64[3]: not a floating-point dtype");
}

}  // namespace koila::test
