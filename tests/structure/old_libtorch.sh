#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# old_libtorch.sh <source folder> <compiler> <flag>...
#
# Checks that a LibTorch that is too old is refused with an error message: by CMake, and by the
# compiler if a file is compiled without CMake.
set -euo pipefail
source=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/torch/include/ATen" "$work/torch/lib" "$work/torch/include/torch/headeronly"
touch "$work/torch/include/ATen/ATen.h" "$work/torch/lib/libtorch_cpu.so"
cat > "$work/torch/include/torch/headeronly/version.h" <<'EOF'
#pragma once
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 6
#define TORCH_VERSION_PATCH 0
EOF

if cmake -S "$source" -B "$work/build" -DKOILA_LIBTORCH="$work" >"$work/log" 2>&1; then
  echo 'CMake accepts LibTorch 2.6.0'
  exit 1
fi
tr '\n' ' ' <"$work/log" | tr -s ' ' | grep -qE 'LibTorch: Found unsuitable version "2\.6\.0", but required is at least "2\.11\.0"' || {
  cat "$work/log"
  exit 1
}
if printf '#include <koila/run/tensor.hpp>\n' | "$1" -I"$work/torch/include" "${@:2}" -x c++ -fsyntax-only - 2>"$work/log"; then
  echo 'the compiler accepts LibTorch 2.6.0'
  exit 1
fi
grep -q 'koila needs LibTorch 2.11.0 or newer' "$work/log" || {
  head -n 20 "$work/log"
  exit 1
}
