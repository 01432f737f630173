// SPDX-License-Identifier: MIT
// The behaviours of the Python package koila: element-wise functions.
#include "run/behaviours.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace koila;
using namespace ::test;

namespace {

using std::numbers::e, std::numbers::pi;

/// The expected results: LibTorch's tensor, and the number that C++ computes in float64. The number
/// may differ by two float32 roundings.
struct wanted {
  at::Tensor (*tensor)(const at::Tensor&);
  double (*number)(double);
};
auto as_number(double got, const at::Tensor& x, const wanted& g) -> bool {
  const double want = g.number(x.item<double>());
  return std::abs(got - want) <= 2 * std::numeric_limits<float>::epsilon() * std::max(std::abs(want), 1e-3);
}

auto reals(std::initializer_list<double> list) -> at::Tensor {
  return at::tensor(at::ArrayRef<double>(list)).to(at::kFloat);
}
auto integers(std::initializer_list<index_t> list) -> at::Tensor { return at::tensor(at::ArrayRef<index_t>(list)); }

/// Returns true if y equals LibTorch's result: bit for bit if LibTorch's kernels compute y, or
/// within two units in the last place if koila's kernels do, because their rounding differs.
auto same(const auto& y, const at::Tensor& want) -> bool {
  const memory_plan p = plan(y);
  const bool own = std::any_of(p.graph.nodes.begin(), p.graph.nodes.end(),
                               [&](const graph_node& x) { return is_of_elements(p.graph, x); });
  const at::Tensor got = run(y);
  if (!own) return identical(got, want);
  return got.scalar_type() == want.scalar_type() &&
         at::allclose(got, want, 2 * std::numeric_limits<float>::epsilon(), 0);
}

/// Returns true if two results differ by at most two units in the last place. LibTorch's vector
/// code rounds sinh and cosh differently from LibTorch's scalar code. koila's kernels round in the
/// same way at every position.
auto nearly(const at::Tensor& got, const at::Tensor& want) -> bool {
  return got.scalar_type() == want.scalar_type() &&
         at::allclose(got, want, 2 * std::numeric_limits<float>::epsilon(), 0, true);
}

/// Checks each element of the lists as a lazy scalar, and as a sample in chunks of any size.
template <class F>
void lazily(const F& f, const wanted& g, const std::vector<at::Tensor>& lists) {
  STATIC_REQUIRE(typed<decltype(f(input<batch, 3>{})), batch, 3>);
  for (const at::Tensor& list : lists) {
    for (const at::Tensor& element : list.unbind()) {
      CAPTURE(element);
      const auto y = f(lazy<>(element));
      CHECK(same(y, g.tensor(element)));
      CHECK(as_number(y.template item<double>(), element, g));
    }
    const auto y = f(lazy<batch>(list));
    const at::Tensor want = g.tensor(list);
    CHECK(nearly(run(y), want));
    for (const index_t chunk : chunks_of(list.size(0))) CHECK(nearly(run(y, {.chunk = chunk}), want));
  }
}
/// Checks the lists and each of their elements as plain tensors.
template <class F>
void eagerly(const F& f, const wanted& g, const std::vector<at::Tensor>& lists) {
  STATIC_REQUIRE(PlainTensor<decltype(f(lists[0]))>);
  for (const at::Tensor& list : lists) {
    CHECK(nearly(f(list), g.tensor(list)));
    for (const at::Tensor& element : list.unbind()) {
      CAPTURE(element);
      CHECK(identical(f(element), g.tensor(element)));
      CHECK(as_number(f(element).template item<double>(), element, g));
    }
  }
}

/// Checks a behaviour in two forms of the Python package: as a method and as a function.
template <class F>
void both(behaviours& ran, const std::string& method, const std::string& function, const F& f, const wanted& g,
          const std::vector<at::Tensor>& lists) {
  ran(method, [&] { lazily(f, g, lists); });
  ran(function, [&] { eagerly(f, g, lists); });
}

}  // namespace

TEST_CASE("behaviours of the Python package: functions") {
  behaviours ran;
  const at::Tensor unit = at::linspace(-1, 1, 50), wide = at::linspace(-10, 10, 50),
                   open = at::linspace(-0.99, 0.97, 49);

  both(ran, "frac, method", "frac, function", [](const auto& x) { return frac(x); },
       {[](const at::Tensor& x) { return at::frac(x); }, [](double v) { return v - std::trunc(v); }},
       {reals({13.22, 55, -55.55, 25.25, 11, -25.33})});
  both(ran, "exp, method", "exp, function", [](const auto& x) { return koila::exp(x); },
       {[](const at::Tensor& x) { return at::exp(x); }, [](double v) { return std::exp(v); }},
       {reals({1.23, 0.41, -3.5}), integers({0, 1})});
  both(ran, "exp2, method", "exp2, function", [](const auto& x) { return koila::exp2(x); },
       {[](const at::Tensor& x) { return at::exp2(x); }, [](double v) { return std::exp2(v); }},
       {reals({0.5, -1.5}), integers({10, -5, 0, 1})});
  both(ran, "log, method", "log, function", [](const auto& x) { return koila::log(x); },
       {[](const at::Tensor& x) { return at::log(x); }, [](double v) { return std::log(v); }},
       {reals({e, 0.1}), integers({13, 5, 1})});
  both(ran, "log2, method", "log2, function", [](const auto& x) { return koila::log2(x); },
       {[](const at::Tensor& x) { return at::log2(x); }, [](double v) { return std::log2(v); }},
       {reals({0.1, 3.5}), integers({442, 81, 1, 2})});
  both(ran, "log10, method", "log10, function", [](const auto& x) { return koila::log10(x); },
       {[](const at::Tensor& x) { return at::log10(x); }, [](double v) { return std::log10(v); }},
       {reals({0.1, 3.5}), integers({132, 979, 1, 10})});
  both(ran, "log1p, method", "log1p, function", [](const auto& x) { return koila::log1p(x); },
       {[](const at::Tensor& x) { return at::log1p(x); }, [](double v) { return std::log1p(v); }},
       {reals({1.5, 2.7, 1e-6})});

  {
    const auto f = [](const auto& x) { return koila::abs(x); };
    const wanted g{[](const at::Tensor& x) { return at::abs(x); }, [](double v) { return std::abs(v); }};
    ran("abs, operator", [&] { lazily(f, g, {reals({-7.122, 4.002})}); });  // abs(x) in Python
    ran("abs, method", [&] { lazily(f, g, {reals({-1.5, 3.7}), integers({-24, 24, 0})}); });
    ran("abs, function", [&] { eagerly(f, g, {reals({0.001}), integers({-24})}); });
  }

  both(ran, "sigmoid, method", "sigmoid, function", [](const auto& x) { return sigmoid(x); },
       {[](const at::Tensor& x) { return at::sigmoid(x); }, [](double v) { return 1 / (1 + std::exp(-v)); }},
       {wide, integers({0, -3})});
  both(ran, "sin, method", "sin, function", [](const auto& x) { return koila::sin(x); },
       {[](const at::Tensor& x) { return at::sin(x); }, [](double v) { return std::sin(v); }},
       {reals({pi, pi / 2, 3 * pi / 2, 42, -75}), integers({0})});
  both(ran, "cos, method", "cos, function", [](const auto& x) { return koila::cos(x); },
       {[](const at::Tensor& x) { return at::cos(x); }, [](double v) { return std::cos(v); }},
       {reals({pi, pi / 2, 3 * pi / 2, 27, -14}), integers({0})});
  both(ran, "tan, method", "tan, function", [](const auto& x) { return koila::tan(x); },
       {[](const at::Tensor& x) { return at::tan(x); }, [](double v) { return std::tan(v); }},
       {reals({pi, 99, -4}), integers({0})});
  both(ran, "asin, method", "asin, function", [](const auto& x) { return koila::asin(x); },
       {[](const at::Tensor& x) { return at::asin(x); }, [](double v) { return std::asin(v); }}, {unit});
  both(ran, "acos, method", "acos, function", [](const auto& x) { return koila::acos(x); },
       {[](const at::Tensor& x) { return at::acos(x); }, [](double v) { return std::acos(v); }}, {unit});
  both(ran, "atan, method", "atan, function", [](const auto& x) { return koila::atan(x); },
       {[](const at::Tensor& x) { return at::atan(x); }, [](double v) { return std::atan(v); }},
       {reals({99, -4, -6, 242})});
  both(ran, "sinh, method", "sinh, function", [](const auto& x) { return koila::sinh(x); },
       {[](const at::Tensor& x) { return at::sinh(x); }, [](double v) { return std::sinh(v); }}, {unit});
  both(ran, "cosh, method", "cosh, function", [](const auto& x) { return koila::cosh(x); },
       {[](const at::Tensor& x) { return at::cosh(x); }, [](double v) { return std::cosh(v); }}, {unit});
  both(ran, "tanh, method", "tanh, function", [](const auto& x) { return koila::tanh(x); },
       {[](const at::Tensor& x) { return at::tanh(x); }, [](double v) { return std::tanh(v); }}, {wide});
  both(ran, "asinh, method", "asinh, function", [](const auto& x) { return koila::asinh(x); },
       {[](const at::Tensor& x) { return at::asinh(x); }, [](double v) { return std::asinh(v); }},
       {reals({199, -241, -9, 0})});
  both(ran, "acosh, method", "acosh, function", [](const auto& x) { return koila::acosh(x); },
       {[](const at::Tensor& x) { return at::acosh(x); }, [](double v) { return std::acosh(v); }},
       {reals({14, 2, 1, 65})});
  both(ran, "atanh, method", "atanh, function", [](const auto& x) { return koila::atanh(x); },
       {[](const at::Tensor& x) { return at::atanh(x); }, [](double v) { return std::atanh(v); }}, {open});

  REQUIRE(ran.count() == of_functions);
}
