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
