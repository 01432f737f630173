// SPDX-License-Identifier: MIT
#pragma once
// The exceptions that koila throws. Each is an exception of the standard library, too.
#include <stdexcept>

namespace koila {

/// Base of koila's exceptions: `catch (const koila::error& e)`. What LibTorch throws is none of
/// them, for example c10::IndexError for a label that is out of range. std::bad_alloc is none, too.
/// It is thrown if memory runs out outside a run.
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

/// Thrown for a shape, dtype or binding that does not fit, before anything runs. what() of a
/// refused call is the same sentence that the compiler prints.
struct shape_error : detail::error_of<std::invalid_argument> {
  using error_of::error_of;
};
/// Thrown for another argument or setting that is out of range or contradicts another one.
struct argument_error : detail::error_of<std::invalid_argument> {
  using error_of::error_of;
};
/// Thrown for a mistake in the program that no argument shows, such as the use of an object that
/// was moved from, or an op whose rule and kernel disagree.
struct usage_error : detail::error_of<std::logic_error> {
  using error_of::error_of;
};
/// Thrown for a file that cannot be read or written, or is damaged.
struct file_error : detail::error_of<std::runtime_error> {
  using error_of::error_of;
};

}  // namespace koila
