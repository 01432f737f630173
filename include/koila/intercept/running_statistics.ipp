// SPDX-License-Identifier: MIT
#pragma once
// Running statistics of recorded calls. An eager program changes them when it calls batch_norm.
// koila changes them when the call runs. Until then, the tensors are intercepted, so that operators
// on them find the new values.
#include <koila/intercept/region.hpp>

#include <algorithm>

namespace koila::inline v0::detail {

/// The regions that will update a tensor.
struct expected_updates {
  std::mutex changing;
  std::unordered_map<const c10::TensorImpl*, std::vector<region*>> by_tensor;
};
inline auto updates_expected() -> expected_updates& {
  static auto* const all = new expected_updates;  // never deleted: regions may outlive static objects
  return *all;
}

/// Notes that a call will update its operands that are buffers. Returns false if there are none.
inline auto announce_update(const region& r, const int* operands, int n) -> bool {
  bool any = false;
  for (int k = 3; k < n; ++k) {  // the operands before are the input, the weight and the bias
    if (!r.is_buffer(operands[k])) continue;
    const at::Tensor& t = r.tensor_of_value(operands[k]);
    expected_updates& all = updates_expected();
    const std::lock_guard lock(all.changing);
    all.by_tensor[t.unsafeGetTensorImpl()].push_back(const_cast<region*>(&r));
    set_intercepted(t, true);
    any = true;
  }
  return any;
}

/// Takes back what `announce_update` noted.
inline void withdraw_update(const region& r, const int* operands, int n) {
  for (int k = 3; k < n; ++k) {
    if (!r.is_buffer(operands[k])) continue;
    const at::Tensor& t = r.tensor_of_value(operands[k]);
    expected_updates& all = updates_expected();
    const std::lock_guard lock(all.changing);
    const auto found = all.by_tensor.find(t.unsafeGetTensorImpl());
    if (found == all.by_tensor.end()) continue;
    auto& of_tensor = found->second;
    if (const auto one = std::find(of_tensor.begin(), of_tensor.end(), &r); one != of_tensor.end())
      of_tensor.erase(one);
    if (!of_tensor.empty()) continue;
    all.by_tensor.erase(found);
    set_intercepted(t, false);
  }
}

/// Performs the updates of a tensor that are still to come.
inline void update_now(const at::Tensor& t) {
  for (;;) {
    std::shared_ptr<region> r;
    {
      expected_updates& all = updates_expected();
      const std::lock_guard lock(all.changing);
      const auto found = all.by_tensor.find(t.unsafeGetTensorImpl());
      if (found == all.by_tensor.end() || found->second.empty()) return;
      r = found->second.front()->weak_from_this().lock();
      if (!r) return;  // the region is being destroyed, and updates the tensor itself
    }
    r->update_buffers();
  }
}

}  // namespace koila::inline v0::detail
