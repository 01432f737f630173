#pragma once
// koila: deep learning models as expressions. Everything but LibTorch's operators and
// torch/torch.h, which are heavy.
#ifdef KOILA_HEADER_ONLY
#define KOILA_DEFINITIONS
#define KOILA_DEFINE_OPS
#endif

// What refuses calls is included first and directly: compilers print the way of inclusion with
// every refusal.
#include <koila/expr/attribute_name.hpp>
#include <koila/expr/op.hpp>

#include <koila/expr/erased.hpp>
#include <koila/ops/family/operators.hpp>

#include <koila/ops.hpp>

#include <koila/graph/gradient.hpp>

#include <koila/run/run.hpp>

#include <koila/graph/compiled_ops.hpp>
#include <koila/nn/groups.hpp>
#include <koila/nn/module.hpp>
#include <koila/optim/adagrad.hpp>
#include <koila/optim/adam.hpp>
#include <koila/optim/clip.hpp>
#include <koila/optim/rmsprop.hpp>
#include <koila/optim/schedule.hpp>
#include <koila/optim/sgd.hpp>
#include <koila/run/backward.hpp>
#include <koila/run/eager.hpp>
#include <koila/run/run.hpp>
#include <koila/run/step.hpp>
