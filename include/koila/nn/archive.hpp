// SPDX-License-Identifier: MIT
#pragma once
// Writes the archives of torch.save and checks archives for damage. The archives are zip files
// with uncompressed records.
#include <koila/plan/checksum.hpp>
#include <koila/plan/file.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace koila::inline v0::detail {

/// XXH64 (Collet 2016, xxhash.com/doc) of bytes that arrive in pieces.
class xxh64 {
 public:
  void add(const void* bytes, std::size_t n);
  /// Returns the hash of all bytes so far.
  auto value() const -> std::uint64_t;

 private:
  static constexpr std::uint64_t p1 = 0x9E3779B185EBCA87, p2 = 0xC2B2AE3D27D4EB4F, p3 = 0x165667B19E3779F9,
                                 p4 = 0x85EBCA77C2B2AE63, p5 = 0x27D4EB2F165667C5;
  std::array<std::uint64_t, 4> lanes_{p1 + p2, p2, 0, 0 - p1};
  unsigned char rest_[32] = {};
  std::uint64_t count_ = 0;

  static auto round(std::uint64_t lane, std::uint64_t word) -> std::uint64_t;
  void add_block(const unsigned char* bytes);
};

/// Writes an archive that torch.load reads. The writer writes from beginning to end, so the
/// target may be a pipe. The archive ends in a comment with the XXH64 of all bytes before the
/// hash: `head -c -16 net.pt | xxh64sum` prints the last 16 characters of net.pt.
class archive_writer {
 public:
  explicit archive_writer(file_writer& to);
  /// Adds a record, whose bytes begin at a multiple of 64.
  void add(std::string_view name, const void* bytes, std::size_t n);
  void add(std::string_view name, std::string_view bytes) { add(name, bytes.data(), bytes.size()); }
  /// Writes the directory and the checksum. No record may be added afterwards.
  void finish();

 private:
  file_writer& to_;
  xxh64 sum_;
  std::string directory_;
  std::uint64_t position_ = 0, count_ = 0;

  void put(const void* bytes, std::size_t n);
};

/// Throws file_error, which names the file, if the file is damaged. A file of archive_writer is
/// checked by its checksum. Any other zip file is checked by its directory and the CRC-32 of its
/// records. Files that are not zip files are not checked.
void require_whole(std::string_view bytes, const std::string& file);

}  // namespace koila::inline v0::detail
