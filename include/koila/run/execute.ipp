// SPDX-License-Identifier: MIT
// Definitions of program.hpp: executes the steps of a run, chunk by chunk.
#include <koila/kernels/combine.hpp>
#include <koila/kernels/copy.hpp>
#include <koila/kernels/cpu/scratch.ipp>
#include <koila/run/agreement.ipp>
#include <koila/run/program.hpp>
#include <koila/torch/dispatch.hpp>

namespace koila::inline v0::detail {

/// Calls the kernel of a step. If memory runs out, calls the kernel a second time, unless the
/// kernel may have drawn numbers from LibTorch's generator. The second call is safe. Most kernels
/// overwrite their whole result. A kernel that adds to a partial value makes all its allocations
/// before it adds, so it has added nothing when memory runs out.
void program::perform(const detail::run_step& s, const chunk_position& position, std::uint64_t seed,
                      detail::allocation_watch& watch) {
  if (s.elements != nullptr) return perform(*s.elements, position);
  const bool first = position.start == 0;
  const auto call_twice = [&](at::Tensor& y, const auto& kernel) {
    {
      const detail::result_watch unchanged(y, broken_, !has_run_);
      if (s.not_retryable) kernel();
      else if (!detail::attempt(watch, kernel)) kernel();
    }
    if (broken_) detail::refuse_exchanged(s.op != nullptr ? s.op->name : "a copy");
  };
  const auto call = [&](auto f, at::Tensor& y) { call_twice(y, [&] { f(y, s.operands.data(), s.attributes); }); };
  if (s.op == nullptr) call_twice(*s.y, [&] { kernels::copy.for_device(device_)(*s.y, *s.operands[0]); });
  else if (s.fused_forward_output != nullptr)
    call_twice(*s.y, [&] {
      const detail::result_watch unchanged(*s.fused_forward_output, broken_, !has_run_);
      s.kernel.evaluate_both(*s.fused_forward_output, *s.y, s.operands.data(), s.attributes);
    });
  else if (s.op->operators.draw != nullptr)
    call_twice(*s.y, [&] {
      detail::draw(*s.op, s.kernel, *s.y, s.operands.data(), s.attributes, {s.batch_relation, position.start, seed});
    });
  else if (s.accumulator != nullptr) {
    call(s.kernel.evaluate, *s.part);
    if (first) s.accumulator->copy_(*s.part);
    else
      kernels::combine_in_accumulator.for_device(device_)(
          *s.accumulator, *s.part, s.batch_relation.combine,
          static_cast<double>(position.samples) / static_cast<double>(position.start + position.samples));
  } else if (s.compensation != nullptr) {  // first adds up the results of several chunks
    call(position.chunk_number() % s.parts_per_sum == 0 && !s.after_others ? s.kernel.evaluate : s.kernel.accumulate,
         *s.part);
    if (s.is_last) add_part(s, position, s.parts_per_sum);
  } else if ((first && !s.after_others) || !s.partial) call(s.kernel.evaluate, *s.y);
  else if (s.kernel.accumulate != nullptr) call(s.kernel.accumulate, *s.y);
  else {
    call(s.kernel.evaluate, *s.part);
    kernels::combine(*s.y, *s.part, s.batch_relation.combine);
  }
}

/// Adds `s.part`, which has accumulated the last `parts` chunks, to a compensated sum. Does nothing
/// unless the chunk is the last of `parts` chunks or the last chunk of the batch.
void program::add_part(const detail::run_step& s, const chunk_position& position, index_t parts) const {
  const index_t chunk = position.chunk_number();
  if ((chunk + 1) % parts != 0 && position.start + position.samples < plan_.batch) return;
  if (chunk >= parts) return kernels::add_compensated.for_device(device_)(*s.y, *s.compensation, *s.part);
  s.y->copy_(*s.part);
  s.compensation->zero_();
}

void program::finish(const detail::run_step& s) const {
  if (s.accumulator != nullptr) s.y->copy_(*s.accumulator);
  if (s.compensation != nullptr && s.is_last) kernels::add_compensation.for_device(device_)(*s.y, *s.compensation);
}

void program::run(const bound_tensors& bound, std::uint64_t seed, detail::allocation_watch& watch) {
  const detail::below_autograd below;
  outputs_.clear();
  const struct unbind_at_end {
    program& p;
    ~unbind_at_end() { p.unbind(false); }
  } at_the_end{*this};
  bind(bound);
  prepare_outputs();
  const detail::kept_scratch kept(scratch_);
  for (std::size_t l = 0; l < section_.size(); ++l) {
    for (const auto& s : section_[l]) perform(s, {}, seed, watch);
    if (l == loop_.size()) break;
    const index_t c = plan_.chunks[l];
    for (index_t start = 0; start == 0 || start < plan_.batch; start += c) {
      const auto& chunk = plan_.batch - start < c ? loop_[l].back() : loop_[l].front();
      for (const auto& m : chunk.moving) detail::set_offset(m.impl, m.origin + start * m.step);
      for (const auto& s : chunk.steps) perform(s, {start, chunk.samples, c}, seed, watch);
      if (c == 0) break;
    }
    for (const auto& s : loop_[l].front().steps) {
      finish(s);
      if (s.elements == nullptr) continue;
      for (const auto& sum : s.elements->sums) finish(sum);
    }
  }
  has_run_ = true;
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    if (plan_.copied[k] != 0)
      kernels::copy.for_device(device_)(outputs_[k], *whole_[static_cast<std::size_t>(plan_.outputs[k])]);
}

}  // namespace koila::inline v0::detail
