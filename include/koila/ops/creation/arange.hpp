// SPDX-License-Identifier: MIT
#pragma once
// arange: evenly spaced numbers with a given step.
#include <koila/ops/creation/constants.hpp>

#include <algorithm>

namespace koila::inline v0 {

/// () -> (n): the numbers start, start + step, ... up to end, which is excluded. The call is
/// arange(end), arange(start, end) or arange(start, end, step). The dtype is int64, or float32 if
/// an argument is floating-point.
inline constexpr struct arange : detail::constant_op<arange> {
  static constexpr std::string_view name = "arange";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr_list integers;            // the arguments as integers; 0 for a floating-point argument
    attr<double> real[3]{};  // all arguments as doubles
    bool floating = false;
    constexpr void set(std::size_t, const auto& v) { append(v); }
    constexpr void write(auto& w) const {
      if (!floating) w.put(" of "), integers.write(w);
    }
    template <class T>
    constexpr auto start() const -> T {
      return integers.n < 2 ? T{0} : argument<T>(0);
    }
    template <class T>
    constexpr auto end() const -> T {
      return argument<T>(integers.n < 2 ? 0 : 1);
    }
    template <class T>
    constexpr auto step() const -> T {
      return integers.n < 3 ? T{1} : argument<T>(2);
    }
    friend constexpr auto operator==(const attributes& a, const attributes& b) -> bool {
      return a.integers == b.integers && a.floating == b.floating &&
             detail::same_first(std::min(a.integers.n, 3), a.real, b.real);
    }

   private:
    constexpr void append(const attr<double>& v) {
      floating = true;
      if (integers.n < 3) real[integers.n] = v;
      detail::append(integers, attr<index_t>(0, v.known));
    }
    constexpr void append(const auto& v)
      requires requires(attr_list& to) { detail::append(to, v); }
    {
      int i = integers.n;
      detail::append(integers, v);
      for (; i < integers.n && i < 3; ++i) real[i] = {static_cast<double>(integers.e[i].value), integers.e[i].known};
    }
    template <class T>
    constexpr auto argument(int i) const -> T {
      if constexpr (std::is_same_v<T, double>) return real[i].value;
      else return integers.e[i].value;
    }
  };
  static constexpr auto rule(const attributes& a) -> verdict {
    if (a.integers.n < 1 || a.integers.n > 3) return reason::size_out_of_range;
    if (!a.integers.known()) return detail::open_dims(1, a.floating ? dtype::float32 : dtype::int64);
    if (a.floating) {
      if (a.step<double>() == 0) return reason::size_out_of_range;
      const double n = (a.end<double>() - a.start<double>()) / a.step<double>();
      if (!(n >= 0 && n < 1e18)) return reason::size_out_of_range;  // also refuses NaN
      const auto whole = static_cast<index_t>(n);
      return dims({extent{static_cast<double>(whole) < n ? whole + 1 : whole}}, dtype::float32);
    }
    for (int i = 0; i < a.integers.n; ++i)
      if (a.integers.e[i].value > detail::most_elements || a.integers.e[i].value < -detail::most_elements)
        return reason::size_out_of_range;
    const index_t step = a.step<index_t>(), way = a.end<index_t>() - a.start<index_t>();
    if (step == 0 || (step > 0 ? way < 0 : way > 0)) return reason::size_out_of_range;
    return dims({extent{way == 0 ? 0 : (way - (step > 0 ? 1 : -1)) / step + 1}}, dtype::int64);
  }
  static void evaluate(at::Tensor& y, const attributes& a);
} arange;

}  // namespace koila::inline v0
