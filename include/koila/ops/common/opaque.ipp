// SPDX-License-Identifier: MIT
#pragma once
// Calls of the callables that users pass to `custom`. Before a call, LibTorch's thread state is
// restored to that of an ordinary program, because koila disables some of LibTorch's dispatch keys.
#include <koila/ops/common/definitions.hpp>
#include <koila/torch/generator.hpp>
#include <koila/torch/leaf_recorder.hpp>
#include <koila/torch/storage.hpp>
#include <koila/torch/tensor.hpp>
#include <koila/torch/thread_state.hpp>

#include <ATen/ops/empty_ops.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace koila::inline v0 {

// Defined in run/.
auto scalar_type(dtype t) -> at::ScalarType;
auto shape_of(const at::Tensor& t) -> author::dims;

namespace detail {

/// The operands of a call. Autograd follows operand `wanted`, or no operand if `wanted` is -1.
struct opaque_operands {
  at::Tensor own[most_operands_of_opaque];
  const at::Tensor* tensors[most_operands_of_opaque] = {};
  opaque_operands(const opaque& f, const at::Tensor* const* from, int wanted) {
    for (int k = 0; k < f.operands; ++k) {
      own[k] = detached_alias(*from[k]);
      if (k == wanted) own[k].set_requires_grad(true);
      tensors[k] = &own[k];
    }
  }
};

/// Throws shape_error if a callable has written to its operands. The operands share storage with
/// other values, and autograd would differentiate at the changed values. The operands are new
/// tensors, so their version counter is 0 unless the callable has written to them.
inline void refuse_written(const at::Tensor* operands, int n) {
  for (int k = 0; k < n; ++k)
    if (operands[k].defined() && operands[k]._version() != 0)
      throw shape_error("custom: the callable writes to operand " + std::to_string(k) +
                        ": call what returns a new tensor, or clone() the operand first");
}

/// Throws shape_error if a callable has drawn random numbers. The second call, for the gradient,
/// would draw different numbers.
inline void refuse_drawn(const saved_generator& before) {
  if (libtorch_generator() == before) return;
  throw shape_error(
      "custom: the callable draws random numbers, and would draw others when it is called again for its gradient: give them as an "
      "operand (dropout(x, p), rand_like(x), randn_like(x)), or detach() the result");
}

/// Throws shape_error if the callable uses parameters of its own. The recorded autograd graph must
/// be freed before this function is called. Freeing the graph also frees the leaves that the
/// callable created itself, so a leaf that still exists is a parameter of the callable. `followed`
/// is the operand that autograd follows.
inline void refuse_own_parameters(const leaf_recorder& recorded, const at::Tensor& followed = {}) {
  const auto is_own = [&](const weak_leaf& l) {
    const auto leaf = l.lock();
    return leaf.defined() && leaf.get() != impl_of(followed);
  };
  if (std::none_of(recorded.leaves.begin(), recorded.leaves.end(), is_own) &&
      std::none_of(recorded.of_runs.begin(), recorded.of_runs.end(), is_own))
    return;
  throw shape_error(
      "custom: the callable uses parameters of its own that require a gradient, which would get none: give them as operands, or "
      "requires_grad_(false) them, or use them under at::NoGradGuard, or detach() the result");
}

/// Throws shape_error if the callable passed the operand that autograd follows to koila's `run`.
/// The result of `run` has no autograd history, so the gradient would lack the part through `run`.
inline void refuse_run_of_operand(const leaf_recorder& recorded, const at::Tensor& followed, int operand) {
  for (const weak_leaf& l : recorded.of_runs)
    if (l.lock().get() == impl_of(followed))
      throw shape_error("custom: the callable gives operand " + std::to_string(operand) +
                        " to koila's run, which passes no gradient to it: use LibTorch's functions, or run under "
                        "at::NoGradGuard, or detach() the operand first");
}

inline void require_dims(const at::Tensor& got, const dims& want) {
  if (!got.defined()) throw shape_error("custom: the callable returns no tensor");
  const dims d[] = {shape_of(got), want};
  bool like = d[0].type == want.type && d[0].rank == want.rank;
  for (int i = 0; like && i < want.rank; ++i) like = d[0].e[i].n == want.e[i].n;
  if (like) return;
  writer w;
  w.put("custom: the callable returns ");
  w.put(d[0]);
  w.put(", of which was known ");
  w.put(d[1]);
  throw shape_error(std::string(w.view()));
}
inline void require_like(const at::Tensor& got, const at::Tensor& want) { require_dims(got, shape_of(want)); }

// This function is called only in other translation units, namely in those that compile
// expressions. So `gnu::used` makes the compiler emit the function here.
[[gnu::used]] inline void call_opaque(const opaque_attributes& a, at::Tensor& y, const at::Tensor* const* inputs,
                                      int n) {
  const opaque& f = *a.callable.f;
  at::Tensor own[most_operands_of_opaque];
  const at::Tensor* operands[most_operands_of_opaque] = {};
  dims d[most_operands_of_opaque];
  for (int k = 0; k < n; ++k) {
    own[k] = inputs[k]->contiguous();
    operands[k] = &own[k];
    d[k] = shape_of(own[k]);
  }
  const verdict v = f.operands != n ? verdict(reason::no_rule_for_these_ranks)
                    : f.inferred()  ? verdict(dims())
                                    : f.stated(d);
  if (!v.accepted()) refuse("custom", v.reason, d, n);
  f.run(y, operands);
  require_dims(y, f.inferred() && y.defined() ? shape_of(y) : v.out);
  if (a.per_sample.value) (void)rules::opaque_rows(d, f.operands, shape_of(y));
}

inline void run_opaque(const opaque& f, at::Tensor& y, const at::Tensor* const* inputs, bool differentiated) {
  const bool asked = differentiated && records_gradients();
  // If this call is made inside another callable, the recorder of the outer callable must also
  // record the leaves that this callable reads.
  const bool nested = !asked && leaf_recorder::active();
  const auto call = [&] {
    at::Tensor got;
    {
      const restore_dispatch_state here(asked || nested);
      const opaque_operands x(f, inputs, -1);
      f.run(got, x.tensors);
      refuse_written(x.own, f.operands);
    }
    require_like(got, y);
    y.copy_(got);
    return got;
  };
  if (!asked) {
    const at::Tensor got = call();
    if (nested) leaf_recorder::record_read(got);
    return;
  }
  const saved_generator before = libtorch_generator();
  leaf_recorder recorder;
  recorder.add(call());
  refuse_own_parameters(recorder);
  refuse_drawn(before);
}

[[noreturn]] inline void no_gradient_of(int operand) {
  throw shape_error("custom: autograd has no gradient of the callable's result with respect to operand " +
                    std::to_string(operand));
}

inline void run_opaque_backward(const opaque& f, int wanted, at::Tensor& dx, const at::Tensor& dy,
                                const at::Tensor* const* inputs) {
  const bool asked = records_gradients();
  const restore_dispatch_state here(true);
  const opaque_operands x(f, inputs, wanted);
  leaf_recorder recorder;
  std::optional<saved_generator> before;
  if (asked) before = libtorch_generator();
  at::Tensor y;
  f.run(y, x.tensors);
  refuse_written(x.own, f.operands);
  refuse_run_of_operand(recorder, x.own[wanted], wanted);
  require_like(y, dy);
  if (!y.requires_grad()) no_gradient_of(wanted);
  if (asked) recorder.add(y), refuse_drawn(*before);
  bool written = false;
  // The hook makes autograd keep dx itself as the gradient. Without the hook, autograd would store
  // a copy as `grad` if the strides of the gradient were not those of x.
  x.own[wanted].register_hook([&](const at::Tensor& g) -> at::Tensor {
    if (!g.defined()) return g;
    const detail::below_autograd below;
    dx.copy_(g);
    written = true;
    return detached_alias(dx);
  });
  y.backward(detached_alias(dy), false, false, at::TensorList(&x.own[wanted], 1));
  y.reset();
  if (asked) refuse_own_parameters(recorder, x.own[wanted]);
  const detail::below_autograd below;
  if (!written) dx.zero_();  // y depends on tensors that the callable holds, not on this operand
}

}  // namespace detail

namespace rules {

inline void refuse_opaque(const dims* operands, int n, std::string_view reason) {
  detail::writer w;
  w.put("custom");
  for (int k = 0; k < n; ++k) w.put(k == 0 ? ": " : " x "), w.put(operands[k]);
  w.put(": ");
  throw shape_error(std::string(w.view()) + std::string(reason));
}

/// Calls the callable on meta tensors (tensors without data). The extent of each dim on the axis
/// `longer` is increased by 1. Autograd records operand `wanted` if `wanted` is not negative.
inline auto called_without_data(const koila::detail::opaque& f, const dims* inputs, int wanted, std::string_view longer)
    -> at::Tensor {
  at::Tensor x[detail::most_operands_of_opaque], y;
  const at::Tensor* p[detail::most_operands_of_opaque] = {};
  for (int k = 0; k < f.operands; ++k) {
    dims d = inputs[k];
    for (int i = 0; i < d.rank; ++i)
      if (!longer.empty() && d.e[i].axis == longer) ++d.e[i].n;
    x[k] = at::_ops::empty_memory_format::call(c10::fromIntArrayRefSlow(detail::sizes(d)), scalar_type(d.type),
                                               std::nullopt, at::kMeta, std::nullopt, std::nullopt);
    if (k == wanted) x[k].set_requires_grad(true);
    p[k] = &x[k];
  }
  f.run(y, p);
  detail::refuse_written(x, f.operands);
  return y;
}

inline void refuse_own_parameters(const dims* operands, const detail::opaque_attributes& a) {
  if (!a.callable.f->inferred() || !detail::records_gradients()) return;
  detail::leaf_recorder recorder;
  try {
    const detail::restore_dispatch_state here(true);
    recorder.add(called_without_data(*a.callable.f, operands, -1, {}));
  } catch (const std::bad_alloc&) { throw; } catch (const std::exception&) {
    // The callable does not support meta tensors, or supports them only without autograd.
  }
  detail::refuse_own_parameters(recorder);
}

inline auto opaque_now(const dims* inputs, const detail::opaque_attributes& a, int wanted) -> dims {
  const koila::detail::opaque& f = *a.callable.f;
  const auto refuse = [&](std::string_view reason) { refuse_opaque(inputs, f.operands, reason); };
  const detail::restore_dispatch_state here(wanted >= 0);
  const auto called = [&](std::string_view longer) -> dims {
    const at::Tensor y = called_without_data(f, inputs, wanted, longer);
    if (!y.defined()) refuse("the callable returns no tensor");
    if (wanted >= 0 && !y.requires_grad()) detail::no_gradient_of(wanted);
    return shape_of(y);
  };
  dims out;
  try {
    out = called({});
  } catch (const shape_error&) { throw; } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    const std::string_view all = e.what();
    refuse(
        "the dims of the result are not found by calling it on tensors without data; state them: rule = "
        "[](const author::dims& x) -> author::verdict { return ...; } (" +
        std::string(all.substr(0, all.find('\n'))) + ")");
  }
  // If a dim of the result grows by 1 when an axis grows by 1, the dim gets the name of this
  // axis.
  std::string_view seen[detail::most_operands_of_opaque * dims::capacity];
  int n = 0;
  for (int k = 0; k < f.operands; ++k)
    for (int i = 0; i < inputs[k].rank; ++i) {
      const std::string_view axis = inputs[k].e[i].axis;
      if (axis.empty() || std::find(seen, seen + n, axis) != seen + n) continue;
      seen[n++] = axis;
      try {
        const dims longer = called(axis);
        for (int j = 0; j < out.rank && longer.rank == out.rank; ++j)
          if (longer.e[j].n == out.e[j].n + 1) out.e[j] = {out.e[j].n, axis, inputs[k].e[i].open};
      } catch (const std::bad_alloc&) { throw; } catch (const std::exception&) {
        // The callable accepts only this extent of the axis, so no dim of the result gets the
        // name of the axis.
      }
    }
  return out;
}

}  // namespace rules

}  // namespace koila::inline v0
