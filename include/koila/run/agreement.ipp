// SPDX-License-Identifier: MIT
#pragma once
// Checks of tensors before kernels use them. A tensor must have the dims and the dtype that its
// node declares, and a view must lie within its operand's memory. Without these checks, an op whose
// shape rule disagrees with its kernel or its view could access memory out of bounds, or with a
// wrong dtype.
#include <koila/ops/common/definitions.hpp>
#include <koila/run/tensor.hpp>
#include <koila/torch/storage.hpp>
#include <koila/torch/tensor.hpp>

#include <locale>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace koila::inline v0::detail {

[[noreturn]] inline void disagree(std::string_view op, const std::string& difference) {
  throw usage_error("koila: " + std::string(op) + ": " + difference);
}

/// Returns true if a tensor has this rank, this dtype and `extent(i)` elements along each dim i.
template <class F>
auto has_dims(const at::Tensor& t, int rank, dtype type, const F& extent) -> bool {
  if (!t.defined() || t.dim() != rank || t.scalar_type() != scalar_type(type)) return false;
  for (int i = 0; i < rank; ++i)
    if (t.size(i) != extent(i)) return false;
  return true;
}

[[noreturn]] inline void refuse_dims(std::string_view op, const at::Tensor& t, const dims& d) {
  std::ostringstream made;
  made.imbue(std::locale::classic());  // no separators between the digits of a size
  if (t.defined()) made << c10::toString(t.scalar_type()) << t.sizes();
  else made << "nothing";
  writer expected;
  expected.put(to_string(d.type)), expected.put(" "), expected.put(d.with(dtype::float32));
  disagree(op, "its rule says " + std::string(expected.view()) + ", and there is " + made.str());
}

/// Throws usage_error if a tensor's dims or dtype differ from those that the op's rule states.
inline void require_dims(std::string_view op, const at::Tensor& t, const dims& d) {
  if (!has_dims(t, d.rank, d.type, [&](int i) { return d.e[i].n; })) refuse_dims(op, t, d);
}

/// Detects a kernel that replaces its result tensor. The destructor sets `changed` if `y` is a
/// different tensor or has a different storage than at construction. Later steps of a program read
/// the original tensor, so a replaced result would be lost. If `closely` is true, the destructor
/// also sets `changed` if the sizes, strides or offset of `y` have changed.
class result_watch {
 public:
  result_watch(const at::Tensor& y, bool& changed, bool closely = false)
      : y_(y), impl_(impl_of(y)), storage_(storage_of(y)), changed_(changed) {
    if (closely) geometry_.emplace(geometry{extents(y.sizes()), extents(y.strides()), y.storage_offset()});
  }
  result_watch(const result_watch&) = delete;
  auto operator=(const result_watch&) -> result_watch& = delete;
  ~result_watch() {
    if (impl_of(y_) != impl_ || storage_of(y_) != storage_ || (geometry_ && !geometry_->is_of(y_))) changed_ = true;
  }

 private:
  using extents = small_vector<std::int64_t, 5>;
  struct geometry {
    extents sizes, strides;
    std::int64_t offset;
    auto is_of(const at::Tensor& t) const -> bool {
      return t.sizes() == at::IntArrayRef(sizes) && t.strides() == at::IntArrayRef(strides) &&
             t.storage_offset() == offset;
    }
  };
  const at::Tensor& y_;
  const tensor_impl* impl_;
  const void* storage_;
  std::optional<geometry> geometry_;
  bool& changed_;
};
[[noreturn]] inline void refuse_exchanged(std::string_view op) {
  disagree(op, "its kernel must write to the result that it is given, and it exchanged, resized or reshaped it");
}

/// The range of bytes that a tensor covers in its storage: from the start of its first element to
/// the end of its last element. The range is empty if the tensor has no elements.
struct byte_range {
  std::int64_t first = 0, last = 0;

  byte_range() = default;
  explicit byte_range(const at::Tensor& t) {
    if (t.numel() == 0) return;
    first = last = t.storage_offset();
    for (std::int64_t i = 0; i < t.dim(); ++i) {
      const std::int64_t way = (t.size(i) - 1) * t.stride(i);
      (way < 0 ? first : last) += way;
    }
    const auto size = static_cast<std::int64_t>(t.itemsize());
    first *= size, last = (last + 1) * size;
  }
  auto moved(std::int64_t bytes) const -> byte_range {
    byte_range s = *this;
    if (first != last) s.first += bytes, s.last += bytes;
    return s;
  }
  auto within(const byte_range& o) const -> bool { return first == last || (first >= o.first && last <= o.last); }
};

/// Throws usage_error if `y`, an op's view of `x`, covers memory outside `x`, or if the dims or
/// dtype of `y` differ from those that the op's rule states.
inline void require_view(std::string_view op, const at::Tensor& y, const at::Tensor& x, const dims& d) {
  require_dims(op, y, d);
  if (storage_of(y) != storage_of(x)) disagree(op, "its view shows other memory than that of its operand");
  if (!byte_range(y).within(byte_range(x))) disagree(op, "its view shows more memory than its operand has");
}

}  // namespace koila::inline v0::detail
