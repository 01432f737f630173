#pragma once
// Written by scripts/ops. The tables of koila's own ops are compiled once, into koila::koila (see CMakeLists.txt): users' files
// compile only those of their own ops.
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

#ifndef KOILA_HEADER_ONLY
namespace koila {

extern template struct op_table<struct add>;
extern template struct op_table<struct bmm>;
extern template struct op_table<struct broadcast_to_op>;
extern template struct op_table<struct count_labels>;
extern template struct op_table<struct cross_entropy>;
extern template struct op_table<struct ops::div>;
extern template struct op_table<struct ops::exp>;
extern template struct op_table<struct expand_like>;
extern template struct op_table<struct flatten>;
extern template struct op_table<struct inverse_count>;
extern template struct op_table<struct linear>;
extern template struct op_table<struct ops::log>;
extern template struct op_table<struct log_softmax>;
extern template struct op_table<struct log_softmax_backward>;
extern template struct op_table<struct matmul>;
extern template struct op_table<struct mean>;
extern template struct op_table<struct mm>;
extern template struct op_table<struct mse_loss>;
extern template struct op_table<struct mul>;
extern template struct op_table<struct neg>;
extern template struct op_table<struct nll>;
extern template struct op_table<struct nll_backward>;
extern template struct op_table<struct ops::pow>;
extern template struct op_table<struct pow_backward_base>;
extern template struct op_table<struct pow_backward_exponent>;
extern template struct op_table<struct relu>;
extern template struct op_table<struct relu_backward>;
extern template struct op_table<struct reshape>;
extern template struct op_table<struct reshape_like>;
extern template struct op_table<struct sigmoid>;
extern template struct op_table<struct sigmoid_backward>;
extern template struct op_table<struct softmax>;
extern template struct op_table<struct softmax_backward>;
extern template struct op_table<struct sub>;
extern template struct op_table<struct sum>;
extern template struct op_table<struct sum_to>;
extern template struct op_table<struct ops::tanh>;
extern template struct op_table<struct tanh_backward>;
extern template struct op_table<struct transpose>;

}  // namespace koila
#endif
