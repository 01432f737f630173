// SPDX-License-Identifier: MIT
#pragma once
// The run-time interface of an op: a table of plain functions for each number of operands.
#include <koila/expr/op.hpp>
#include <koila/shape/elements.hpp>
#include <koila/shape/flow.hpp>
#include <koila/shape/op_cost.hpp>

#include <atomic>

namespace koila::inline v0::detail {

struct builder;

/// The functions that compute an op. A pointer is null if there is no such function.
struct kernel_functions {
  void (*evaluate)(at::Tensor& y, const at::Tensor* const* operands, const object* attributes) = nullptr;
  /// Adds the value to y.
  void (*accumulate)(at::Tensor& y, const at::Tensor* const* operands, const object* attributes) = nullptr;
  /// Computes the value and its gradient in one pass, see op_info::pull_back.
  void (*evaluate_both)(at::Tensor& y, at::Tensor& dx, const at::Tensor* const* operands,
                        const object* attributes) = nullptr;
  /// Draws random numbers. Random ops have this function instead of `evaluate`.
  void (*draw)(at::Tensor& y, const at::Tensor* const* operands, const object* attributes, const portion& p) = nullptr;
  bool draws_on_host = false;  ///< `draw` takes tensors of the host: its result is copied to the device
};

/// The kernel of an op for one type of device.
struct registered_kernel {
  int device_type = 0;  ///< a c10::DeviceType as a number
  kernel_functions functions;
  const registered_kernel* next = nullptr;  ///< the kernel that was registered before this one
};

/// The properties and functions of an op that graph, plan and run use. A pointer is null if the op
/// does not have that function.
struct op_info {
  std::string_view name;
  unsigned shape_only = 0;     ///< operands of which only the dims are read (bit k: operand k)
  bool pushes_gather = false;  ///< a view whose operand may be gathered instead of its result
  bool draws_anywhere = false;  ///< `draw` takes tensors on any device
  bool draws_elsewhere = false;  ///< `evaluate` may draw from LibTorch's generator
  bool stops_gradient = false;  ///< no gradient flows to any operand
  bool copies = false;  ///< the op makes a contiguous copy
  element_dtypes elements_in = element_dtypes::none;  ///< dtypes for which `elements` has functions
  bool keeps_dtypes = false;  ///< a user's callable computes the op, in the dtypes of the operands
  bool owns = false;           ///< the op's attributes own other objects
  bool is_sum = false;           ///< the op is the sum of its two operands
  bool takes_numbers = false;  ///< an operand may stay a C++ number; otherwise it becomes a scalar tensor

  const double* identity_element = nullptr;  ///< if an operand is this number, the result is the other operand

  auto (*rule)(const dims* operands, const object* attributes) -> verdict = nullptr;
  auto (*flow)(const value* operands, const dims& out, const object* attributes) -> relations = nullptr;
  auto (*cost)(const dims* operands, const dims& out, const object* attributes) -> op_cost = nullptr;
  auto (*same_attributes)(const object* a, const object* b) -> bool = nullptr;
  auto (*is_noop)(const dims* operands, const object* attributes) -> bool = nullptr;
  auto (*fold)(const double* operands, const object* attributes) -> double = nullptr;
  auto (*constant)(const dims* operands, const object* attributes) -> double = nullptr;
  auto (*view_layout)(layout operands, const dims& x, const object* attributes) -> layout = nullptr;
  auto (*required_layout)(int operand, const dims& d) -> layout = nullptr;  ///< most general layout; null: any layout
  auto (*fan_in)(const dims* operands) -> index_t = nullptr;
  /// Dims over which the op sums its first operand (bit d: dim d).
  auto (*sums)(const dims* operands, const dims& out, const object* attributes) -> unsigned = nullptr;
  auto (*slice_of)(const dims& x, const object* attributes)
      -> dim_part = nullptr;  ///< the range of one dim that a view selects
  /// Returns the attributes of the same view with the range `to`.
  auto (*with_slice)(const object* attributes, dim_part to) -> handle<const object> = nullptr;
  /// Range of the result that holds the first operand. The rest of the result is zero. The length
  /// is -1 if the range's elements are not consecutive.
  auto (*placed)(const dims* operands, const object* attributes) -> dim_part = nullptr;
  /// Dim along which the op concatenates its operands.
  auto (*concat_dim)(const dims& out, const object* attributes) -> int = nullptr;
  void (*refuse)(reason, const dims* operands, const object* attributes) = nullptr;

  kernel_functions operators;  ///< for any device: LibTorch's operators, or the functions of a user's op
  /// The registered kernels, see kernels/table.hpp. They take precedence over `operators`.
  std::atomic<const registered_kernel*>* kernels = nullptr;
  auto (*call)(const object* attributes) -> std::uint64_t = nullptr;  ///< number of a random op's call
  /// Returns the same attributes with the number of another call.
  auto (*as_call)(const object* attributes, std::uint64_t call) -> handle<const object> = nullptr;
  const op_info* pull_back = nullptr;  ///< backward op, takes dy and the operands; evaluate_both computes both ops
  auto (*elements)() -> all_elements = nullptr;
  auto (*plain_attributes)(const object* attributes) -> const
      void* = nullptr;  ///< the attributes as `elements` takes them
  auto (*has_elements)(const object* attributes) -> bool = nullptr;  ///< whether `elements` applies; null: always
  /// Number of elements in a row, for a row-wise op; 0 if a row is not contiguous.
  auto (*row_length)(const dims* operands, const object* attributes) -> index_t = nullptr;
  void (*view)(at::Tensor& y, const at::Tensor& x, const dims& to, const object* attributes) = nullptr;
  auto (*expand)(builder& b, const int* operands, const object* attributes) -> int = nullptr;
  void (*updates)(builder& b, const int* operands,
                  const object* attributes) = nullptr;  ///< new values of operands that are buffers
  void (*gradient)(builder& b, int y, int dy, const int* operands, const object* attributes, unsigned wanted,
                   int* out) = nullptr;
  /// Returns the attributes for an op that is differentiated.
  auto (*when_differentiated)(const dims* operands, const object* attributes) -> handle<const object> = nullptr;

  /// Returns true if a kernel computes the op. Returns false if the op expands to other ops, or is
  /// a copy or a constant.
  constexpr auto is_computed() const -> bool {
    return operators.evaluate != nullptr || operators.draw != nullptr || view != nullptr ||
           (expand == nullptr && constant == nullptr && !copies);
  }
};

/// A fused kernel of several element-wise ops in float32, made from an expression's type
/// (graph/fused.hpp).
struct fused_elements {
  const op_info* const* tree;  ///< the ops in prefix order, each before its operands; null for an operand
  elements_function avx2, avx512;  ///< `attributes` is an array of pointers to the ops' attributes in prefix order
};

/// The attributes of an op as an object that handles share.
template <class A>
struct boxed : object {
  A value;
  constexpr explicit boxed(const A& a) : value(a) {}
  constexpr ~boxed() override {}
};

}  // namespace koila::inline v0::detail
