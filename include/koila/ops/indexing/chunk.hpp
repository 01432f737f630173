// SPDX-License-Identifier: MIT
#pragma once
// chunk: splits a dim into equal parts.
#include <koila/ops/indexing/split_base.hpp>

namespace koila::inline v0 {

namespace internal {

/// (..., n, ...) -> (..., ceil(n / chunks), ...): part number `index` of `chunks` parts, as a view.
/// The last part may be shorter than the others. A part that does not exist is refused: 5 elements
/// split into 4 chunks are only 3 parts, of 2, 2 and 1 elements.
inline constexpr struct chunk_part : detail::part_op<chunk_part> {
  static constexpr std::string_view name = "chunk";
  struct attributes {
    static constexpr std::size_t positional = 3;
    attr<index_t> chunks = 1, index = 0, dim = 0;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, chunks, index, dim); }
    constexpr void write(auto& w) const {
      w.put(", part "), index.write(w);
      w.put(" of "), chunks.write(w);
      w.put(", dim "), dim.write(w);
    }
    constexpr auto known() const -> bool { return chunks.known && index.known; }
    constexpr auto problem(index_t n) const -> reason {
      return index.value >= chunks.value || (n > 0 && start(n) >= n) ? reason::number_is_too_large : reason::accepted;
    }
    constexpr auto start(index_t n) const -> index_t { return index.value * most(n); }
    constexpr auto length(index_t n) const -> index_t { return n - start(n) < most(n) ? n - start(n) : most(n); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;

   private:
    constexpr auto most(index_t n) const -> index_t { return n / chunks.value + (n % chunks.value == 0 ? 0 : 1); }
  };
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if ((a.chunks.known && a.chunks.value < 1) || (a.index.known && a.index.value < 0))
      return reason::size_out_of_range;
    return detail::part_op<chunk_part>::rule(x, a);
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims& to, const attributes& a);
} chunk_part;

}  // namespace internal

/// chunk(x, 2_c, dim = -1): a std::tuple of 2 views. The last view may be shorter than the others.
/// The number of chunks is a compile-time constant.
inline constexpr struct chunk : detail::refusing_parts<struct internal::chunk_part, false> {
  using refusing_parts::operator();
  template <class X, class I, I n, Attribute... As>
    requires(sizeof...(As) < 2 && detail::accepts_call<struct internal::chunk_part, X, hana::integral_constant<I, n>,
                                                       hana::integral_constant<I, n - 1>, As...>)
  constexpr auto operator()(const X& x, hana::integral_constant<I, n> chunks, const As&... attributes) const {
    return detail::tuple_of<n>([&](auto k) { return internal::chunk_part(x, chunks, k, attributes...); });
  }
} chunk;

}  // namespace koila::inline v0
