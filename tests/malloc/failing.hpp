#pragma once
// malloc and its like of this executable, and so of LibTorch too, which fail at random where a test
// says so; and processes that die of it.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace test {

/// malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign, and with them operator new:
/// they return null with a probability. Which calls do is a function of the seed and of how many
/// there were before.
struct failing_malloc {
  static void begin(double probability, std::uint64_t seed);
  /// Between `begin` and these nothing fails.
  static void resume();
  static void pause();
  /// How many calls failed since `begin`.
  static auto failed() -> int;
};

/// How a child process ended.
struct ending {
  bool died = false;
  std::string how;  // by which signal, or that it left by exit
  /// Whose code it died in: that of this executable (koila, LibTorch's headers inlined, the test),
  /// of a kernel that koila had made, or of a library.
  enum class code { koila, kernel, library } in = code::library;
  std::string place;  // the function
  std::vector<std::string> stack;  // the functions that called each other, the innermost first
};

/// Calls f in a child process, which has what this one has, and says how it ended.
auto in_child(const std::function<void()>& f) -> ending;

/// Memory that this process and its children share, zeroed. It is never given back.
auto shared_bytes(std::size_t n) -> void*;

}  // namespace test
