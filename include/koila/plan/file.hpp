#pragma once
// Files that are replaced as a whole: what was there stays until all of the new file is written.
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

  /// Appends n bytes. Throws std::runtime_error that names the path and gives the system's reason,
  /// such as a full disk.
  void write(const void* bytes, std::size_t n);
  void write(std::string_view s) { write(s.data(), s.size()); }
  /// All is written: the new file takes the place of the old one. Throws as `write` does.
  void finish();

 private:
  static constexpr std::size_t capacity = 1 << 16;
  std::string path_;    // as the user gave it, for messages
  std::string target_;  // all symbolic links followed
  std::string folder_;
  std::string temporary_;
  std::string buffer_;
  int file_ = -1;
  bool is_temporary_ = false;  // whether a file of the temporary name is there, and ours

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
/// `replace_file("net.pt", [&](file_writer& to) { to.write(bytes, n); });`. Until the function has
/// returned and its bytes are on the disk, the file stays as it was, whatever fails: they go to a
/// file of another name in the same folder, which then takes the file's name. A reader, or a second
/// writer, sees one whole file or another. Symbolic links are followed, also one that leads to
/// nothing yet. The mode and, where the system allows it, the owner of a file that is there are
/// kept; hard links and access control lists are not. A pipe, a device or a descriptor
/// (/dev/stdout) is written directly. Throws std::runtime_error that names the path and gives the
/// system's reason where the file cannot be written: also where it is read-only, and where its
/// folder takes no new file, since a file that is overwritten in place is lost when writing fails.
/// What the function throws is the caller's. The temporary file is gone in any case, unless the
/// process is killed.
template <class F>
void replace_file(const std::string& path, const F& write) {
  file_writer to(path);
  write(to);
  to.finish();
}

/// Replaces a file by a text.
void write_file(const std::string& path, const std::string& text);

}  // namespace koila::detail

#ifdef KOILA_DEFINITIONS
#include <koila/plan/file.ipp>
#endif
