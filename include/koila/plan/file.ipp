// SPDX-License-Identifier: MIT
// Definitions of file.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/file.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace koila::inline v0::detail {

/// Returns the folder part of a path, with the slash at its end. Returns an empty string if the
/// path has no slash.
inline auto folder_of(const std::string& path) -> std::string { return path.substr(0, path.rfind('/') + 1); }

/// Returns the file descriptor of this process that a path names ("/dev/fd/3", "/proc/self/fd/3"),
/// or -1. Such a descriptor must be duplicated. If it were opened by name, a regular file would be
/// written from its beginning, and a socket could not be opened.
inline auto descriptor_of(const std::string& path) -> int {
  for (const std::string_view folder : {"/proc/self/fd/", "/dev/fd/"}) {
    if (path.size() <= folder.size() || path.size() > folder.size() + 6 || path.compare(0, folder.size(), folder) != 0)
      continue;
    int n = 0;
    for (const char c : std::string_view(path).substr(folder.size())) {
      if (c < '0' || c > '9') return -1;
      n = 10 * n + (c - '0');
    }
    return n;
  }
  return -1;
}

/// Blocks SIGPIPE and SIGXFSZ on this thread while the object exists. If the reader of a pipe is
/// gone or the file exceeds its size limit, write() returns an error, and the process continues.
class errors_for_signals {
 public:
  errors_for_signals() {
    sigemptyset(&blocked_);
    for (const int s : signals) sigaddset(&blocked_, s);
    sigpending(&before_);
    pthread_sigmask(SIG_BLOCK, &blocked_, &old_);
  }
  ~errors_for_signals() {
    const int error = errno;
    sigset_t now;
    sigpending(&now);
    for (const int s : signals) {
      if (sigismember(&now, s) != 1 || sigismember(&before_, s) == 1) continue;
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, s);
      int taken = 0;
      sigwait(&one, &taken);
    }
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
    errno = error;
  }
  errors_for_signals(const errors_for_signals&) = delete;
  auto operator=(const errors_for_signals&) -> errors_for_signals& = delete;

 private:
  static constexpr int signals[] = {SIGPIPE, SIGXFSZ};
  sigset_t blocked_, before_, old_;
};

void file_writer::fail(int error, std::string_view what) const {
  std::string message = "koila: cannot write " + path_ + ": ";
  if (!what.empty()) (message += what) += ": ";
  throw file_error(message + std::strerror(error));
}

/// Allocates all names and buffers before any file is made, so that a failed allocation leaves no
/// file behind.
file_writer::file_writer(prepared, const std::string& path) : path_(path), target_(path) {
  if (path.empty()) fail(ENOENT);
  if (path.find('\0') != std::string::npos) fail(EINVAL);
  constexpr int most_links = 40;
  for (int links = 0; descriptor_of(target_) < 0; ++links) {
    char to[PATH_MAX];
    const ssize_t n = ::readlink(target_.c_str(), to, sizeof to);
    if (n < 0) break;
    if (links == most_links) fail(ELOOP);
    if (static_cast<std::size_t>(n) == sizeof to) fail(ENAMETOOLONG);
    const std::string next(to, static_cast<std::size_t>(n));
    target_ = !next.empty() && next[0] == '/' ? next : folder_of(target_) + next;
  }
  folder_ = folder_of(target_);
  temporary_ = folder_;
  temporary_.resize(folder_.size() + 64);
  buffer_.reserve(capacity);
}

// If open() throws, the destructor runs, because the delegated constructor has completed.
file_writer::file_writer(const std::string& path) : file_writer(prepared{}, path) { open(); }

file_writer::~file_writer() {
  if (file_ >= 0) ::close(file_);
  if (is_temporary_) ::unlink(temporary_.c_str());
}

void file_writer::open() {
  if (const int n = descriptor_of(target_); n >= 0) {
    file_ = ::fcntl(n, F_DUPFD_CLOEXEC, 0);
    if (file_ < 0) fail(errno);
    return;
  }
  struct stat old{};
  if (::stat(target_.c_str(), &old) != 0) {
    if (errno != ENOENT) fail(errno);
    return open_temporary(0666);  // minus the process's umask
  }
  if (S_ISDIR(old.st_mode)) fail(EISDIR);
  if (!S_ISREG(old.st_mode)) {
    do file_ = ::open(target_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    while (file_ < 0 && errno == EINTR);
    if (file_ < 0) fail(errno);
    return;
  }
  if (::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  open_temporary(0600);
  struct stat own{};
  mode_t mode = old.st_mode & 07777;
  if (::fstat(file_, &own) != 0) fail(errno);
  const bool differs = own.st_uid != old.st_uid || own.st_gid != old.st_gid;
  if (differs && ::fchown(file_, old.st_uid, old.st_gid) != 0) {
    mode &= 0777;
    if (own.st_gid != old.st_gid && ::fchown(file_, static_cast<uid_t>(-1), old.st_gid) != 0)
      mode = (mode & 0707) | (mode & 07) << 3;  // the group differs, so it gets the permissions of other users
  }
  (void)::fchmod(file_, mode);  // fails on a file system without modes, which is harmless
}

void file_writer::open_temporary(mode_t mode) {
  static std::atomic<unsigned> count{0};
  constexpr int most = 10'000;
  for (int i = 0; i < most; ++i) {
    const unsigned n = count.fetch_add(1, std::memory_order_relaxed);
    std::snprintf(temporary_.data() + folder_.size(), 64, ".koila.%ld.%u", static_cast<long>(::getpid()), n);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    is_temporary_ = file_ >= 0;
    if (is_temporary_) return;
    if (errno != EEXIST && errno != EINTR) break;
  }
  const int error = errno;
  fail(error, "no file can be made in " + (folder_.empty() ? std::string("the current folder") : folder_));
}

void file_writer::write_now(const char* bytes, std::size_t n) {
  const errors_for_signals guard;
  while (n > 0) {
    const ssize_t written = ::write(file_, bytes, std::min<std::size_t>(n, 1 << 30));
    if (written > 0) {
      bytes += written, n -= static_cast<std::size_t>(written);
    } else if (written == 0) {
      fail(EIO);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {  // a pipe in non-blocking mode
      pollfd room{file_, POLLOUT, 0};
      (void)::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void file_writer::flush() {
  write_now(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void file_writer::write(const void* bytes, std::size_t n) {
  if (n > capacity - buffer_.size()) flush();
  if (n > capacity) write_now(static_cast<const char*>(bytes), n);
  else buffer_.append(static_cast<const char*>(bytes), n);
}

void file_writer::finish() {
  flush();
  if (is_temporary_ && ::fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
  if (::close(std::exchange(file_, -1)) != 0 && errno != EINTR) fail(errno);
  if (!is_temporary_) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  is_temporary_ = false;
  sync_folder();
}

/// Syncs the folder, so that the new name is on the disk. Ignores errors if the folder is not
/// readable or if the file system cannot sync folders.
void file_writer::sync_folder() {
  const int folder = ::open(folder_.empty() ? "." : folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  const int error = ::fsync(folder) == 0 ? 0 : errno;
  ::close(folder);
  if (error == EIO || error == ENOSPC || error == EDQUOT) fail(error, "its folder");
}

void write_file(const std::string& path, const std::string& text) {
  replace_file(path, [&](file_writer& to) { to.write(text); });
}

}  // namespace koila::inline v0::detail
