// SPDX-License-Identifier: MIT
// Checks all element-wise ops: the bits of an element must not depend on its position, on its
// neighbours or on the chunk. The values include NaN, infinities, -0 and subnormals.
#include <koila/kernels/cpu/narrow_elements.ipp>
#include <koila/kernels/table.hpp>

#include <ATen/OpMathType.h>

#include <cstring>
#include <iostream>
#include <map>
#include <random>

#include "check.hpp"
#include "every_op.hpp"
#include "instructions.hpp"
#include "long.hpp"

namespace koila::test {

namespace {

constexpr koila::detail::instructions all_sets[] = {
    koila::detail::instructions::baseline, koila::detail::instructions::avx2, koila::detail::instructions::avx512};

/// Returns values at which functions have poles, ends, kinks and steps, and random values.
template <class T>
auto values() -> std::vector<double> {
  using limits = std::numeric_limits<T>;
  std::vector<double> list{NAN, INFINITY, -INFINITY};
  for (const double v :
       {0.0, static_cast<double>(limits::denorm_min()), static_cast<double>(limits::min()),
        static_cast<double>(limits::max()), 1.0, 0.5, 0.25, 2.0, 3.0, 6.0, 1.5, 20.5, 90.0, 12345.678, 1e-3, 0.3})
    list.push_back(v), list.push_back(-v);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < of_sweep(30, 200); ++i)
    list.push_back(
        static_cast<double>(static_cast<T>(static_cast<at::opmath_type<T>>(normal(random) * (i % 3 == 0 ? 5 : 1)))));
  return list;
}

/// Computes an op as a program does: by its element function, or by `evaluate`.
struct computed {
  const op_info& op;
  const object* attributes;
  std::size_t operands;
  dtype type;

  auto by_elements() const -> bool {
    return op.elements != nullptr && op.row_length == nullptr && includes(op.elements_in, type) &&
           (op.has_elements == nullptr || op.has_elements(attributes));
  }
  /// Computes the op for tensors of these values.
  auto operator()(const std::vector<at::Tensor>& x, bool elements) const -> at::Tensor {
    std::vector<dims> inputs;
    for (const at::Tensor& t : x) inputs.push_back(shape_of(t));
    const dims out = op.rule(inputs.data(), attributes).out;
    at::Tensor y = at::empty(x[0].sizes(), scalar_type(out.type));
    if (!elements) {
      const at::Tensor* tensors[most_operands] = {};
      for (std::size_t k = 0; k < operands; ++k) tensors[k] = &x[k];
      kernels::functions_for(op, at::kCPU).evaluate(y, tensors, attributes);
      return y;
    }
    const void* made[most_operands] = {};
    for (std::size_t k = 0; k < operands; ++k) made[k] = x[k].const_data_ptr();
    const all_elements f = op.elements();
    (type == dtype::float64 ? f.float64 : f.float32)(y.mutable_data_ptr(), made, op.plain_attributes(attributes),
                                                     y.numel());
    return y;
  }
};

/// Returns the bits of an element. All NaNs give the same bits.
auto bits_of(const at::Tensor& t, std::int64_t i) -> std::uint64_t {
  const at::Tensor x = t.select(0, i);
  std::uint64_t bits = 0;
  if (x.is_floating_point() && std::isnan(x.item<double>())) return ~bits;
  std::memcpy(&bits, x.const_data_ptr(), static_cast<std::size_t>(x.element_size()));
  return bits;
}

/// Returns lengths that leave every possible remainder after whole vectors.
auto lengths() -> std::vector<std::int64_t> {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 1; n <= 70; n += of_sweep(n < 36 ? 3 : 11, 1)) all.push_back(n);
  return all;
}

struct differing {
  std::string text;
  std::size_t count = 0;
};

/// Computes rows of all lengths, contiguous or as every second element of a larger tensor. Compares
/// each element with the same element computed alone.
auto differing_of(const computed& f, at::ScalarType type, const std::vector<double>& v, bool elements) -> differing {
  differing d;
  std::map<std::vector<std::size_t>, std::uint64_t> alone;
  bool probabilities = false;  // set if the op throws for values that are not probabilities
  const at::Tensor all = at::tensor(v, at::kDouble).to(type), some = at::nan_to_num(all, 0.5, 1, 0).clamp(0, 1);
  const auto operands_of = [&](const std::vector<std::vector<std::size_t>>& which, bool spread) {
    std::vector<at::Tensor> x;
    for (std::size_t k = 0; k < f.operands; ++k) {
      std::vector<std::int64_t> index;
      for (const auto& w : which) index.push_back(static_cast<std::int64_t>(w[k]));
      const at::Tensor t = (probabilities ? some : all).index_select(0, at::tensor(index, at::kLong));
      x.push_back(spread ? at::zeros({2 * t.numel()}, type).slice(0, 1, std::nullopt, 2).copy_(t) : t);
    }
    return x;
  };
  const auto made = [&](const std::vector<std::vector<std::size_t>>& which, bool spread) -> at::Tensor {
    try {
      return f(operands_of(which, spread), elements);
    } catch (const c10::Error&) {
      if (probabilities) throw;
      probabilities = true;
      return f(operands_of(which, spread), elements);
    }
  };
  constexpr std::size_t by[] = {1, 7, 29, 5};
  for (const bool spread : {false, true}) {
    if (spread && elements) continue;  // element functions are called only for contiguous operands
    for (const std::int64_t n : lengths())
      for (std::size_t shift = 0; shift < v.size(); shift += of_sweep<std::size_t>(23, 11)) {
        std::vector<std::vector<std::size_t>> which;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
          which.emplace_back();
          for (std::size_t k = 0; k < f.operands; ++k)
            which.back().push_back((i * by[k % 4] + shift * (k + 1) + static_cast<std::size_t>(n) * k) % v.size());
        }
        const at::Tensor y = made(which, spread);
        for (std::size_t i = 0; i < which.size(); ++i) {
          auto known = alone.find(which[i]);
          if (known == alone.end()) known = alone.emplace(which[i], bits_of(made({which[i]}, false), 0)).first;
          if (bits_of(y, static_cast<std::int64_t>(i)) == known->second) continue;
          if (d.count++ > 0) continue;
          std::ostringstream os;
          os << "element " << i << " of " << n << (spread ? ", spread" : "") << ": f(";
          for (const std::size_t k : which[i])
            os << (probabilities ? some : all)[static_cast<std::int64_t>(k)].item<double>() << " ";
          os << ") is " << y[static_cast<std::int64_t>(i)].item<double>() << ", alone "
             << made({which[i]}, false)[0].item<double>();
          d.text = os.str();
        }
      }
  }
  return d;
}

/// Returns true if a value differs from LibTorch's value in the way that docs/differences.md
/// states.
auto differs_on_purpose(const std::string& op, const std::vector<at::Tensor>& x, double got, double want) -> bool {
  const double last = x.back().item<double>(), first = x[0].item<double>();
  if (op == "silu" && std::isinf(last)) return last < 0 && got == 0;
  if (op == "silu") return last < -88 && std::abs(got - last * std::exp(last)) <= 1e-5 * std::abs(got);
  if (op == "gelu") return std::isinf(last) && got == std::max(last, 0.0);
  if (op == "gelu_backward")  // exact to the spacing of floats near 1
    return std::isinf(last) ? got == (last > 0 ? first : 0) : std::abs(got - want) <= std::ldexp(std::abs(first), -22);
  if (op == "elu_backward") return last < 0 && std::abs(first) > 1e38 && got == 0;
  return op == "hardsigmoid_backward" && x.back().scalar_type() == at::kDouble &&
         std::abs(got - first / 6) <= 1e-15 * std::abs(first);
}

template <class F>
void for_each_element_op(const F& f) {
  for (const described& op : all_ops())
    for (std::size_t n = 1; n <= most_operands; ++n) {
      if (!op.accepts(n) || kernels::functions_for(op.forms[n], at::kCPU).evaluate == nullptr) continue;
      for (const auto& a : op.factors) {
        const auto check = [&](auto number, at::ScalarType type, dtype t) {
          if (is_of_each_element(op.forms[n], n, a.get(), t)) f(op, computed{op.forms[n], a.get(), n, t}, number, type);
        };
        check(float{}, at::kFloat, float32);
        check(double{}, at::kDouble, float64);
        check(at::Half{}, at::kHalf, float16);
        check(at::BFloat16{}, at::kBFloat16, bfloat16);
      }
    }
}

}  // namespace

TEST_CASE("trials H7: every element-wise op gives an element the same bits alone and at every place beside others") {
  std::size_t ops = 0;
  std::string all;
  for_each_element_op([&]<class T>(const described& op, const computed& f, T, at::ScalarType type) {
    ++ops;
    const auto told = [&](const differing& d, const std::string& form) {
      if (d.count > 0)
        all += op.name + " of " + c10::toString(type) + form + ": " + std::to_string(d.count) + " differ; " + d.text +
               "\n";
    };
    const std::vector<double> v = values<T>();
    if (!f.by_elements()) return told(differing_of(f, type, v, false), "");
    if (type != at::kFloat && type != at::kDouble) return;  // element functions compute 16-bit floats in float32
    for (const auto set : all_sets) {
      const ::test::while_set limit(koila::detail::most_instructions, set);
      told(differing_of(f, type, v, true), ", elements of set " + std::to_string(static_cast<int>(set)));
    }
  });
  INFO(all);
  CHECK(all.empty());
  CHECK(ops > 200);
  std::cout << ops << " element-wise functions have the same bits everywhere\n";
}

TEST_CASE("elements of 16 bits are read and rounded alike at every place") {
  const auto check = [&]<class T>(T, at::ScalarType type) {
    const at::Tensor narrow = at::arange(65536, at::kInt).sub(32768).to(at::kShort).view(type);
    for (const auto set : all_sets) {
      const ::test::while_set limit(koila::detail::most_instructions, set);
      const auto f = koila::detail::narrow_functions_of<T>();
      const at::Tensor wide = at::empty({65536}, at::kFloat), back = at::empty({65536}, type);
      for (const std::int64_t n : lengths()) {
        for (std::int64_t i = 0; i < 65536; i += n) {
          const std::int64_t m = std::min(n, 65536 - i);
          f.read(wide.mutable_data_ptr<float>() + i, static_cast<const T*>(narrow.const_data_ptr()) + i, 1, m);
        }
        CHECK(at::equal(wide.view(at::kInt), narrow.to(at::kFloat).view(at::kInt)));
        at::Tensor off = wide * 1.001F;
        const at::Tensor want = off.to(type).view(at::kShort);
        for (std::int64_t i = 0; i < 65536; i += n)
          f.round(off.mutable_data_ptr<float>() + i, static_cast<T*>(back.mutable_data_ptr()) + i,
                  std::min(n, 65536 - i));
        CHECK(at::equal(back.view(at::kShort).masked_fill(at::isnan(off), 0), want.masked_fill(at::isnan(off), 0)));
        if (!is_long_run()) break;
      }
    }
  };
  check(at::Half{}, at::kHalf);
  check(at::BFloat16{}, at::kBFloat16);
}

TEST_CASE(
    "functions of elements give what LibTorch's operators give one element, also of NaN, infinities and what is subnormal") {
  std::string all;
  for_each_element_op([&]<class T>(const described& op, const computed& f, T, at::ScalarType type) {
    if (!f.by_elements() || (type != at::kFloat && type != at::kDouble)) return;
    const std::vector<double> v = values<T>();
    const at::Tensor one = at::tensor(v, at::kDouble).to(type);
    const double bound = type == at::kDouble ? 1e-12 : 4e-6, least = static_cast<double>(std::numeric_limits<T>::min());
    for (std::size_t i = 0; i < v.size() * (f.operands > 1 ? v.size() : 1);
         i += f.operands > 1 ? of_sweep<std::size_t>(7, 1) : 1) {
      std::vector<at::Tensor> x;
      std::size_t rest = i;
      for (std::size_t k = 0; k < f.operands; ++k, rest = k < 2 ? rest / v.size() : rest * 31 + 7)
        x.push_back(one.narrow(0, static_cast<std::int64_t>(rest % v.size()), 1));
      const double got = f(x, true).item<double>(), want = f(x, false).item<double>();
      const bool both_nan = std::isnan(got) && std::isnan(want);
      if (both_nan || got == want || std::abs(got - want) <= bound * std::abs(want) + least) continue;
      if (differs_on_purpose(op.name, x, got, want)) continue;
      std::ostringstream os;
      os << op.name << " of " << c10::toString(type) << " (";
      for (const at::Tensor& t : x) os << t.item<double>() << " ";
      os << ") is " << got << ", LibTorch's " << want << "\n";
      all += os.str();
      break;
    }
  });
  INFO(all);
  CHECK(all.empty());
}

}  // namespace koila::test
