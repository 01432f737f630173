#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# onednn.sh <nm> <library>
#
# Checks that koila's library calls no function of oneDNN, and no function of LibTorch that creates
# kernels of oneDNN. Such functions allocate while a step runs. If an allocation in such a function
# fails, the process ends.
set -eu
symbols=$("$1" --demangle --undefined-only "$2" 2>/dev/null)
[ "$(grep -c 'at::_ops::' <<<"$symbols")" -gt 200 ] || {
  echo "$2 calls hardly any operator of LibTorch: is it koila's library?"
  exit 1
}
! grep -E 'dnnl|mkldnn|brgemm|Brgemm' <<<"$symbols"
