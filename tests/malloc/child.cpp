// SPDX-License-Identifier: MIT
// Child processes that leave their call stack in memory shared with the parent when they die.
#include "malloc/failing.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

namespace test {

namespace {

constexpr int most_frames = 96, left_by_exit = 3;

struct frame {
  const void* address;
  bool ends_exceptions;  // the function is noexcept: an exception that leaves it calls std::terminate
};
struct last_words {
  int frames;
  std::array<frame, most_frames> stack;
};
last_words* words = nullptr;
const void* interrupted = nullptr;

/// Reads a variable-length number (ULEB128) of an exception table.
auto next_number(const unsigned char*& p) -> std::uint64_t {
  std::uint64_t n = 0;
  for (int shift = 0;; shift += 7) {
    n |= static_cast<std::uint64_t>(*p & 0x7fU) << shift;
    if ((*p++ & 0x80U) == 0) return n;
  }
}
/// Returns true if the function of a stack frame has an exception table without an entry for the
/// current call: an exception that leaves this call ends the process. Parses the table in the
/// format of g++ and clang, as libstdc++ does.
auto ends_exceptions(_Unwind_Context* context) -> bool {
  const auto* p = static_cast<const unsigned char*>(_Unwind_GetLanguageSpecificData(context));
  if (p == nullptr || *p++ != 0xff) return false;
  if (*p++ != 0xff) (void)next_number(p);
  if (*p++ != 0x01) return false;
  const std::uint64_t bytes = next_number(p);
  const unsigned char* const end = p + bytes;
  const std::uint64_t here = _Unwind_GetIP(context) - 1 - _Unwind_GetRegionStart(context);
  while (p < end) {
    const std::uint64_t first = next_number(p), n = next_number(p);
    (void)next_number(p), (void)next_number(p);
    if (here >= first && here < first + n) return false;
  }
  return true;
}
auto note(_Unwind_Context* context, void*) -> _Unwind_Reason_Code {
  const auto* const here = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  if (interrupted != nullptr && here != interrupted) return _URC_NO_REASON;  // skips the signal handler's frames
  interrupted = nullptr;
  if (words->frames == most_frames) return _URC_END_OF_STACK;
  words->stack[static_cast<std::size_t>(words->frames++)] = {here, ends_exceptions(context)};
  return _URC_NO_REASON;
}
void note_stack(const void* from) {
  failing_malloc::pause();
  interrupted = from;
  (void)_Unwind_Backtrace(note, nullptr);
}
void die(int signal, siginfo_t*, void* context) {
  note_stack(reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]));
  std::signal(signal, SIG_DFL);
  (void)raise(signal);
}
void leave() {
  note_stack(__builtin_return_address(0));
  _exit(left_by_exit);
}

constexpr std::array signals = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGTRAP};
constexpr unsigned most_seconds = 600;  // a child that takes longer is in a deadlock

/// Runs f and exits. If f throws, the child ends.
[[noreturn]] void be_child(const std::function<void()>& f) noexcept {
  static std::array<std::byte, 1 << 16> stack;
  const stack_t other{stack.data(), 0, stack.size()};
  sigaltstack(&other, nullptr);
  struct sigaction act{};
  act.sa_sigaction = die;
  act.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int s : signals) sigaction(s, &act, nullptr);
  (void)std::atexit(leave);
  dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);  // hides the messages of a dying process
  alarm(most_seconds);
  f();
  _exit(0);
}

struct function {
  std::string name, file;
  auto is_in(std::string_view part) const { return file.find(part) != file.npos; }
  /// Returns true for the runtime libraries of every program. A failure inside one is attributed to
  /// its caller.
  auto is_of_runtime() const {
    for (const auto* part : {"/libc.so", "/libstdc++", "/libgcc_s", "/ld-linux", "/libpthread", "vdso"})
      if (is_in(part)) return true;
    return false;
  }
};
/// Finds the function at an address. addr2line also knows functions that a library does not export.
auto function_at(const void* address) -> function {
  static std::map<const void*, function> known;
  const auto [place, fresh] = known.try_emplace(address);
  function& found = place->second;
  Dl_info where{};
  if (!fresh || dladdr(static_cast<const char*>(address) - 1, &where) == 0 || where.dli_fname == nullptr) return found;
  char path[4096];
  found.file = realpath(where.dli_fname, path) != nullptr ? path : where.dli_fname;
  const auto offset = static_cast<const char*>(address) - 1 - static_cast<const char*>(where.dli_fbase);
  char command[4352];
  (void)std::snprintf(command, sizeof command, "addr2line -fCe '%s' 0x%zx 2>/dev/null", found.file.c_str(),
                      static_cast<std::size_t>(offset));
  if (FILE* const out = popen(command, "r")) {
    std::array<char, 4096> line{};
    if (std::fgets(line.data(), line.size(), out) != nullptr)
      found.name = std::string(line.data(), std::strcspn(line.data(), "\n"));
    (void)pclose(out);
  }
  if ((found.name.empty() || found.name == "??") && where.dli_sname != nullptr) found.name = where.dli_sname;
  return found;
}

/// Finds the function at fault: the innermost noexcept function if std::terminate was called,
/// otherwise the innermost function. Functions of the runtime libraries do not count.
void tell(ending& e) {
  const function* position = nullptr;
  std::vector<function> all;
  bool terminated = false;
  for (int i = 0; i < words->frames; ++i) {
    all.push_back(function_at(words->stack[static_cast<std::size_t>(i)].address));
    terminated = terminated || all.back().name.find("std::terminate") != std::string::npos;
  }
  for (std::size_t i = 0; terminated && i < all.size() && position == nullptr; ++i)
    if (words->stack[i].ends_exceptions && !all[i].is_of_runtime()) position = &all[i];
  for (std::size_t i = 0; i < all.size() && position == nullptr; ++i)
    if (!all[i].is_of_runtime()) position = &all[i];
  for (const function& f : all) e.stack.push_back(f.name + " (" + f.file.substr(f.file.rfind('/') + 1) + ")");
  if (position == nullptr) return;
  e.place = position->name;
  char own[4096];
  const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
  if (n > 0 && position->file == std::string_view(own, static_cast<std::size_t>(n))) e.where = ending::code::koila;
  else
    for (const function& f : all)
      if (f.name.find("at::native::cpublas") != std::string::npos) e.where = ending::code::kernel;
}

}  // namespace

auto shared_bytes(std::size_t n) -> void* {
  void* const p = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

auto in_child(const std::function<void()>& f) -> ending {
  if (words == nullptr) {
    words = static_cast<last_words*>(shared_bytes(sizeof(last_words)));
    void* one = nullptr;
    (void)backtrace(&one, 1);  // loads the unwinder's library
  }
  words->frames = 0;
  (void)std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) be_child(f);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {}
  ending e;
  e.died = status != 0;
  if (!e.died) return e;
  e.ending_text = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit " + std::to_string(WEXITSTATUS(status));
  tell(e);
  return e;
}

}  // namespace test
