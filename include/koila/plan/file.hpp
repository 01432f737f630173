// SPDX-License-Identifier: MIT
#pragma once
// Atomic replacement of files: the old file stays in place until the new one is completely written.
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace koila::inline v0::detail {

/// Writes the new contents of a file; see replace_file.
class file_writer {
 public:
  explicit file_writer(const std::string& path);
  ~file_writer();
  file_writer(const file_writer&) = delete;
  auto operator=(const file_writer&) -> file_writer& = delete;

  /// Appends n bytes. Throws file_error with the path and the system's error message.
  void write(const void* bytes, std::size_t n);
  void write(std::string_view s) { write(s.data(), s.size()); }
  /// Replaces the old file. Must be called after the last `write`. Throws file_error.
  void finish();

 private:
  static constexpr std::size_t capacity = 1 << 16;
  std::string path_;    // as the user gave it, for messages
  std::string target_;  // `path_` with all symbolic links followed
  std::string folder_;
  std::string temporary_;
  std::string buffer_;
  int file_ = -1;
  bool is_temporary_ = false;  // true while a temporary file of this object exists

  struct prepared {};
  file_writer(prepared, const std::string& path);
  void open();
  void open_temporary(mode_t mode);
  void flush();
  void write_now(const char* bytes, std::size_t n);
  void sync_folder();
  [[noreturn]] void fail(int error, std::string_view what = {}) const;
};

/// Replaces the contents of a file with the bytes that a function writes:
/// `replace_file("net.pt", [&](file_writer& to) { to.write(bytes, n); });`.
///
/// The bytes go to a temporary file in the same folder. After the function has returned and its
/// bytes are on the disk, the temporary file gets the name of the old file. If anything fails
/// before that, the old file is unchanged. Readers and other writers see either the whole old file
/// or the whole new file.
///
/// Symbolic links are followed, even if the target does not exist yet. An existing file keeps its
/// mode. The file also keeps its owner if the system allows this. Hard links and access control
/// lists are not kept. A pipe, a device or a file descriptor (/dev/stdout) is written directly.
///
/// Throws file_error with the path and the system's error message if the file cannot be written.
/// Also throws file_error if the file is read-only or if no file can be created in its folder,
/// because writing in place would lose the old contents if the writing failed. Exceptions of the
/// function are passed on. If an exception is thrown, the temporary file is removed.
template <class F>
void replace_file(const std::string& path, const F& write) {
  file_writer to(path);
  write(to);
  to.finish();
}

/// Replaces the contents of a file with `text`; see replace_file.
void write_file(const std::string& path, const std::string& text);

}  // namespace koila::inline v0::detail
