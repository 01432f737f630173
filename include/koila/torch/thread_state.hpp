// SPDX-License-Identifier: MIT
#pragma once
// The state that LibTorch keeps for each thread: autograd, inference mode and dispatch keys.
#include <koila/torch/dispatch.hpp>

#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <optional>

namespace koila::inline v0::detail {

/// While this object exists, autograd records nothing.
using without_gradients = at::NoGradGuard;

/// Returns true if autograd records operations on this thread.
inline auto records_gradients() -> bool { return at::GradMode::is_enabled(); }
/// Returns true if inference mode is on for this thread.
inline auto in_inference_mode() -> bool { return c10::InferenceMode::is_enabled(); }

/// Disables inference mode while this object exists. Otherwise tensors would be made in inference
/// mode, and steps could not change them.
class outside_inference_mode {
 public:
  outside_inference_mode() {
    if (in_inference_mode()) outside_.emplace(false);
  }

 private:
  std::optional<c10::InferenceMode> outside_;
};

/// While this object exists, neither autocast nor autograd nor the recorder of intercepted tensors
/// sees operators on this thread.
class undisturbed {
 public:
  undisturbed() : autocast_(c10::autocast_dispatch_keyset) {}

 private:
  c10::impl::ExcludeDispatchKeyGuard autocast_;
  below_autograd autograd_;
};

inline auto dispatch_of_a_program() -> c10::impl::LocalDispatchKeySet {
  auto keys = c10::impl::tls_local_dispatch_key_set();
  keys.excluded_ = keys.excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView;
  return keys;
}
/// While this object exists, LibTorch's dispatch state is the same as outside koila's programs.
/// Autograd records operations if `with_autograd` is true.
struct restore_dispatch_state {
  c10::InferenceMode not_inference{false};
  c10::impl::ForceDispatchKeyGuard all_keys{dispatch_of_a_program()};
  at::AutoGradMode recording;
  explicit restore_dispatch_state(bool with_autograd) : recording(with_autograd) {}
};

}  // namespace koila::inline v0::detail
