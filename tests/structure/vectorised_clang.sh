#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# vectorised_clang.sh <clang++> <objdump> <flag>...
#
# Checks that clang vectorises kernels too. To that end, each function that a kernel calls must be
# inlined (see `inlined` in instructions.ipp); a function that is not inlined is compiled for the
# baseline. This test compiles the kernels with the most such calls. All kernels would take minutes.
set -euo pipefail
clang=$1 objdump=$2
here=$(dirname "${BASH_SOURCE[0]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$here/../../include
ops=(softmax softmax_backward log_softmax log_softmax_backward softmax_cross_entropy softmax_cross_entropy_backward
  native_layer_norm native_layer_norm_backward native_layer_norm_parameters_backward dropout randn_like attention attention_backward gelu)
{
  echo '#include <koila/graph/compiled_ops.hpp>'
  for op in "${ops[@]}"; do
    kernel=koila/kernels/cpu/ops/$op.ipp
    [ ! -e "$include/$kernel" ] || echo "#include <$kernel>"
  done
  echo 'namespace koila::detail {'
  for op in "${ops[@]}"; do
    sed -nE "s/^extern (template struct op_table<struct [a-z_:]+::$op>;)/\1/p" "$include/koila/graph/compiled_ops.hpp" | grep .
  done
  echo '}'
} >"$work/kernels.cpp"
"$clang" "${@:3}" -O3 -fno-math-errno -fno-trapping-math -Wall -Wextra -Werror -c "$work/kernels.cpp" -o "$work/kernels.o"
bash "$here/vectorised.sh" "$objdump" "$work/kernels.o" part
