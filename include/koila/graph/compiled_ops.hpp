#pragma once
// Written by scripts/ops. The tables of koila's own ops are compiled once, into koila::koila: users' files compile only those of
// their own ops.
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

#ifndef KOILA_HEADER_ONLY
#ifdef KOILA_DEFINITIONS
#define KOILA_EXTERN
#else
#define KOILA_EXTERN extern
#endif

namespace koila {

KOILA_EXTERN template struct op_table<struct add>;
KOILA_EXTERN template struct op_table<struct bmm>;
KOILA_EXTERN template struct op_table<struct broadcast_to_op>;
KOILA_EXTERN template struct op_table<struct count_labels>;
KOILA_EXTERN template struct op_table<struct cross_entropy>;
KOILA_EXTERN template struct op_table<struct ops::div>;
KOILA_EXTERN template struct op_table<struct ops::exp>;
KOILA_EXTERN template struct op_table<struct expand_like>;
KOILA_EXTERN template struct op_table<struct flatten>;
KOILA_EXTERN template struct op_table<struct inverse_count>;
KOILA_EXTERN template struct op_table<struct linear>;
KOILA_EXTERN template struct op_table<struct ops::log>;
KOILA_EXTERN template struct op_table<struct log_softmax>;
KOILA_EXTERN template struct op_table<struct log_softmax_backward>;
KOILA_EXTERN template struct op_table<struct matmul>;
KOILA_EXTERN template struct op_table<struct mean>;
KOILA_EXTERN template struct op_table<struct mm>;
KOILA_EXTERN template struct op_table<struct mse_loss>;
KOILA_EXTERN template struct op_table<struct mul>;
KOILA_EXTERN template struct op_table<struct neg>;
KOILA_EXTERN template struct op_table<struct nll>;
KOILA_EXTERN template struct op_table<struct nll_backward>;
KOILA_EXTERN template struct op_table<struct ops::pow>;
KOILA_EXTERN template struct op_table<struct pow_backward_base>;
KOILA_EXTERN template struct op_table<struct pow_backward_exponent>;
KOILA_EXTERN template struct op_table<struct relu>;
KOILA_EXTERN template struct op_table<struct relu_backward>;
KOILA_EXTERN template struct op_table<struct reshape>;
KOILA_EXTERN template struct op_table<struct reshape_like>;
KOILA_EXTERN template struct op_table<struct sigmoid>;
KOILA_EXTERN template struct op_table<struct sigmoid_backward>;
KOILA_EXTERN template struct op_table<struct softmax>;
KOILA_EXTERN template struct op_table<struct softmax_backward>;
KOILA_EXTERN template struct op_table<struct sub>;
KOILA_EXTERN template struct op_table<struct sum>;
KOILA_EXTERN template struct op_table<struct sum_to>;
KOILA_EXTERN template struct op_table<struct ops::tanh>;
KOILA_EXTERN template struct op_table<struct tanh_backward>;
KOILA_EXTERN template struct op_table<struct transpose>;

}  // namespace koila

#undef KOILA_EXTERN
#endif
