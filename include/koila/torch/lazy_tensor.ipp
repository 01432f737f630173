// SPDX-License-Identifier: MIT
// Definitions of lazy_tensor.hpp.
#include <koila/torch/lazy_tensor.hpp>

#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/variable.h>

#include <utility>
#include <vector>

namespace koila::inline v0::detail {

inline auto intercepted_keys(c10::DispatchKeySet keys) -> c10::DispatchKeySet {
  keys = keys.add(intercept_key);
  return c10::InferenceMode::is_enabled() ? keys : keys.add(c10::DispatchKey::ADInplaceOrView);
}

lazy_tensor::lazy_tensor(c10::DispatchKeySet keys, caffe2::TypeMeta type, at::Device device)
    : TensorImpl(keys, type, device) {}
lazy_tensor::lazy_tensor(c10::Storage storage, c10::DispatchKeySet keys, caffe2::TypeMeta type)
    : TensorImpl(std::move(storage), keys, type) {}

void lazy_tensor::take_layout(at::IntArrayRef sizes, at::IntArrayRef strides, std::int64_t offset) {
  sizes_and_strides_.set_sizes(sizes);
  sizes_and_strides_.set_strides(strides);
  storage_offset_ = offset;
  refresh_numel();
  refresh_contiguous();
}

auto lazy_tensor::make(std::shared_ptr<lazy_source> source, int value, at::IntArrayRef sizes, at::ScalarType type,
                       at::Device device, int batch_dim) -> at::Tensor {
  const c10::DispatchKeySet keys =
      intercepted_keys(c10::DispatchKeySet(c10::computeDispatchKey(type, std::nullopt, device)));
  auto impl = c10::make_intrusive<lazy_tensor>(keys, c10::scalarTypeToTypeMeta(type), device);
  c10::SmallVector<std::int64_t, 8> strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<std::int64_t>(sizes[i], 1);
  impl->take_layout(sizes, strides, 0);
  impl->batch_dim_ = batch_dim;
  impl->value_ = value;
  impl->is_lazy_ = true;
  impl->source_ = std::move(source);
  lazy_tensor& self = *impl;
  at::Tensor t(std::move(impl));
  self.source_->add_tensor(value, t);
  return t;
}

auto lazy_tensor::over(std::shared_ptr<lazy_source> source, const at::Tensor& t, int batch_dim) -> at::Tensor {
  c10::TensorImpl& its = *t.unsafeGetTensorImpl();
  auto impl = c10::make_intrusive<lazy_tensor>(its.storage(), its.key_set().add(intercept_key), t.dtype());
  impl->take_layout(t.sizes(), t.strides(), t.storage_offset());
  impl->batch_dim_ = batch_dim;
  impl->source_ = std::move(source);
  if (!its.is_inference() && !impl->is_inference()) impl->set_version_counter(its.version_counter());
  at::Tensor out(std::move(impl));
  if (t.requires_grad()) torch::autograd::impl::set_gradient_edge(out, torch::autograd::impl::gradient_edge(t));
  return out;
}

void lazy_tensor::stand_for(std::shared_ptr<lazy_source> source, int value, int batch_dim) {
  source_ = std::move(source);
  value_ = value;
  batch_dim_ = batch_dim;
  is_lazy_ = true;
  source_->add_tensor(value, at::Tensor(c10::intrusive_ptr<c10::TensorImpl>::reclaim_copy(this)));
}

void lazy_tensor::become(const at::Tensor& t) {
  storage_ = t.unsafeGetTensorImpl()->unsafe_storage();
  take_layout(t.sizes(), t.strides(), t.storage_offset());
  if (t.dim() == 0) key_set_ = key_set_.remove(intercept_key);
  is_lazy_ = false;
}

void lazy_tensor::require_value() const {
  if (!is_lazy_) return;
  const std::shared_ptr<lazy_source> source = source_;
  source->compute(value_);
}

auto lazy_tensor::has_storage() const -> bool {
  require_value();
  return TensorImpl::has_storage();
}
auto lazy_tensor::storage() const -> const c10::Storage& {
  require_value();
  return TensorImpl::storage();
}

template <class Version>
auto lazy_tensor::copy(Version&& version, bool may_change_metadata) const -> c10::intrusive_ptr<c10::TensorImpl> {
  auto impl = is_lazy() ? c10::make_intrusive<lazy_tensor>(key_set_, dtype(), device())
                        : c10::make_intrusive<lazy_tensor>(storage_, key_set_, dtype());
  impl->take_layout(sizes_and_strides_.sizes_arrayref(), sizes_and_strides_.strides_arrayref(), storage_offset_);
  impl->batch_dim_ = batch_dim_;
  if (!impl->is_inference()) impl->set_version_counter(std::forward<Version>(version));
  impl->set_allow_tensor_metadata_change(may_change_metadata);
  impl->source_ = source_;
  if (is_lazy()) impl->stand_for(source_, value_, batch_dim_);
  return impl;
}
auto lazy_tensor::shallow_copy_and_detach(const c10::VariableVersion& version, bool may_change_metadata) const
    -> c10::intrusive_ptr<c10::TensorImpl> {
  return copy(version, may_change_metadata);
}
auto lazy_tensor::shallow_copy_and_detach(c10::VariableVersion&& version, bool may_change_metadata) const
    -> c10::intrusive_ptr<c10::TensorImpl> {
  return copy(std::move(version), may_change_metadata);
}
void lazy_tensor::shallow_copy_from(const c10::intrusive_ptr<c10::TensorImpl>& impl) {
  is_lazy_ = false;
  source_.reset();
  TensorImpl::shallow_copy_from(impl);
}
void lazy_tensor::release_resources() {
  is_lazy_ = false;
  TensorImpl::release_resources();
  source_.reset();
}

auto as_lazy_tensor(const at::Tensor& t) -> lazy_tensor* {
  return is_intercepted(t) ? dynamic_cast<lazy_tensor*>(t.unsafeGetTensorImpl()) : nullptr;
}

void set_intercepted(const at::Tensor& t, bool intercepted) {
  struct keys : c10::TensorImpl {  // gives access to the protected member
    static auto member() -> c10::DispatchKeySet c10::TensorImpl::* { return &keys::key_set_; }
  };
  c10::DispatchKeySet& all = t.unsafeGetTensorImpl()->*keys::member();
  all = intercepted ? all.add(intercept_key) : all.remove(intercept_key);
}

auto ordinary_alias(const at::Tensor& t) -> at::Tensor {
  c10::TensorImpl& its = *t.unsafeGetTensorImpl();
  auto impl = c10::make_intrusive<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(its.storage()),
                                                   its.key_set().remove(intercept_key), t.dtype());
  impl->set_sizes_and_strides(t.sizes(), t.strides(), t.storage_offset());
  if (!its.is_inference() && !impl->is_inference()) impl->set_version_counter(its.version_counter());
  return at::Tensor(std::move(impl));
}

auto ordinary_alias_with_history(const at::Tensor& t) -> at::Tensor {
  at::Tensor out = ordinary_alias(t);
  if (t.requires_grad()) torch::autograd::impl::set_gradient_edge(out, torch::autograd::impl::gradient_edge(t));
  return out;
}

}  // namespace koila::inline v0::detail
