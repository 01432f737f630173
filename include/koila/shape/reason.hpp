// SPDX-License-Identifier: MIT
#pragma once
// All reasons for which koila refuses a call. Compilers print the enumerator. Error messages
// contain the text that to_string returns.
#include <koila/shape/author.hpp>

#include <string_view>

namespace koila::inline v0 {

namespace author {

/// The reason for which a call is refused.
enum class reason : signed char {
  accepted,
  no_rule_for_these_ranks,
  wrong_number_of_operands,
  one_value_per_channel,
  inner_dimensions_differ,
  not_broadcastable,
  declared_shape_differs,
  dimension_out_of_range,
  in_features_differ,
  bias_is_not_out_features,
  labels_are_not_one_per_sample,
  labels_are_not_integers,
  element_counts_differ,
  one_size_at_most_may_be_inferred,
  shapes_differ,
  dtypes_differ,
  declared_dtype_differs,
  not_a_floating_type,
  not_a_scalar,
  batch_dimensions_differ,
  too_many_dimensions,
  axis_bound_twice,
  no_such_attribute,
  not_bound,
  no_rule_for_booleans,
  no_dim_given,
  no_number_given,
  no_padding_given,
  workspace_is_negative,
  kernel_larger_than_input,
  channels_differ,
  channels_are_not_divisible_by_groups,
  not_integers,
  not_booleans,
  index_is_not_integers,
  not_divisible,
  size_out_of_range,
  dim_given_twice,
  dims_are_not_all_given,
  weight_is_not_per_channel,
  normalized_shape_differs,
  probability_out_of_range,
  not_an_expected_choice,
  hidden_sizes_differ,
  no_gradient_of_integers,
  mask_is_not_boolean,
  not_square,
  embedding_dimensions_differ,
  heads_do_not_divide,
  number_is_too_large,
  no_rule_for_these_dtypes,
  nothing_to_reduce,
  not_an_equation,
  mask_is_an_expression,
  no_expression,
  not_an_argument,
  operand_after_attribute,
  parts_are_not_constant,
  no_equation_first,
  list_in_braces,
  operands_in_braces,
  not_with_respect_to_a_leaf,
  already_a_value,
  not_an_optimiser,
  not_an_input_with_its_tensor,
  not_a_tensor,
  weight_is_a_number,
  workspace_is_not_stated,
  not_in_the_expression,
  nothing_to_save,
  number_out_of_range,
  result_is_not_known,
};

/// Returns the text of a reason in error messages, for example "inner dimensions differ".
constexpr auto to_string(reason r) -> std::string_view {
  switch (r) {
    case reason::no_rule_for_these_ranks: return "no rule for these ranks";
    case reason::one_value_per_channel: return "training needs more than one value per channel";
    case reason::wrong_number_of_operands: return "the op takes another number of operands";
    case reason::inner_dimensions_differ: return "inner dimensions differ";
    case reason::not_broadcastable: return "not broadcastable";
    case reason::declared_shape_differs: return "the shape is not the declared one";
    case reason::dimension_out_of_range: return "dimension out of range";
    case reason::in_features_differ: return "in_features differ";
    case reason::bias_is_not_out_features: return "the bias is not (out_features)";
    case reason::labels_are_not_one_per_sample: return "the labels are not one per sample";
    case reason::labels_are_not_integers: return "the labels are not int64";
    case reason::element_counts_differ: return "the numbers of elements differ";
    case reason::one_size_at_most_may_be_inferred: return "one size at most may be -1";
    case reason::shapes_differ: return "shapes differ";
    case reason::dtypes_differ: return "dtypes differ";
    case reason::declared_dtype_differs: return "the dtype is not the declared one";
    case reason::not_a_floating_type: return "not a floating-point dtype";
    case reason::not_a_scalar: return "not a scalar";
    case reason::batch_dimensions_differ: return "batch dimensions differ";
    case reason::too_many_dimensions: return "more than 8 dimensions";
    case reason::axis_bound_twice: return "one axis has two extents";
    case reason::no_such_attribute: return "the op has no such attribute";
    case reason::not_bound: return "not bound to a tensor";
    case reason::no_rule_for_booleans: return "no rule for booleans";
    case reason::no_dim_given: return "no dim is given";
    case reason::no_number_given: return "no number is given";
    case reason::no_padding_given: return "no padding is given";
    case reason::workspace_is_negative: return "the workspace is a negative number of bytes";
    case reason::kernel_larger_than_input: return "the kernel is larger than the input";
    case reason::channels_differ: return "the channels differ";
    case reason::channels_are_not_divisible_by_groups: return "the channels are not divisible by the groups";
    case reason::not_integers: return "not of integers";
    case reason::not_booleans: return "not of booleans";
    case reason::index_is_not_integers: return "the index is not int64";
    case reason::not_divisible: return "the dim is not divisible by it";
    case reason::size_out_of_range: return "a size is out of range";
    case reason::dim_given_twice: return "a dim is given twice";
    case reason::dims_are_not_all_given: return "not each dim is given once";
    case reason::weight_is_not_per_channel: return "the weight is not one number per channel";
    case reason::normalized_shape_differs: return "the last dims are not those of the weight";
    case reason::probability_out_of_range: return "the probability is not in [0, 1]";
    case reason::not_an_expected_choice: return "the choice is none of the op's";
    case reason::hidden_sizes_differ: return "the hidden sizes differ";
    case reason::no_gradient_of_integers: return "integers have no gradient";
    case reason::mask_is_not_boolean: return "the mask is not of booleans";
    case reason::not_square: return "not a square matrix";
    case reason::embedding_dimensions_differ: return "embedding dimensions differ";
    case reason::heads_do_not_divide: return "the embedding is not divisible by the heads";
    case reason::number_is_too_large: return "the number is larger than the dim";
    case reason::no_rule_for_these_dtypes: return "no rule for these dtypes";
    case reason::nothing_to_reduce: return "a dim without elements has no such value";
    case reason::not_an_equation: return "not an equation of subscripts";
    case reason::mask_is_an_expression:
      return "a mask of an index is a tensor, not an expression; or use where or masked_fill";
    case reason::no_expression: return "no operand is an expression or a tensor";
    case reason::not_an_argument: return "an argument is neither an operand nor an attribute";
    case reason::operand_after_attribute: return "an operand stands after an attribute";
    case reason::parts_are_not_constant: return "the parts are not given as 2_c or list_of(2_c, 3_c)";
    case reason::no_equation_first: return "the first argument is not an equation";
    case reason::list_in_braces: return "a list is not in braces but list_of(0_c, 1_c)";
    case reason::operands_in_braces: return "operands are not in braces but one after another, or in a std::tuple";
    case reason::not_with_respect_to_a_leaf: return "not of an expression with respect to a leaf";
    case reason::already_a_value: return "a value already, not an expression";
    case reason::not_an_optimiser: return "the second argument is not an optimiser, such as sgd{.lr = 0.1}";
    case reason::not_an_input_with_its_tensor: return "an argument is not an input with its tensor, as x = images";
    case reason::not_a_tensor: return "not a tensor";
    case reason::weight_is_a_number: return "the weight is a number, which leaky_relu takes";
    case reason::workspace_is_not_stated:
      return "its workspace is not stated, as workspace = bytes; of one kernel it is 0";
    case reason::not_in_the_expression: return "bound, and not in the expression";
    case reason::nothing_to_save: return "no model with parameters, no optimiser or step whose state lists its parts";
    case reason::number_out_of_range: return "the dtype does not hold the number";
    case reason::result_is_not_known: return "the rule does not say what comes out";
    case reason::accepted: break;
  }
  return "";
}

}  // namespace author

}  // namespace koila::inline v0
