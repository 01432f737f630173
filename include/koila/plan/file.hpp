// SPDX-License-Identifier: MIT
#pragma once
// Atomic replacement of files: the old file stays in place until the new one is completely written.
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace koila::detail {

/// Writes the new contents of a file: see replace_file.
class file_writer {
 public:
  explicit file_writer(const std::string& path);
  ~file_writer();
  file_writer(const file_writer&) = delete;
  auto operator=(const file_writer&) -> file_writer& = delete;

  /// Appends n bytes. Throws file_error that names the path and gives the system's reason,
  /// such as a full disk.
  void write(const void* bytes, std::size_t n);
  void write(std::string_view s) { write(s.data(), s.size()); }
  /// Replaces the old file by the new one. Call it after the last `write`. Throws as `write` does.
  void finish();

 private:
  static constexpr std::size_t capacity = 1 << 16;
  std::string path_;    // as the user gave it, for messages
  std::string target_;  // `path_` with all symbolic links followed
  std::string folder_;
  std::string temporary_;
  std::string buffer_;
  int file_ = -1;
  bool is_temporary_ = false;  // true while the file `temporary_` exists that this object has created

  struct prepared {};
  file_writer(prepared, const std::string& path);
  void open();
  void open_temporary(mode_t mode);
  void flush();
  void write_now(const char* bytes, std::size_t n);
  void sync_folder();
  [[noreturn]] void fail(int error, std::string_view what = {}) const;
};

/// Replaces a file by what a function writes:
/// `replace_file("net.pt", [&](file_writer& to) { to.write(bytes, n); });`.
///
/// The bytes go to a temporary file in the same folder, which takes the file's name once the
/// function has returned and its bytes are on the disk. If anything fails before that, the old file
/// is unchanged. A reader, or a second writer, sees either the whole old file or the whole new one.
///
/// Symbolic links are followed, even if the target does not exist yet. The mode of an existing file
/// is kept, and its owner if the system allows that. Hard links and access control lists are not
/// kept. A pipe, a device or a descriptor (/dev/stdout) is written directly.
///
/// Throws file_error with the path and the system's reason if the file cannot be written.
/// It also throws if the file is read-only or if its folder accepts no new file, because a file
/// that is overwritten in place is lost when writing fails. Exceptions of the function reach the
/// caller. The temporary file is removed in every case, unless the process is killed.
template <class F>
void replace_file(const std::string& path, const F& write) {
  file_writer to(path);
  write(to);
  to.finish();
}

/// Replaces the contents of a file by `text`; see replace_file.
void write_file(const std::string& path, const std::string& text);

}  // namespace koila::detail
