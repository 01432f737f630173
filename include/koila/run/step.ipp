// Definitions of step.hpp.
#include <koila/ops/family/definitions.hpp>

namespace koila::detail {

KOILA_COLD KOILA_INLINE step_core::step_core(lower_function lower, const options& o) : lower_(std::move(lower)), options_(o) {}
KOILA_INLINE step_core::step_core(step_core&& o) noexcept = default;
KOILA_COLD KOILA_INLINE step_core::~step_core() = default;
KOILA_COLD KOILA_INLINE void step_core::forget() { program_.reset(); }
KOILA_INLINE void step_core::run(const bound_tensors& bound) { program_->run(bound); }

KOILA_INLINE void step_core::prepare(const bound_tensors& bound, const keep_function& keep) {
  bindings b = bindings_of(bound);
  bool asked = false;
  for (const auto& l : b.leaves) asked = asked || l.requires_grad;  // then it is refused, or not, when it is lowered
  if (program_ && !asked && program_->fits(bound)) return;
  lowered_expression l = lower_with(lower_, std::move(b), true, is_trained);
  std::vector<handle<const leaf_state>> parameters;
  for (std::size_t k = 0; k < l.parameters.size(); ++k)
    if (l.gradients[k] >= 0) parameters.push_back(l.graph.at(l.parameters[k]).leaf);
  program_.reset();  // its arena counts as free
  parameters_ = std::move(parameters);
  const index_t kept = keep(parameters_);
  options o = options_;
  if (o.memory >= 0) o.memory = std::max<index_t>(0, o.memory - kept);
  memory_plan plan = plan_for(std::move(l), o, false, bound);
  plan.optimizer_bytes = kept;
  program_ = std::make_unique<program>(std::move(plan), bound);
}

KOILA_INLINE auto step_core::plan() const -> const memory_plan& {
  if (!program_) throw std::logic_error("koila: the step has no plan before it has run");
  return program_->plan();
}

}  // namespace koila::detail
