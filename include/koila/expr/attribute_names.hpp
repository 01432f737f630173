// SPDX-License-Identifier: MIT
#pragma once
// The names of attributes, spelled as in LibTorch: one line for each name. An op accepts a name if
// its struct `attributes` has a member of this name.
#include <koila/expr/attribute.hpp>

// Defines the name of an attribute. A macro is necessary because no template can have the name of a
// member as an argument.
#define KOILA_ATTRIBUTE(NAME)                                                      \
  inline constexpr struct NAME : detail::attribute_name<NAME> {                    \
    using attribute_name::operator=;                                               \
    static constexpr auto member(auto& a) -> decltype((a.NAME)) { return a.NAME; } \
  } NAME

namespace koila::inline v0 {

// Attributes of many groups of ops.

/// The dim along which an op works. A negative number counts from the end.
KOILA_ATTRIBUTE(dim);
/// Whether reduced dims stay, with extent 1.
KOILA_ATTRIBUTE(keepdim);
/// The two dims that transpose swaps.
KOILA_ATTRIBUTE(dim0);
KOILA_ATTRIBUTE(dim1);
/// The first and the last dim that flatten merges.
KOILA_ATTRIBUTE(start_dim);
KOILA_ATTRIBUTE(end_dim);
/// The class index that cross_entropy ignores.
KOILA_ATTRIBUTE(ignore_index);
/// The extent of a pooling window or of a patch.
KOILA_ATTRIBUTE(kernel_size);
/// The distance between neighbouring windows.
KOILA_ATTRIBUTE(stride);
/// The padding on both sides of a dim.
KOILA_ATTRIBUTE(padding);
/// The distance between neighbouring elements of a window.
KOILA_ATTRIBUTE(dilation);
/// A small number that keeps a denominator from being 0.
KOILA_ATTRIBUTE(eps);
/// The weight of a new value in a running mean.
KOILA_ATTRIBUTE(momentum);
/// Whether an op runs in training mode: dropout drops elements, and batch_norm uses the statistics
/// of the batch.
KOILA_ATTRIBUTE(training);
/// How a loss reduces its per-element values: kMean, kSum or kNone.
KOILA_ATTRIBUTE(reduction);
/// How interpolate computes values between samples: kNearest, kBilinear, ... Ops such as pad have
/// different modes.
KOILA_ATTRIBUTE(mode);
/// A factor, for example of the product in addmm, or of the negative part of an activation.
KOILA_ATTRIBUTE(alpha);
/// A factor, for example of the value to which addmm adds a product, or of softplus's operand.
KOILA_ATTRIBUTE(beta);

/// The number of groups into which channels are split. A call of `groups` makes the groups of
/// parameters that a step trains: `groups(group(body, {.lr = 1e-4}), group(head))`.
inline constexpr struct groups : detail::attribute_name<groups> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.groups)) { return a.groups; }
  template <class First, class... Rest>
  auto operator()(const First& first, const Rest&... rest) const -> decltype(First::joined_groups(first, rest...)) {
    return First::joined_groups(first, rest...);
  }
} groups;

// Attention.

/// The probability that an attention weight is dropped.
KOILA_ATTRIBUTE(dropout_p);
/// If true, each query attends only to the keys at the query's position and before this position.
KOILA_ATTRIBUTE(is_causal);
/// The factor of the attention scores. The default is 1 / sqrt(e), where e is the last extent of q.
KOILA_ATTRIBUTE(scale);

// Convolution and pooling.

/// The number of elements that are added at the end of each dim of the result of a transposed
/// convolution.
KOILA_ATTRIBUTE(output_padding);
/// The spatial extents of the result.
KOILA_ATTRIBUTE(output_size);
/// If true, the last window may reach over the edge of the input.
KOILA_ATTRIBUTE(ceil_mode);
/// If true, a mean counts the elements of the padding, which are 0.
KOILA_ATTRIBUTE(count_include_pad);
/// The number by which the sum of a window is divided. The default is the number of elements of
/// the window.
KOILA_ATTRIBUTE(divisor_override);
/// The power of a power-average pooling: 1 for sums, 2 for Euclidean norms.
KOILA_ATTRIBUTE(norm_type);

// Custom.

/// An attribute of `custom`. If true, row i of the result depends only on row i of each per-sample
/// operand and on the operands that are not per sample.
KOILA_ATTRIBUTE(per_sample);
/// An attribute of `custom`: the largest number of bytes that the callable allocates besides its
/// result.
KOILA_ATTRIBUTE(workspace);
/// An attribute of `custom`: the largest number of bytes that the callable and autograd allocate
/// besides the result and one gradient. Without this attribute, the call has no gradient.
KOILA_ATTRIBUTE(backward_workspace);

// Indexing.

/// The value of elements that are not copied from an operand, as in pad(x, list_of(1_c, 1_c),
/// fill_value = 0.5) or full_like(x, fill_value = 2).
KOILA_ATTRIBUTE(fill_value);
/// The number of positions by which roll shifts each dim.
KOILA_ATTRIBUTE(shifts);
/// The number of classes.
KOILA_ATTRIBUTE(num_classes);
/// The number of repetitions: of each dim in repeat, of each element in repeat_interleave.
KOILA_ATTRIBUTE(repeats);
/// The distance of a diagonal from the main diagonal. Positive numbers are above the main diagonal.
KOILA_ATTRIBUTE(offset);
/// The second of the two dims in which a diagonal lies. The first is `dim1`.
KOILA_ATTRIBUTE(dim2);

// Linear algebra.

/// The dims of the two operands of tensordot over which products are summed.
KOILA_ATTRIBUTE(dims_self);
KOILA_ATTRIBUTE(dims_other);

// Losses.

/// The share of each label that is spread evenly over all classes, in [0, 1].
KOILA_ATTRIBUTE(label_smoothing);
/// The index of the class that means "no label".
KOILA_ATTRIBUTE(blank);
/// If true, a sample whose target has no alignment has a loss of 0 and no gradient.
KOILA_ATTRIBUTE(zero_infinity);
/// The absolute difference at which a loss changes from quadratic to linear.
KOILA_ATTRIBUTE(delta);
/// The number that the logits are divided by.
KOILA_ATTRIBUTE(temperature);
/// If true, the target holds log-probabilities.
KOILA_ATTRIBUTE(log_target);
/// The margin of a loss, which is the least difference that two values should have.
KOILA_ATTRIBUTE(margin);
/// If true, x is the logarithm of the rate.
KOILA_ATTRIBUTE(log_input);
/// If true, the smaller of d(anchor, negative) and d(positive, negative) replaces d(anchor,
/// negative).
KOILA_ATTRIBUTE(swap);

// Normalization.

/// The number of groups into which group_norm splits the channels.
KOILA_ATTRIBUTE(num_groups);
/// If true, instance_norm uses the statistics of each sample instead of the running statistics.
KOILA_ATTRIBUTE(use_input_stats);
/// The extents of the last dims, which layer_norm and rms_norm normalise. If there is a weight,
/// the extents may be left out, because the extents equal the dims of the weight.
KOILA_ATTRIBUTE(normalized_shape);

// Pointwise.

/// How a quotient is rounded, which is kTrunc (towards 0) or kFloor (down). By default a quotient
/// is not rounded.
KOILA_ATTRIBUTE(rounding_mode);
/// The relative tolerance, which is multiplied by the second operand's absolute value.
KOILA_ATTRIBUTE(rtol);
/// The absolute tolerance, which is added to the relative tolerance.
KOILA_ATTRIBUTE(atol);
/// If true, NaN is close to NaN.
KOILA_ATTRIBUTE(equal_nan);
/// The numbers that replace infinity and minus infinity.
KOILA_ATTRIBUTE(posinf);
KOILA_ATTRIBUTE(neginf);

// Activations.

/// The approximation of gelu, which is kNone (the exact function) or kTanh.
KOILA_ATTRIBUTE(approximate);
/// The bounds of hardtanh.
KOILA_ATTRIBUTE(min_val);
KOILA_ATTRIBUTE(max_val);
/// The factor of values that are not positive.
KOILA_ATTRIBUTE(negative_slope);
/// The threshold of hardshrink and softshrink, which are 0 where |x| <= lambd.
KOILA_ATTRIBUTE(lambd);

// Recurrent.

/// If true, a sequence is read from the last step to the first, as in lstm(..., reverse = true).
KOILA_ATTRIBUTE(reverse);

// Reduction.

/// The number that is subtracted from the element count to get the divisor of a variance. A
/// correction of 1 gives the unbiased estimate.
KOILA_ATTRIBUTE(correction);
/// If true, the largest element comes first.
KOILA_ATTRIBUTE(descending);
/// If true, topk finds the k largest elements, otherwise the k smallest.
KOILA_ATTRIBUTE(largest);
/// If true, the k elements that topk finds are sorted.
KOILA_ATTRIBUTE(sorted);

// Sparse.

/// The index whose row has no gradient.
KOILA_ATTRIBUTE(padding_idx);

// Vision.

/// The values of positions outside of an image: kZeros; kBorder, the nearest pixel; or kReflection,
/// the pixel at the position that is reflected at the border.
KOILA_ATTRIBUTE(padding_mode);
/// The spatial extents of the result.
KOILA_ATTRIBUTE(size);
/// The ratio of the result's spatial extents to the spatial extents of the operand.
KOILA_ATTRIBUTE(scale_factor);
/// If true, the centres of the corner elements of the operand and of the result coincide.
KOILA_ATTRIBUTE(align_corners);

namespace ops {  // programs often have these names, too

/// The order of a norm, or a probability. In the dropouts, it is the probability of dropping an
/// element. In bernoulli_like, it is the probability of drawing a one.
KOILA_ATTRIBUTE(p);
/// The number of elements that linspace returns.
KOILA_ATTRIBUTE(steps);

}  // namespace ops

// Names of attributes that users do not set.
namespace internal {

/// The exponent of a power.
KOILA_ATTRIBUTE(exponent);

}  // namespace internal

namespace detail {  // the same

KOILA_ATTRIBUTE(callable);
KOILA_ATTRIBUTE(from_end);
/// The attribute of max_pool_at, avg_pool and their backward ops.
KOILA_ATTRIBUTE(pooling);
KOILA_ATTRIBUTE(kept);
KOILA_ATTRIBUTE(leading);
/// If true, the row padding_idx is read as zeros.
KOILA_ATTRIBUTE(zero_padding);
/// The attribute of upsample and upsample_backward.
KOILA_ATTRIBUTE(interpolation);

}  // namespace detail

}  // namespace koila::inline v0

#undef KOILA_ATTRIBUTE
