#pragma once
// What kernels share that go along the lines of a dim. All values are contiguous.
#include <koila/ops/family/indexing.ipp>

namespace koila::detail {

/// Calls f(first element, distance of neighbours) for every line of x along a dim, of whose elements there are x.size(dim).
template <class F>
void for_each_line(const at::Tensor& x, std::int64_t dim, F f) {
  if (x.dim() == 0) return f(std::int64_t{0}, std::int64_t{1});
  const auto d = static_cast<std::size_t>(dim < 0 ? dim + x.dim() : dim);
  const auto inner = c10::multiply_integers(x.sizes().slice(d + 1)), n = x.sizes()[d];
  const auto outer = c10::multiply_integers(x.sizes().slice(0, d));
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) f(o * n * inner + i, inner);
}
/// How many elements a line has.
inline auto line_length(const at::Tensor& x, std::int64_t dim) -> std::int64_t { return x.dim() == 0 ? 1 : x.size(dim); }

/// Calls f(zero of the floating-point dtype).
template <class F>
void for_floating(at::ScalarType type, F f) {
  switch (type) {
    case at::kHalf: return f(at::Half{});
    case at::kBFloat16: return f(at::BFloat16{});
    case at::kFloat: return f(float{});
    case at::kDouble: return f(double{});
    default: TORCH_CHECK_TYPE(false, "not a floating-point dtype");
  }
}

/// A number and its derivative in one direction.
struct dual {
  double v = 0, d = 0;
  friend auto operator*(const dual& a, const dual& b) -> dual { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
  friend auto operator+(const dual& a, const dual& b) -> dual { return {a.v + b.v, a.d + b.d}; }
};

/// Of a line x(0), x(1), ...: put(i, sum of dy(j) times the product of x(0) to x(j) without x(i), over j >= i). Without a division,
/// so zeros are as good as others. dy(j) = 0 but for the last: the products of all others.
template <class T, class X, class DY, class Get, class Put>
void pull_back_products(std::int64_t n, X x, DY dy, Get get, Put put) {
  T before{1};
  for (std::int64_t i = 0; i < n; ++i) {
    put(i, before);
    before = before * x(i);
  }
  T after{};
  for (std::int64_t i = n - 1; i >= 0; --i) {
    after = i == n - 1 ? dy(i) : dy(i) + x(i + 1) * after;
    put(i, get(i) * after);
  }
}

}  // namespace koila::detail
