#pragma once
// What must be true of tensors before kernels see them: they have the dims and the dtype of what
// they stand for, and lie within its memory. An op whose rule does not say what its kernel or its
// view makes would else read other memory, or take it for another dtype.
#include <koila/ops/family/definitions.hpp>
#include <koila/run/tensor.hpp>

#include <sstream>
#include <stdexcept>

namespace koila::detail {

[[noreturn]] KOILA_COLD inline void disagree(std::string_view op, const std::string& how) {
  throw std::logic_error("koila: " + std::string(op) + ": " + how);
}

/// Throws std::logic_error where a tensor has other dims or another dtype than the op's rule says.
inline void require_dims(std::string_view op, const at::Tensor& t, const dims& d) {
  bool same = t.defined() && t.dim() == d.rank && t.scalar_type() == scalar_type(d.type);
  for (int i = 0; same && i < d.rank; ++i) same = t.size(i) == d.e[i].n;
  if (same) return;
  std::ostringstream made;
  if (t.defined()) made << c10::toString(t.scalar_type()) << t.sizes();
  else made << "nothing";
  writer says;
  says.put(spell(d.type)), says.put(" "), says.put(d.with(dtype::float32));
  disagree(op, "its rule says " + std::string(says.view()) + ", and there is " + made.str());
}

/// Bytes of a storage from a tensor's first element to behind its last; none where it has none.
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

/// Throws std::logic_error where what an op makes of a tensor is no view of it, or of other dims or
/// another dtype than its rule says.
inline void require_view(std::string_view op, const at::Tensor& y, const at::Tensor& x, const dims& d) {
  require_dims(op, y, d);
  if (y.storage().unsafeGetStorageImpl() != x.storage().unsafeGetStorageImpl())
    disagree(op, "its view shows other memory than that of its operand");
  if (!byte_range(y).within(byte_range(x))) disagree(op, "its view shows more memory than its operand has");
}

}  // namespace koila::detail
