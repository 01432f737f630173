// SPDX-License-Identifier: MIT
// Definitions of checksum.hpp.
#include <koila/plan/checksum.hpp>

#include <array>

namespace koila::inline v0::detail {

/// crc32_tables[k][b] is the contribution of byte b when k more bytes follow it.
inline constexpr auto crc32_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> t{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t x = b;
    for (int i = 0; i < 8; ++i) x = x >> 1 ^ (x & 1 ? 0xEDB88320U : 0);
    t[0][b] = x;
  }
  for (std::size_t k = 1; k < t.size(); ++k)
    for (std::size_t b = 0; b < 256; ++b) t[k][b] = t[k - 1][b] >> 8 ^ t[0][t[k - 1][b] & 255];
  return t;
}();

auto crc32(const void* bytes, std::size_t n, std::uint32_t before) -> std::uint32_t {
  const auto* p = static_cast<const unsigned char*>(bytes);
  const auto& t = crc32_tables;
  std::uint32_t x = ~before;
  for (; n >= 8; n -= 8, p += 8) {  // eight bytes at once
    std::uint64_t w = 0;
    for (int i = 0; i < 8; ++i) w |= std::uint64_t{p[i]} << 8 * i;
    w ^= x;
    x = t[7][w & 255] ^ t[6][w >> 8 & 255] ^ t[5][w >> 16 & 255] ^ t[4][w >> 24 & 255] ^ t[3][w >> 32 & 255] ^
        t[2][w >> 40 & 255] ^ t[1][w >> 48 & 255] ^ t[0][w >> 56];
  }
  for (; n > 0; --n, ++p) x = x >> 8 ^ t[0][(x ^ *p) & 255];
  return ~x;
}

}  // namespace koila::inline v0::detail
