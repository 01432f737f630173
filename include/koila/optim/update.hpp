// SPDX-License-Identifier: MIT
#pragma once
// Functions that the optimisers share: checks of settings, and the size of a state.
#include <koila/run/optimizer.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace koila::inline v0::detail {

/// Returns the bytes of the defined tensors. Every step calls this function, so it takes
/// references, because a copy of a tensor would increment an atomic reference count.
template <std::same_as<at::Tensor>... Tensors>
auto bytes_kept(const Tensors&... ts) -> std::int64_t {
  return (std::int64_t{0} + ... + (ts.defined() ? static_cast<std::int64_t>(ts.nbytes()) : 0));
}

/// Throws argument_error with the message "koila: adam: lr is -0.1, not a finite number ...".
[[noreturn]] inline void refuse_setting(std::string_view optimizer, std::string_view name, double value,
                                        std::string_view must_be) {
  std::ostringstream number;
  number.imbue(std::locale::classic());
  number << value;
  throw argument_error("koila: " + std::string(optimizer) + ": " + std::string(name) + " is " + number.str() +
                       ", not " + std::string(must_be));
}
/// Returns true if a setting is finite in float32, the precision of most updates.
inline auto is_finite_float32(double value) -> bool { return std::abs(value) <= std::numeric_limits<float>::max(); }
/// Throws argument_error if a setting is negative or not finite in float32.
inline void require_at_least_0(std::string_view optimizer, std::string_view name, double value) {
  if (!(is_finite_float32(value) && value >= 0))
    refuse_setting(optimizer, name, value, "a finite number of at least 0 in float32");
}
inline void require_finite(std::string_view optimizer, std::string_view name, double value) {
  if (!is_finite_float32(value)) refuse_setting(optimizer, name, value, "a finite number in float32");
}
/// Throws argument_error if a divisor is not above 0, because the update for a gradient of 0 would
/// be 0/0. The divisor must be a normal float32 number, because processors may treat denormals as
/// 0.
inline void require_above_0(std::string_view optimizer, std::string_view name, double value) {
  if (!(is_finite_float32(value) && value >= std::numeric_limits<float>::min()))
    refuse_setting(optimizer, name, value, "a finite number above 0 that float32 has");
}
/// Throws argument_error if the factor of a running mean is not in [0, 1).
inline void require_below_1(std::string_view optimizer, std::string_view name, double value) {
  if (!(value >= 0 && value < 1)) refuse_setting(optimizer, name, value, "in [0, 1)");
}

/// Throws argument_error if a setting is enabled but has no memory. This happens if the setting was
/// off in the first step, which allocates the memory.
inline void require_kept(std::string_view optimizer, std::string_view setting, bool enabled, const at::Tensor& memory) {
  if (enabled && !memory.defined())
    throw argument_error("koila: " + std::string(optimizer) + ": " + std::string(setting) +
                         " was switched on after the first step. It needs memory that only the first step allocates: "
                         "state it when the optimiser is made");
}

}  // namespace koila::inline v0::detail
