#pragma once
// arange: integers one after another.
#include <koila/ops/family/constants.hpp>

namespace koila {

/// () -> (n): arange(end), arange(start, end), arange(start, end, step), of int64.
inline constexpr struct arange : constant_op<arange> {
  static constexpr std::string_view name = "arange";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr_list of;
    constexpr void set(std::size_t, const auto& v) { detail::append(of, v); }
    constexpr void write(auto& w) const { w.put(" of "), of.write(w); }
    constexpr auto start() const -> index_t { return of.n < 2 ? 0 : of.e[0].value; }
    constexpr auto end() const -> index_t { return of.e[of.n < 2 ? 0 : 1].value; }
    constexpr auto step() const -> index_t { return of.n < 3 ? 1 : of.e[2].value; }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const attributes& a) -> verdict {
    if (a.of.n < 1 || a.of.n > 3) return why::size_out_of_range;
    if (!a.of.known()) return open_dims(1, dtype::int64);
    const index_t step = a.step(), way = a.end() - a.start();
    if (step == 0 || (step > 0 ? way < 0 : way > 0)) return why::size_out_of_range;
    return dims({extent{way == 0 ? 0 : (way - (step > 0 ? 1 : -1)) / step + 1}}, dtype::int64);
  }
  static void evaluate(out y, const attributes& a);
} arange;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/definitions.hpp>

namespace koila {

KOILA_INLINE void arange::evaluate(out y, const attributes& a) {
  auto* const to = y.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < y.numel(); ++i) to[i] = a.start() + i * a.step();
}

}  // namespace koila
#endif
