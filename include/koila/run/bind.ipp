// SPDX-License-Identifier: MIT
// Definitions of program.hpp: the memory, the bound tensors and the outputs of a run.
#include <koila/kernels/capabilities.hpp>
#include <koila/run/program.hpp>
#include <koila/run/storage.ipp>
#include <koila/run/tensor.ipp>
#include <koila/torch/dispatch.hpp>
#include <koila/torch/tensor.hpp>

namespace koila::inline v0::detail {

/// Returns the bytes of scratch that the program keeps for koila's own kernels. Returns 0 if the
/// device's kernels do not take their scratch from the program.
auto program::scratch_to_keep() const -> index_t {
  return kernels::capabilities_of(device_).lends_scratch ? plan_.buffers.kernels.scratch : 0;
}

void program::acquire(at::Tensor block) {
  const detail::below_autograd below;
  if (!block.defined()) block = detail::fresh({plan_.arena_bytes}, at::kByte, device_);
  if (needed_scratch_ > 0 && !scratch_.defined()) scratch_ = detail::fresh({needed_scratch_}, at::kByte, device_);
  arena_ = std::move(block);
  detail::set_memory(shown_, arena_.mutable_data_ptr(), device_);
  for (const auto& [t, number] : numbers_) detail::fill_with(*t, number);
}

void program::release() {
  outputs_.clear();
  detail::set_memory(shown_, nullptr, device_);
  arena_ = scratch_ = at::Tensor();
  for (const auto& e : externals_)
    for (detail::tensor_impl* impl : e.views) detail::point_to(impl, e.promised);
  unbind(true);
}

auto program::tensor_for(const leaf_state& leaf, const bound_tensors& bound) const -> const at::Tensor& {
  for (const auto& b : bound)
    if (b.leaf.get() == &leaf) return b.tensor;
  return tensor_of(leaf);
}

auto program::fits(const bound_tensors& bound) const -> bool {
  if (broken_) return false;
  std::size_t found = 0;  // bound tensors that belong to a leaf of this program
  for (const auto& leaf : leaves_) {
    for (const auto& b : bound) found += b.leaf.get() == leaf.leaf ? 1 : 0;
    const at::Tensor& t = tensor_for(*leaf.leaf, bound);
    if (!detail::is_plain(t) || t.scalar_type() != leaf.like.scalar_type() || t.device() != leaf.like.device() ||
        t.sizes() != leaf.like.sizes() || t.strides() != leaf.like.strides() ||
        (leaf.leaf->kind == leaf_state::parameter && t.requires_grad() != leaf.trained))
      return false;
  }
  return found == bound.size();
}

/// Points all tensors that share a leaf's storage to the storage of the tensor that the leaf is now
/// bound to.
void program::bind(const bound_tensors& bound) {
  for (auto& leaf : leaves_) {
    const at::Tensor& t = tensor_for(*leaf.leaf, bound);
    if (detail::storage_of(t) == detail::storage_of(leaf.like) && t.storage_offset() == leaf.like.storage_offset())
      continue;
    for (auto& [impl, offset] : leaf.views) {
      detail::point_to(impl, t.storage());
      detail::set_offset(impl, t.storage_offset() + offset);
    }
    const auto shift = t.storage_offset() - leaf.like.storage_offset();
    if (shift != 0)
      for (auto& loop : loop_)
        for (auto& c : loop)
          for (auto& m : c.moving)
            for (const auto& v : leaf.views)
              if (v.first == m.impl) m.origin += shift;
    detail::point_to(detail::impl_of(leaf.like), t.storage());
    detail::set_offset(detail::impl_of(leaf.like), t.storage_offset());
  }
}

/// Drops the references to the caller's inputs. Otherwise a batch that the caller has dropped would
/// stay in memory until the next batch is bound. If `all` is true, also drops the tensors of all
/// other leaves, because the program may never run again.
void program::unbind(bool all) {
  for (auto& leaf : leaves_) {
    if (!all && leaf.leaf->kind != leaf_state::input) continue;
    detail::point_to(detail::impl_of(leaf.like), nothing_.storage());
    for (auto& [impl, offset] : leaf.views) detail::point_to(impl, nothing_.storage());
  }
}

/// Gives an output a new storage if the output has no memory yet, or if the caller still holds the
/// tensor that the last run returned.
void program::renew_outputs() {
  for (auto& e : externals_) {
    const at::Tensor& t = *whole_[static_cast<std::size_t>(e.node)];
    const detail::tensor_storage& storage = t.storage();
    const bool there = storage.nbytes() == 0 || storage.data() != nullptr;
    if (there && static_cast<std::size_t>(storage.use_count()) <= e.own) continue;
    const graph_node& x = plan_.graph.node(e.node);
    const at::Tensor now = detail::fresh(detail::sizes(x.dims), scalar_type(x.dims.type), device_);
    for (detail::tensor_impl* impl : e.views) detail::point_to(impl, now.storage());
  }
}

/// Allocates the outputs before any kernel runs. If this allocation fails, no work is lost.
void program::prepare_outputs() {
  renew_outputs();
  std::size_t k = 0;
  for (const int o : plan_.outputs) {
    const at::Tensor& t = *whole_[static_cast<std::size_t>(o)];
    const bool external =
        plan_.external[static_cast<std::size_t>(plan_.order.nodes[static_cast<std::size_t>(o)].owner)] != 0;
    if (plan_.copied[k++] != 0) outputs_.push_back(detail::fresh(t.sizes(), t.scalar_type(), device_));
    else outputs_.push_back(external ? detail::detached_alias(t) : t);
  }
}

}  // namespace koila::inline v0::detail
