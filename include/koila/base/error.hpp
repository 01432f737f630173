// SPDX-License-Identifier: MIT
#pragma once
// The exceptions that koila throws. Each also derives from an exception of the standard library.
#include <stdexcept>

namespace koila::inline v0 {

/// Base of koila's exceptions: `catch (const koila::error& e)`. LibTorch's exceptions do not
/// derive from `error`. For example, LibTorch throws c10::IndexError for a label that is out of
/// range. std::bad_alloc, which is thrown if memory runs out outside a run, does not derive from
/// `error` either.
struct error {
  virtual auto what() const noexcept -> const char* = 0;

 protected:
  error() = default;
  error(const error&) = default;
  auto operator=(const error&) -> error& = default;
  ~error() = default;
};

namespace detail {
/// An exception of type `Standard` that is a koila::error.
template <class Standard>
struct error_of : Standard, error {
  using Standard::Standard;
  auto what() const noexcept -> const char* override { return Standard::what(); }
};
}  // namespace detail

/// Thrown before anything runs, if a shape, a dtype or a binding is not allowed. For a refused
/// call, what() is the error message that the compiler prints for such a call.
struct shape_error : detail::error_of<std::invalid_argument> {
  using error_of::error_of;
};
/// Thrown if an argument or setting is out of range or contradicts another argument, except if
/// shape_error applies.
struct argument_error : detail::error_of<std::invalid_argument> {
  using error_of::error_of;
};
/// Thrown for a mistake of the program other than a wrong argument, such as the use of a
/// moved-from object, or an op whose rule and kernel disagree.
struct usage_error : detail::error_of<std::logic_error> {
  using error_of::error_of;
};
/// Thrown for a file that cannot be read or written, or is damaged.
struct file_error : detail::error_of<std::runtime_error> {
  using error_of::error_of;
};

}  // namespace koila::inline v0
