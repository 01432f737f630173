#pragma once
// The vocabulary of refusals, kept together: the compiler prints the enumerator, people read the sentence.
#include <string_view>

namespace koila {

/// Why a rule said no.
enum class why : signed char {
  accepted,
  no_rule_for_these_ranks,
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
};

constexpr auto spell(why reason) -> std::string_view {
  switch (reason) {
    case why::no_rule_for_these_ranks: return "no rule for these ranks";
    case why::inner_dimensions_differ: return "inner dimensions differ";
    case why::not_broadcastable: return "not broadcastable";
    case why::declared_shape_differs: return "the shape is not the declared one";
    case why::dimension_out_of_range: return "dimension out of range";
    case why::in_features_differ: return "in_features differ";
    case why::bias_is_not_out_features: return "the bias is not (out_features)";
    case why::labels_are_not_one_per_sample: return "the labels are not one per sample";
    case why::labels_are_not_integers: return "the labels are not int64";
    case why::element_counts_differ: return "the numbers of elements differ";
    case why::one_size_at_most_may_be_inferred: return "one size at most may be -1";
    case why::shapes_differ: return "shapes differ";
    case why::dtypes_differ: return "dtypes differ";
    case why::declared_dtype_differs: return "the dtype is not the declared one";
    case why::not_a_floating_type: return "not a floating-point dtype";
    case why::not_a_scalar: return "not a scalar";
    case why::batch_dimensions_differ: return "batch dimensions differ";
    case why::too_many_dimensions: return "more than 8 dimensions";
    case why::axis_bound_twice: return "one axis has two extents";
    case why::no_such_attribute: return "the op has no such attribute";
    case why::not_bound: return "not bound to a tensor";
    case why::no_rule_for_booleans: return "no rule for booleans";
    case why::no_dim_given: return "no dim is given";
    case why::accepted: break;
  }
  return "";
}

}  // namespace koila
