// SPDX-License-Identifier: MIT
#pragma once
// The checksum of koila's files.
#include <cstddef>
#include <cstdint>

namespace koila::inline v0::detail {

/// Returns the CRC-32 (ISO 3309, as in zip files) of `n` bytes. To continue a checksum, pass the
/// checksum of the preceding bytes as `before`.
auto crc32(const void* bytes, std::size_t n, std::uint32_t before = 0) -> std::uint32_t;

}  // namespace koila::inline v0::detail
