#pragma once
// Written by scripts/ops. Every op. What refuses calls is included first and directly: compilers print the way of inclusion
// with every refusal.
#include <koila/expr/op.hpp>

#include <koila/expr/erased.hpp>
#include <koila/expr/let.hpp>
#include <koila/ops/family/operators.hpp>

#include <koila/ops/div.hpp>
#include <koila/ops/pow.hpp>

#include <koila/ops/add.hpp>
#include <koila/ops/bmm.hpp>
#include <koila/ops/broadcast_to.hpp>
#include <koila/ops/count_labels.hpp>
#include <koila/ops/cross_entropy.hpp>
#include <koila/ops/exp.hpp>
#include <koila/ops/expand_like.hpp>
#include <koila/ops/flatten.hpp>
#include <koila/ops/inverse_count.hpp>
#include <koila/ops/linear.hpp>
#include <koila/ops/log.hpp>
#include <koila/ops/log_softmax.hpp>
#include <koila/ops/log_softmax_backward.hpp>
#include <koila/ops/matmul.hpp>
#include <koila/ops/mean.hpp>
#include <koila/ops/mm.hpp>
#include <koila/ops/mse_loss.hpp>
#include <koila/ops/mul.hpp>
#include <koila/ops/neg.hpp>
#include <koila/ops/nll.hpp>
#include <koila/ops/nll_backward.hpp>
#include <koila/ops/pow_backward.hpp>
#include <koila/ops/relu.hpp>
#include <koila/ops/relu_backward.hpp>
#include <koila/ops/reshape.hpp>
#include <koila/ops/sigmoid.hpp>
#include <koila/ops/sigmoid_backward.hpp>
#include <koila/ops/softmax.hpp>
#include <koila/ops/softmax_backward.hpp>
#include <koila/ops/sub.hpp>
#include <koila/ops/sum.hpp>
#include <koila/ops/sum_to.hpp>
#include <koila/ops/tanh.hpp>
#include <koila/ops/tanh_backward.hpp>
#include <koila/ops/transpose.hpp>
