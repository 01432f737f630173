#pragma once
// The run-time face of an op struct: one table of plain functions per op and number of operands.
#include <koila/expr/op.hpp>
#include <koila/shape/cold.hpp>
#include <koila/shape/elements.hpp>
#include <koila/shape/flow.hpp>
#include <koila/shape/work.hpp>

namespace koila {

struct builder;

/// What graph, plan and run need of an op. Pointers are null where the op does not have that part.
struct op_info {
  std::string_view name;
  unsigned shape_only = 0;     ///< operands of which only the dims are read
  bool pushes_gather = false;  ///< a view through which gathering can be done first
  bool host_only = false;      ///< its kernel is for tensors of the host: LibTorch has no operator for it
  bool draws_anywhere = false;  ///< `draw` takes tensors of any device
  bool draws_elsewhere = false;  ///< `evaluate` may take random numbers from LibTorch's generator
  bool stops_gradient = false;  ///< no gradient flows through it, to whichever operand
  bool copies = false;  ///< the same value, laid out one element after another
  element_dtypes elements_in = element_dtypes::none;  ///< in which `elements` has functions
  bool owns = false;           ///< its attributes share ownership of something
  bool adds = false;           ///< it is the sum of its two operands
  bool takes_numbers = false;  ///< a C++ number may stay one; else it becomes a scalar of the result's dtype

  const double* neutral = nullptr;  ///< of an op on two operands: a number that leaves the other as it is

  auto (*rule)(const dims* in, const object* at) -> verdict = nullptr;
  auto (*flow)(const value* in, const dims& out, const object* at) -> relations = nullptr;
  auto (*cost)(const dims* in, const dims& out, const object* at) -> work = nullptr;
  auto (*same_attributes)(const object* a, const object* b) -> bool = nullptr;
  auto (*identity)(const dims* in, const object* at) -> bool = nullptr;
  auto (*fold)(const double* in, const object* at) -> double = nullptr;
  auto (*constant)(const dims* in, const object* at) -> double = nullptr;
  auto (*view_layout)(layout in, const dims& x, const object* at) -> layout = nullptr;
  auto (*takes)(int operand, const dims& d) -> layout = nullptr;  ///< the worst layout of an operand; null: any
  auto (*fan_in)(const dims* in) -> index_t = nullptr;
  auto (*sums)(const dims* in, const dims& out, const object* at)
      -> unsigned = nullptr;  ///< of a sum of its first operand: over which dims, as bits
  auto (*part)(const dims& x, const object* at) -> dim_part = nullptr;  ///< of a view of a stretch of one dim: which
  auto (*moved)(const object* at, dim_part to)
      -> handle<const object> = nullptr;  ///< the attributes of such a view of another stretch
  auto (*placed)(const dims* in, const object* at)
      -> dim_part = nullptr;  ///< of zeros in which the first operand stands: where; a length of -1: not in one stretch
  auto (*joined)(const dims& out, const object* at)
      -> int = nullptr;  ///< of an op whose operands lie one after another: along which dim
  void (*refuse)(why reason, const dims* in, const object* at) = nullptr;

  void (*evaluate)(at::Tensor& y, const at::Tensor* const* in, const object* at) = nullptr;
  void (*draw)(at::Tensor& y, const at::Tensor* const* in, const object* at, const portion& p) = nullptr;
  auto (*call)(const object* at) -> std::uint64_t = nullptr;  ///< of a random op: which call it is
  auto (*as_call)(const object* at, std::uint64_t call)
      -> handle<const object> = nullptr;  ///< its attributes as those of another call
  void (*accumulate)(at::Tensor& y, const at::Tensor* const* in, const object* at) = nullptr;
  const op_info* pull_back = nullptr;  ///< the op of dy and the operands, whose kernel makes this one's value besides
  void (*evaluate_both)(at::Tensor& y, at::Tensor& dx, const at::Tensor* const* in, const object* at) = nullptr;
  auto (*elements)() -> all_elements = nullptr;
  auto (*plain_attributes)(const object* at) -> const void* = nullptr;  ///< as `elements` takes them
  auto (*has_elements)(const object* at) -> bool = nullptr;  ///< null: whatever the attributes
  auto (*row)(const dims* in, const object* at)
      -> index_t = nullptr;  ///< of an op of rows: elements of one; 0: these have none that lie together
  void (*view)(at::Tensor& y, const at::Tensor& x, const dims& to, const object* at) = nullptr;
  auto (*expand)(builder& b, const int* in, const object* at) -> int = nullptr;
  void (*updates)(builder& b, const int* in, const object* at) = nullptr;  ///< of operands that are buffers
  void (*gradient)(builder& b, int y, int dy, const int* in, const object* at, unsigned wanted, int* out) = nullptr;
  auto (*when_differentiated)(const dims* in, const object* at)
      -> handle<const object> = nullptr;  ///< the attributes of a call whose result a gradient is asked through
};

/// A kernel of several ops on elements of float32 in one, which an expression's type shows
/// (graph/fused.hpp).
struct fused_elements {
  const op_info* const* tree;  ///< the ops, each before what it reads; null: an operand
  elements_function avx2, avx512;  ///< `attributes`: a `const void* const*` to those of each op that has any, in order
};

/// An op's attributes as an object of the graph.
template <class A>
struct boxed : object {
  A value;
  constexpr explicit boxed(const A& a) : value(a) {}
  constexpr ~boxed() override {}
};

}  // namespace koila
