// SPDX-License-Identifier: MIT
// The definitions of all functions that are not ops'. CMakeLists.txt compiles this file into
// koila::koila. Those of ops are at the ends of their headers, see graph/compiled_ops.hpp.
#include <koila/koila.hpp>
#include <koila/nn/checkpoint.hpp>
#include <koila/nn/serialize.hpp>

#include <koila/device/backend.ipp>
#include <koila/device/memory.ipp>
#include <koila/device/status.ipp>
#include <koila/graph/builder.ipp>
#include <koila/graph/gradient.ipp>
#include <koila/nn/archive.ipp>
#include <koila/nn/checkpoint.ipp>
#include <koila/nn/module.ipp>
#include <koila/nn/serialize.ipp>
#include <koila/ops/indexing/index.ipp>
#include <koila/optim/adagrad.ipp>
#include <koila/optim/adam.ipp>
#include <koila/optim/clip.ipp>
#include <koila/optim/rmsprop.ipp>
#include <koila/optim/sgd.ipp>
#include <koila/plan/arena.ipp>
#include <koila/plan/checksum.ipp>
#include <koila/plan/explain.ipp>
#include <koila/plan/file.ipp>
#include <koila/plan/recompute.ipp>
#include <koila/plan/rematerialization.ipp>
#include <koila/plan/timeline.ipp>
#include <koila/plan/trace.ipp>
#include <koila/run/backward.ipp>
#include <koila/run/eager.ipp>
#include <koila/run/element_kernel.ipp>
#include <koila/run/machine.ipp>
#include <koila/run/optimizer.ipp>
#include <koila/run/out_of_memory.ipp>
#include <koila/run/program.ipp>
#include <koila/run/random.ipp>
#include <koila/run/run.ipp>
#include <koila/run/step.ipp>
#include <koila/run/tensor.ipp>
