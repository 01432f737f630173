// SPDX-License-Identifier: MIT
// Definitions of archive.hpp. The format is that of PKWARE's APPNOTE.TXT. Sizes and positions are
// always written in Zip64 fields.
#include <koila/nn/archive.hpp>
#include <koila/ops/common/definitions.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace koila::inline v0::detail {

// ---- little-endian numbers ----------------------------------------------------------------------

template <class T>
auto number_in(const void* bytes) -> T {
  T n = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&n, bytes, sizeof n);
  } else {
    for (std::size_t i = sizeof n; i-- > 0;) n = static_cast<T>(n << 8 | static_cast<const unsigned char*>(bytes)[i]);
  }
  return n;
}
template <class T>
void append_number(std::string& to, T n) {
  for (std::size_t i = 0; i < sizeof n; ++i) to += static_cast<char>(static_cast<std::uint64_t>(n) >> 8 * i);
}
template <class... T>
void append_numbers(std::string& to, T... n) {
  (append_number(to, n), ...);
}
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// ---- checksums ----------------------------------------------------------------------------------

inline auto xxh64::round(u64 lane, u64 word) -> u64 { return std::rotl(lane + word * p2, 31) * p1; }
inline void xxh64::add_block(const unsigned char* bytes) {
  for (std::size_t k = 0; k < 4; ++k) lanes_[k] = round(lanes_[k], number_in<u64>(bytes + 8 * k));
}
void xxh64::add(const void* bytes, std::size_t n) {
  const auto* p = static_cast<const unsigned char*>(bytes);
  const std::size_t held = count_ % 32;
  count_ += n;
  if (held > 0) {
    const std::size_t taken = std::min(n, 32 - held);
    std::memcpy(rest_ + held, p, taken);
    if (held + taken < 32) return;
    add_block(rest_);
    p += taken, n -= taken;
  }
  for (; n >= 32; n -= 32, p += 32) add_block(p);
  if (n > 0) std::memcpy(rest_, p, n);
}
auto xxh64::value() const -> u64 {
  u64 h = p5;
  if (count_ >= 32) {
    h = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const u64 lane : lanes_) h = (h ^ round(0, lane)) * p1 + p4;
  }
  h += count_;
  const unsigned char* p = rest_;
  auto n = static_cast<std::size_t>(count_ % 32);
  for (; n >= 8; n -= 8, p += 8) h = std::rotl(h ^ round(0, number_in<u64>(p)), 27) * p1 + p4;
  for (; n >= 4; n -= 4, p += 4) h = std::rotl(h ^ number_in<u32>(p) * p1, 23) * p2 + p3;
  for (; n > 0; --n, ++p) h = std::rotl(h ^ *p * p5, 11) * p1;
  h = (h ^ h >> 33) * p2;
  h = (h ^ h >> 29) * p3;
  return h ^ h >> 32;
}

/// Returns n as 16 hexadecimal digits.
inline auto hex(u64 n) -> std::string {
  std::string s(16, '0');
  for (std::size_t i = 0; i < 16; ++i) s[i] = "0123456789abcdef"[n >> (60 - 4 * i) & 15];
  return s;
}

// ---- writing ------------------------------------------------------------------------------------

inline constexpr u32 sign_of_record = 0x04034B50, sign_of_entry = 0x02014B50, sign_of_end = 0x06054B50,
                     sign_of_end64 = 0x06064B50, sign_of_locator = 0x07064B50;
inline constexpr std::size_t record_bytes = 30, entry_bytes = 46, end_bytes = 22, end64_bytes = 56, locator_bytes = 20;
inline constexpr u16 zip64_version = 45, zip64_field = 1, padding_field = 0x4246;  // "FB", as LibTorch pads
inline constexpr u16 elsewhere16 = 0xFFFF;
inline constexpr u32 elsewhere32 = 0xFFFFFFFF;  // marks a number that is in the Zip64 field

// The first record and the comment each identify a file of koila. So a damaged file of koila is
// never mistaken for a file of torch.save, which has no checksum.
inline constexpr std::string_view archive_folder = "koila/", first_record = "version", comment_begin = "koila xxh64 ";
inline constexpr std::size_t comment_bytes = comment_begin.size() + 16;

archive_writer::archive_writer(file_writer& to) : to_(to) {
  add(first_record, "3\n");  // the version of the format; LibTorch writes 3 since 1.6
  add("byteorder", std::endian::native == std::endian::little ? "little" : "big");
}

void archive_writer::put(const void* bytes, std::size_t n) {
  sum_.add(bytes, n);
  to_.write(bytes, n);
  position_ += n;
}

void archive_writer::add(std::string_view name, const void* bytes, std::size_t n) {
  const std::string full = std::string(archive_folder).append(name);
  const u32 crc = crc32(bytes, n);
  const auto length = static_cast<u16>(full.size());
  constexpr std::size_t alignment = 64, fields = 2 * 4 + 2 * 8;  // the headers of two fields, and two sizes
  const auto begin = static_cast<std::size_t>(position_ % alignment) + record_bytes + full.size() + fields;
  const std::size_t padding = (alignment - begin % alignment) % alignment;

  // The zeros are the flags, the method (stored), the time and the date. Time and date are 0, so
  // that the same weights always result in the same file.
  std::string head;
  append_numbers(head, sign_of_record, zip64_version, u16{0}, u16{0}, u16{0}, u16{0}, crc, elsewhere32, elsewhere32,
                 length, static_cast<u16>(fields + padding));
  head += full;
  append_numbers(head, zip64_field, u16{16}, u64{n}, u64{n}, padding_field, static_cast<u16>(padding));
  head.append(padding, 'Z');

  append_numbers(directory_, sign_of_entry, zip64_version, zip64_version, u16{0}, u16{0}, u16{0}, u16{0}, crc,
                 elsewhere32, elsewhere32, length, u16{28}, u16{0}, u16{0}, u16{0}, u32{0}, elsewhere32);
  directory_ += full;
  append_numbers(directory_, zip64_field, u16{24}, u64{n}, u64{n}, position_);
  ++count_;
  put(head.data(), head.size());
  put(bytes, n);
}

void archive_writer::finish() {
  const u64 begin = position_, end = begin + directory_.size();
  put(directory_.data(), directory_.size());
  std::string tail;
  append_numbers(tail, sign_of_end64, u64{end64_bytes - 12}, zip64_version, zip64_version, u32{0}, u32{0}, count_,
                 count_, end - begin, begin);
  append_numbers(tail, sign_of_locator, u32{0}, end, u32{1});
  append_numbers(tail, sign_of_end, u16{0}, u16{0}, elsewhere16, elsewhere16, elsewhere32, elsewhere32,
                 static_cast<u16>(comment_bytes));
  tail += comment_begin;
  put(tail.data(), tail.size());
  to_.write(hex(sum_.value()));
}

// ---- reading ------------------------------------------------------------------------------------

/// Checks a zip file that koila did not write. Finds the records by the file's directory, and
/// compares each record with its CRC-32.
class zip_check {
 public:
  zip_check(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}
  void run() const {
    const std::size_t end = find_end();
    u64 count = number<u16>(end + 10), size = number<u32>(end + 12), begin = number<u32>(end + 16);
    std::size_t behind = end;
    if (end >= locator_bytes && number<u32>(end - locator_bytes) == sign_of_locator) {
      const u64 end64 = number<u64>(end - locator_bytes + 8);
      behind = end - locator_bytes;
      if (end64 > behind || behind - end64 < end64_bytes || number<u32>(end64) != sign_of_end64 ||
          number<u64>(end64 + 4) != behind - end64 - 12)
        damaged("its directory is not there");
      behind = end64;
      count = number<u64>(end64 + 32), size = number<u64>(end64 + 40), begin = number<u64>(end64 + 48);
    }
    if (begin > behind || size != behind - begin) damaged("its directory is not there");
    u64 entry = begin;
    for (u64 i = 0; i < count; ++i) entry += check_entry(entry);
    if (entry != behind) damaged("its directory has another length");
  }

 private:
  std::string_view bytes_;
  const std::string& file_;

  [[noreturn]] void damaged(const std::string& reason) const {
    throw file_error("koila: load: " + file_ + " is damaged: it was cut or changed since it was written: " + reason);
  }
  template <class T>
  auto number(u64 offset) const -> T {
    return number_in<T>(bytes_at(offset, sizeof(T)).data());
  }
  auto bytes_at(u64 offset, u64 n) const -> std::string_view {
    if (offset > bytes_.size() || n > bytes_.size() - offset) damaged("a part is behind its end");
    return bytes_.substr(offset, n);
  }
  auto find_end() const -> std::size_t {
    constexpr std::size_t most = end_bytes + 0xFFFF;
    for (std::size_t n = end_bytes; n <= std::min(most, bytes_.size()); ++n) {
      const std::size_t at = bytes_.size() - n;
      if (number<u32>(at) == sign_of_end && number<u16>(at + 20) == n - end_bytes) return at;
    }
    damaged("it has no end");
  }
  /// Checks the record of the directory entry at `offset`, and returns the entry's length in bytes.
  auto check_entry(u64 offset) const -> u64 {
    if (number<u32>(offset) != sign_of_entry) damaged("its directory is not there");
    const u16 method = number<u16>(offset + 10), name_bytes = number<u16>(offset + 28), more = number<u16>(offset + 30),
              comment = number<u16>(offset + 32);
    const u32 crc = number<u32>(offset + 16);
    u64 stored = number<u32>(offset + 20), size = number<u32>(offset + 24), record = number<u32>(offset + 42);
    const std::string_view name = bytes_at(offset + entry_bytes, name_bytes);
    std::string_view fields = bytes_at(offset + entry_bytes + name_bytes, more);
    while (fields.size() >= 4) {
      const auto id = number_in<u16>(fields.data()), n = number_in<u16>(fields.data() + 2);
      fields.remove_prefix(4);
      if (n > fields.size()) break;
      std::string_view f = fields.substr(0, n);
      for (u64* const x : {&size, &stored, &record}) {  // the field has the numbers that are elsewhere32 here
        if (id != zip64_field || *x != elsewhere32 || f.size() < 8) continue;
        *x = number_in<u64>(f.data());
        f.remove_prefix(8);
      }
      fields.remove_prefix(n);
    }
    const std::string shown(name);
    constexpr u32 folder = 0x10;  // LibTorch would read nothing from a folder
    if ((number<u32>(offset + 38) & folder) != 0) damaged(shown + " is a folder");
    if (number<u32>(record) != sign_of_record) damaged(shown + " is not where its directory says");
    if (bytes_at(record + record_bytes, number<u16>(record + 26)) != name || number<u16>(record + 8) != method)
      damaged(shown + " is not what its directory says");
    if (method != 0 || stored != size)
      throw file_error("koila: load: " + file_ + ": " + shown + " is compressed, which torch.save never does");
    const std::string_view data = bytes_at(record + record_bytes + name_bytes + number<u16>(record + 28), size);
    if (crc32(data.data(), data.size()) != crc) damaged(shown + " has not its CRC-32");
    return entry_bytes + name_bytes + more + comment;
  }
};

void require_whole(std::string_view bytes, const std::string& file) {
  const std::string first = std::string(archive_folder).append(first_record);
  const bool begins = bytes.size() >= record_bytes && bytes.substr(record_bytes, first.size()) == first;
  const bool ends = bytes.size() >= comment_bytes &&
                    bytes.substr(bytes.size() - comment_bytes, comment_begin.size()) == comment_begin;
  if (begins || ends) {
    xxh64 sum;
    if (ends) sum.add(bytes.data(), bytes.size() - 16);
    if (!ends || hex(sum.value()) != bytes.substr(bytes.size() - 16))
      throw file_error(
          "koila: load: " + file +
          " is damaged: it was cut or changed since it was saved, for its checksum is not that of its bytes");
  } else if (bytes.substr(0, 2) == "PK") {
    zip_check(bytes, file).run();
  }
}

}  // namespace koila::inline v0::detail
