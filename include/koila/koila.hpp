// SPDX-License-Identifier: MIT
#pragma once
// koila: deep learning models as expressions. This header includes everything except LibTorch's
// operators and torch/torch.h, which are large.
// Headers that declare refusals (deleted overloads for wrong calls) come first and are included
// directly, because compilers print the include chain with every refusal.
#include <koila/expr/attribute_name.hpp>
#include <koila/expr/op.hpp>

#include <koila/expr/erased.hpp>
#include <koila/expr/function.hpp>
#include <koila/ops/pointwise/operators.hpp>

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
