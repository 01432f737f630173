// SPDX-License-Identifier: MIT
#pragma once
// Intercepted tensors. They carry a dispatch key of their own, so that each operator on them goes
// to koila's recorder first (torch/recorder.hpp). An intercepted tensor either has memory, or is
// lazy: its value is computed when its memory is read.
#include <ATen/core/Tensor.h>

#include <memory>

namespace koila::inline v0::detail {

/// The dispatch key of intercepted tensors. LibTorch has no kernels for this key. The key must come
/// before those of autograd and autocast, see `require_recorder`.
inline constexpr auto intercept_key = c10::DispatchKey::DeferredInit;

/// Computes lazy tensors.
struct lazy_source {
  lazy_source() = default;
  lazy_source(const lazy_source&) = delete;
  auto operator=(const lazy_source&) -> lazy_source& = delete;
  virtual ~lazy_source() = default;
  /// Computes a value, and gives all lazy tensors of this value their memory (lazy_tensor::become).
  virtual void compute(int value) = 0;
  /// Called for each lazy tensor of a value after it was made, and again if it becomes the tensor
  /// of another value.
  virtual void add_tensor(int value, const at::Tensor& t) = 0;
};

/// The object behind an intercepted tensor. Sizes, dtype and device of a lazy tensor are those that
/// its value will have. The tensor keeps a reference to its source after its value was computed.
class lazy_tensor final : public c10::TensorImpl {
 public:
  /// Makes a lazy tensor, which is contiguous. `batch_dim` is the dim with the samples, or -1.
  static auto make(std::shared_ptr<lazy_source> source, int value, at::IntArrayRef sizes, at::ScalarType type,
                   at::Device device, int batch_dim) -> at::Tensor;
  /// Makes an intercepted tensor that shares the memory, the version and the autograd history of
  /// `t`.
  static auto over(std::shared_ptr<lazy_source> source, const at::Tensor& t, int batch_dim) -> at::Tensor;

  auto is_lazy() const -> bool { return is_lazy_; }
  auto source() const -> const std::shared_ptr<lazy_source>& { return source_; }
  /// The number of the value in its source; -1 if the tensor was made by `over`.
  auto value() const -> int { return value_; }
  auto batch_dim() const -> int { return batch_dim_; }
  /// Lets this tensor stand for another value, as an operator in place does.
  void stand_for(std::shared_ptr<lazy_source> source, int value, int batch_dim);
  /// Gives a lazy tensor the memory of its value. The tensor stays intercepted if it has dims.
  void become(const at::Tensor& t);
  /// Computes the value if the tensor is lazy.
  void require_value() const;

  // LibTorch calls these two functions before each access to a tensor's memory.
  auto has_storage() const -> bool override;
  auto storage() const -> const c10::Storage& override;
  auto shallow_copy_and_detach(const c10::VariableVersion& version, bool may_change_metadata) const
      -> c10::intrusive_ptr<c10::TensorImpl> override;
  auto shallow_copy_and_detach(c10::VariableVersion&& version, bool may_change_metadata) const
      -> c10::intrusive_ptr<c10::TensorImpl> override;
  void shallow_copy_from(const c10::intrusive_ptr<c10::TensorImpl>& impl) override;
  /// A weak reference delays the destructor, so that the tensor and its source would keep each
  /// other alive.
  void release_resources() override;
  auto tensorimpl_type_name() const -> const char* override { return "koila::lazy_tensor"; }

  // Used by c10::make_intrusive.
  lazy_tensor(c10::DispatchKeySet keys, caffe2::TypeMeta type, at::Device device);
  lazy_tensor(c10::Storage storage, c10::DispatchKeySet keys, caffe2::TypeMeta type);

 private:
  std::shared_ptr<lazy_source> source_;
  int value_ = -1, batch_dim_ = -1;
  bool is_lazy_ = false;

  template <class Version>
  auto copy(Version&& version, bool may_change_metadata) const -> c10::intrusive_ptr<c10::TensorImpl>;
  void take_layout(at::IntArrayRef sizes, at::IntArrayRef strides, std::int64_t offset);
};

/// Returns true if operators on the tensor go to the recorder.
inline auto is_intercepted(const at::Tensor& t) -> bool { return t.defined() && t.key_set().has(intercept_key); }
/// Returns the object behind an intercepted tensor, or null.
auto as_lazy_tensor(const at::Tensor& t) -> lazy_tensor*;
/// Sends operators on an ordinary tensor to the recorder, or stops that.
void set_intercepted(const at::Tensor& t, bool intercepted);
/// Returns a tensor with the same memory and the same version counter, which is not intercepted and
/// has no autograd history.
auto ordinary_alias(const at::Tensor& t) -> at::Tensor;
/// The same with the autograd history of `t`.
auto ordinary_alias_with_history(const at::Tensor& t) -> at::Tensor;

}  // namespace koila::inline v0::detail
