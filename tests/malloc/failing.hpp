// SPDX-License-Identifier: MIT
#pragma once
// Replaces malloc in this executable, LibTorch included, by functions that fail at random if a test
// asks for that. Also runs child processes, which may crash because of such a failure.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace test {

/// Makes malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign return null with a
/// given probability, and therefore operator new fail. The seed and the number of earlier calls
/// determine which calls fail.
struct failing_malloc {
  static void begin(double probability, std::uint64_t seed);
  /// Calls fail only between `resume` and `pause`.
  static void resume();
  static void pause();
  /// Returns how many calls have failed since `begin`.
  static auto failed() -> int;
};

/// How a child process ended.
struct ending {
  bool died = false;
  std::string ending_text;  // the signal, or "exit" and the status
  /// The code in which the process died. `koila`: this executable, which includes inlined code of
  /// LibTorch's headers and the test. `kernel`: a kernel that koila generated.
  enum class code { koila, kernel, library } where = code::library;
  std::string place;  // the name of the function
  std::vector<std::string> stack;  // the names of the calling functions, the innermost first
};

/// Calls f in a child process, forked from this one, and returns how it ended.
auto in_child(const std::function<void()>& f) -> ending;

/// Returns zeroed memory that this process and its children share. The memory is never freed.
auto shared_bytes(std::size_t n) -> void*;

}  // namespace test
