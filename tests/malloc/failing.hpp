// SPDX-License-Identifier: MIT
#pragma once
// Replaces malloc for this executable, and so for LibTorch, by functions that fail at random when a
// test asks for it; and runs child processes that may die of it.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace test {

/// Makes malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign, and so operator new,
/// return null with a given probability. The seed and the number of earlier calls decide which
/// calls fail.
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
  std::string how;  // the signal, or "exit" and the status
  /// The code in which the process died: this executable (koila, inlined code of LibTorch's
  /// headers, the test), a kernel that koila generated, or a library.
  enum class code { koila, kernel, library } in = code::library;
  std::string place;  // the name of the function
  std::vector<std::string> stack;  // the names of the calling functions, the innermost first
};

/// Calls f in a child process, forked from this one, and returns how it ended.
auto in_child(const std::function<void()>& f) -> ending;

/// Returns zeroed memory that this process and its children share. It is never freed.
auto shared_bytes(std::size_t n) -> void*;

}  // namespace test
