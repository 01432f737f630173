// SPDX-License-Identifier: MIT
#pragma once
// Selects the instruction set that koila's kernels use in tests.
#include <koila/ops/common/instructions.ipp>

namespace test {

/// Sets a variable to another value, and restores it in the destructor.
template <class T>
class while_set {
 public:
  while_set(std::atomic<T>& setting, T to) : setting_(setting), before_(setting.exchange(to)) {}
  ~while_set() { setting_ = before_; }
  while_set(const while_set&) = delete;
  auto operator=(const while_set&) -> while_set& = delete;

 private:
  std::atomic<T>& setting_;
  T before_;
};

}  // namespace test
