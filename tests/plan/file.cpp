// SPDX-License-Identifier: MIT
// Replaces files as a whole. Tests which properties of the old file are kept, that other files in
// its folder stay unchanged, targets that are not regular files, and errors.
#include <koila/plan/file.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catch.hpp"

using Catch::Matchers::ContainsSubstring;
using koila::detail::file_writer, koila::detail::replace_file, koila::detail::write_file;

namespace {

namespace fs = std::filesystem;

/// A folder for one test. The destructor removes it.
struct work_folder {
  fs::path path = fs::temp_directory_path() / ("koila_files_" + std::to_string(::getpid()));
  work_folder() {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  work_folder(const work_folder&) = delete;
  auto operator=(const work_folder&) -> work_folder& = delete;
  ~work_folder() { fs::remove_all(path); }
  auto operator/(const std::string& name) const -> std::string { return (path / name).string(); }
  auto names() const -> std::vector<std::string> {
    std::vector<std::string> out;
    for (const auto& e : fs::recursive_directory_iterator(path))
      out.push_back(e.path().lexically_relative(path).string());
    std::sort(out.begin(), out.end());
    return out;
  }
};

auto text_of(const std::string& path) -> std::string {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
auto mode_of(const std::string& path) -> mode_t {
  struct stat s{};
  return ::stat(path.c_str(), &s) == 0 ? s.st_mode & 07777 : 0;
}
auto all_from(int descriptor) -> std::string {
  std::string s;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(descriptor, part, sizeof part)) != 0;)
    if (n > 0) s.append(part, static_cast<std::size_t>(n));
  return s;
}
using names = std::vector<std::string>;

/// Drops root's rights while this object exists, if the process has them.
struct plain_user {
  uid_t before = ::geteuid();
  plain_user() { (void)!::seteuid(before == 0 ? 65534 : before); }
  ~plain_user() { (void)!::seteuid(before); }
};

const std::string large(300'000, 'x');

}  // namespace

TEST_CASE("trials B8: a symbolic link is followed, and stays one") {
  const work_folder f;
  fs::create_directory(f.path / "b");
  write_file(f / "b/net.pt", "old");
  fs::create_symlink("../first.pt", f.path / "b/second.pt");  // each link's target is relative to the link's folder
  fs::create_symlink("b/net.pt", f.path / "first.pt");
  write_file(f / "b/second.pt", "new");
  CHECK(text_of(f / "b/net.pt") == "new");
  CHECK((fs::is_symlink(f.path / "first.pt") && fs::is_symlink(f.path / "b/second.pt")));
  fs::create_symlink(f.path / "b/later.pt", f.path / "later.pt");  // the target does not exist yet
  write_file(f / "later.pt", "made");
  CHECK(fs::is_symlink(f.path / "later.pt"));
  CHECK(text_of(f / "b/later.pt") == "made");
  fs::create_symlink("loop.pt", f.path / "loop.pt");
  CHECK_THROWS_WITH(write_file(f / "loop.pt", "x"),
                    ContainsSubstring("cannot write " + (f / "loop.pt") + ": Too many levels"));
  CHECK(f.names() == names{"b", "b/later.pt", "b/net.pt", "b/second.pt", "first.pt", "later.pt", "loop.pt"});
}

TEST_CASE("trials B8: the mode and the owner of a file are kept, and a new one's are the process's") {
  const work_folder f;
  write_file(f / "net.pt", "old");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  CHECK(mode_of(f / "net.pt") == (0666 & ~mask));
  for (const mode_t mode : {0600U, 0640U, 0777U, 0622U}) {
    REQUIRE(::chmod((f / "net.pt").c_str(), mode) == 0);
    write_file(f / "net.pt", "new");
    CHECK(mode_of(f / "net.pt") == mode);
  }
  if (::chown((f / "net.pt").c_str(), 12345, 23456) == 0) {
    write_file(f / "net.pt", "newer");
    struct stat s{};
    CHECK((::stat((f / "net.pt").c_str(), &s) == 0 && s.st_uid == 12345 && s.st_gid == 23456));
    CHECK(mode_of(f / "net.pt") == 0622);
  }
}

TEST_CASE("trials B8: what is beside a file is left alone, and nothing is added") {
  const work_folder f;
  names all;
  for (const char* const name : {"net.pt", "net.pt.new", "net.pt.part", "net.pt.tmp", "net.pt~"}) {
    std::ofstream(f / name) << name;
    all.push_back(name);
  }
  write_file(f / "net.pt", large);
  CHECK(text_of(f / "net.pt") == large);
  CHECK(f.names() == all);
  for (const auto& name : all)
    if (name != "net.pt") CHECK(text_of(f / name) == name);
}

TEST_CASE("trials B8: a pipe, a device and a descriptor are written directly") {
  const work_folder f;
  REQUIRE(::mkfifo((f / "pipe").c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = text_of(f / "pipe"); });
  write_file(f / "pipe", large + "pipe");
  reader.join();
  CHECK(got == large + "pipe");
  CHECK(fs::is_fifo(f.path / "pipe"));
  write_file("/dev/null", large);
  CHECK(fs::is_character_file("/dev/null"));

  // A link to a non-blocking socket. The data is written in several parts.
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  REQUIRE(::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  fs::create_symlink("/proc/self/fd/" + std::to_string(ends[0]), f.path / "out");
  std::thread socket_reader([&] { got = all_from(ends[1]); });
  write_file(f / "out", large + "socket");
  ::close(ends[0]);
  socket_reader.join();
  ::close(ends[1]);
  CHECK(got == large + "socket");

  // An open file is written from its current position on.
  const int open_file = ::open((f / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(::write(open_file, "first ", 6) == 6);
  write_file("/dev/fd/" + std::to_string(open_file), "second ");
  REQUIRE(::write(open_file, "third", 5) == 5);
  ::close(open_file);
  CHECK(text_of(f / "log") == "first second third");
  CHECK_THROWS_WITH(write_file("/dev/fd/999999", "x"), ContainsSubstring("Bad file descriptor"));
  CHECK(f.names() == names{"log", "out", "pipe"});
}

TEST_CASE("trials B8: of two writers at once each leaves a whole file") {
  const work_folder f;
  const std::string contents[] = {std::string(200'000, 'a'), std::string(150'001, 'b')};
  write_file(f / "net.pt", contents[0]);
  std::atomic<bool> writing = true;
  int torn = 0, seen = 0;
  std::thread reader([&] {
    for (bool last = false; !last; ++seen) {
      last = !writing;
      const std::string now = text_of(f / "net.pt");
      torn += now != contents[0] && now != contents[1] ? 1 : 0;
    }
  });
  const auto write = [&](int who) {
    for (int i = 0; i < 20; ++i) write_file(f / "net.pt", contents[who]);
  };
  std::thread other(write, 0);
  write(1);
  other.join();
  writing = false;
  reader.join();
  CHECK(torn == 0);
  CHECK(seen > 0);
  CHECK(f.names() == names{"net.pt"});
}

TEST_CASE("a file that cannot be written whole is an error with the system's reason, and the old one stays") {
  const work_folder f;
  const auto stays = [&](const std::string& path, const std::string& reason, const std::string& text) {
    CAPTURE(reason);
    CHECK_THROWS_WITH(write_file(path, text),
                      ContainsSubstring("cannot write " + path + ": ") && ContainsSubstring(reason));
    CHECK(text_of(f / "net.pt") == "old");
    CHECK(f.names() == names{"folder", "net.pt"});
  };
  fs::create_directory(f.path / "folder");
  write_file(f / "net.pt", "old");
  stays(f / "folder", "Is a directory", "new");
  stays(f / "net.pt/", "Not a directory", "new");
  stays(f / "none/net.pt", "no file can be made in " + (f / "none/") + ": No such file or directory", "new");
  stays(f / std::string(300, 'n'), "File name too long", "new");
  stays("", "No such file or directory", "new");
  stays("/dev/full", "No space left on device", large);
  stays("/dev/full", "No space left on device", "new");

  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  // A limit on the file size acts like a full disk, but the system also sends a signal that could
  // end the process.
  const rlimit small{100'000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  stays(f / "net.pt", "File too large", large);
  stays(f / "other.pt", "File too large", large);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);

  struct mistake {};
  const auto failing = [](file_writer& to) {
    to.write(large);
    throw mistake();
  };
  CHECK_THROWS_AS(replace_file(f / "net.pt", failing), mistake);
  stays(f / "folder", "Is a directory", "new");  // refused as before the limit
}

TEST_CASE("a file that may not be written stays, also where its folder may be") {
  const work_folder f;
  write_file(f / "net.pt", "old");
  fs::create_directory(f.path / "closed");
  write_file(f / "closed/net.pt", "old");
  REQUIRE(::chmod((f / "net.pt").c_str(), 0444) == 0);
  REQUIRE(::chmod((f / "closed/net.pt").c_str(), 0666) == 0);
  REQUIRE(::chmod((f / "closed").c_str(), 0555) == 0);
  REQUIRE(::chmod(f.path.c_str(), 0777) == 0);
  {
    const plain_user user;
    CHECK_THROWS_WITH(write_file(f / "net.pt", "new"), ContainsSubstring("Permission denied"));
    // The file is not overwritten in place, because a failed write would then destroy it.
    CHECK_THROWS_WITH(write_file(f / "closed/net.pt", "new"),
                      ContainsSubstring("no file can be made in " + (f / "closed/") + ": Permission denied"));
  }
  REQUIRE(::chmod((f / "closed").c_str(), 0755) == 0);
  CHECK(text_of(f / "net.pt") == "old");
  CHECK(text_of(f / "closed/net.pt") == "old");
  CHECK(f.names() == names{"closed", "closed/net.pt", "net.pt"});
}

TEST_CASE("a reader that has gone is an error, not the end of the process") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  ::close(ends[0]);
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  CHECK_THROWS_WITH(write_file("/dev/fd/" + std::to_string(ends[1]), large), ContainsSubstring("Broken pipe"));
  sigset_t waiting;
  sigpending(&waiting);
  CHECK(sigismember(&waiting, SIGPIPE) == 0);
  std::signal(SIGPIPE, before);
  ::close(ends[1]);
}
