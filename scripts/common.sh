# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the scripts.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export KOILA_CACHE=${KOILA_CACHE:-${XDG_CACHE_HOME:-${HOME:-~}/.cache}/koila}
digits=$KOILA_CACHE/digits.csv
jobs=$(nproc 2>/dev/null || echo 2)

say() { printf '%s: %s\n' "$(basename "$0")" "$1"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit 1
}

# configure <source folder> <build folder> <argument>...
configure() {
  local arguments=(-S "$1" -B "$2" -DKOILA_CACHE="$KOILA_CACHE" -DKOILA_LIBTORCH="${KOILA_LIBTORCH:-}" -Wno-dev)
  if [ ! -e "$2/CMakeCache.txt" ] && command -v ninja >/dev/null; then arguments+=(-G Ninja); fi
  cmake "${arguments[@]}" "${@:3}"
}

# compile <build folder> <argument>...
compile() { cmake --build "$1" --parallel "$jobs" "${@:2}"; }

# unpack_libtorch <folder of wheels> <folder>: unpacks the host part of LibTorch's wheel. The CUDA
# libraries are half of the wheel, and need 4 GB of other wheels.
unpack_libtorch() {
  unzip -q "$1"/torch-*.whl 'torch/include/*' 'torch/lib/lib*.so*' 'torch/share/cmake/*' '*.dist-info/*' \
    -x '*/libtorch_cuda*' '*/libtorch_nvshmem*' '*/libtorch_python*' '*/libtorch.so' '*/libc10_cuda*' '*/libcaffe2_nvrtc*' \
    '*/libshm*' '*/libtorch_global_deps*' -d "$2"
}

# environment <name>: makes a Python environment in the cache folder, once, with the packages of
# scripts/wheels/<name>.txt. Sets `python` to the interpreter of this environment. Uses wheels only,
# so nothing is compiled. Only optional scripts need such an environment.
environment() {
  local list=$root/scripts/wheels/$1.txt folder=$KOILA_CACHE/python-$1
  python=$folder/bin/python3
  if ! cmp -s "$list" "$folder/list.txt"; then
    python3 -c 'import ensurepip' 2>/dev/null || die "needs Python's venv (Debian's package python3-venv)"
    say "making a Python environment in $folder"
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: --requirement "$list"
    cp "$list" "$folder/list.txt"
  fi
}
