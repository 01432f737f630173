// SPDX-License-Identifier: MIT Definitions of fused_kernel.hpp. In a fused kernel, a step is the
// computation of one op. The code here replaces several such steps by one step, whose function the
// user's compiler made for all of their ops.
#include <koila/ops/common/instructions.ipp>

namespace koila::inline v0::detail {

/// Returns the function for this machine's instruction set, or null if there is no such function.
inline auto kernel_of(const fused_elements& f) -> elements_function {
  switch (instructions_to_use()) {
    case instructions::avx512: return f.avx512;
    case instructions::avx2: return f.avx2;
    default: return nullptr;
  }
}

/// Returns true if the ops of a tree compute the value, and if no value inside the tree is stored
/// or summed. Adds the matching steps to `m`.
auto fused_kernel::matches(const op_info* const*& tree, int value, found& m) const -> bool {
  const op_info* const op = *tree++;
  if (op == nullptr) return m.operands.push_back(value), true;
  const bool root = m.steps.empty();
  if (!root && (values_[static_cast<std::size_t>(value)].tensor != nullptr ||
                std::any_of(sums_.begin(), sums_.end(), [&](const summed& s) { return s.value == value; })))
    return false;
  const auto s = std::find_if(steps_.begin(), steps_.end(), [&](const step& x) { return x.out == value; });
  if (s == steps_.end() || s->op != op || !s->only_here) return false;
  const int number = static_cast<int>(s - steps_.begin());
  if (std::find(m.steps.begin(), m.steps.end(), number) != m.steps.end()) return false;  // would be computed twice
  m.steps.push_back(number);
  if (s->attributes != nullptr) m.attributes.push_back(s->attributes);
  for (int k = 0; k < s->n; ++k)
    if (!matches(tree, s->operands[static_cast<std::size_t>(k)], m)) return false;
  return true;
}

/// Returns true if all steps of the tree may run at the position of the root, the tree's last step.
/// No other step may read a value inside the tree. No operand of the tree may be computed inside
/// the tree. Between the first step of the tree and the root, no other step may store a value,
/// because the value might overwrite an operand of the tree.
auto fused_kernel::is_independent(const found& m) const -> bool {
  const auto inside = [&](int k) { return std::find(m.steps.begin(), m.steps.end(), k) != m.steps.end(); };
  for (const int v : m.operands)
    for (const int k : m.steps)
      if (steps_[static_cast<std::size_t>(k)].out == v) return false;
  for (int k = *std::min_element(m.steps.begin(), m.steps.end()); k < m.steps.front(); ++k)
    if (!inside(k) && values_[static_cast<std::size_t>(steps_[static_cast<std::size_t>(k)].out)].tensor != nullptr)
      return false;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (inside(static_cast<int>(k))) continue;
    for (int i = 0; i < steps_[k].n; ++i)
      for (std::size_t j = 1; j < m.steps.size(); ++j)
        if (steps_[static_cast<std::size_t>(m.steps[j])].out == steps_[k].operands[static_cast<std::size_t>(i)])
          return false;
  }
  return true;
}

/// Finds all steps that compute the tree of ops for which `f` was compiled. Replaces the steps of
/// each such tree with one step that calls `f`.
void fused_kernel::fuse(const fused_elements& f) {
  const elements_function fused = detail::kernel_of(f);
  if (fused == nullptr) return;
  for (std::size_t last = steps_.size(); last-- > 0;) {
    found m;
    const op_info* const* tree = f.tree;
    if (steps_[last].op != *tree || !matches(tree, steps_[last].out, m) || !is_independent(m)) continue;
    attributes_.push_back(std::move(m.attributes));
    step s{fused, attributes_.back().data(), static_cast<int>(m.operands.size()), {}, steps_[last].out, nullptr, true};
    for (std::size_t k = 0; k < m.operands.size(); ++k) s.operands[k] = m.operands[k];
    steps_[last] = s;
    std::sort(m.steps.begin(), m.steps.end());
    for (std::size_t k = m.steps.size() - 1; k-- > 0;) steps_.erase(steps_.begin() + m.steps[k]);
    last -= m.steps.size() - 1;
  }
}

}  // namespace koila::inline v0::detail
