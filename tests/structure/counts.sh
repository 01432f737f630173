#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# counts.sh <source folder> [<clang++> <flag>...]
#
# Prints figures of the source tree, so that a change can be judged by them. Fails if one folder has
# more than a fifth of all lines.
#   device branches   lines outside kernels/, torch/, and device/ that check on which device a
#                     tensor lies
#   LibTorch files    files outside these folders that include headers of LibTorch other than those
#                     of at::Tensor and of single operators
#   largest folder    the share of the largest folder in all lines of include/koila
#   exported names    with a clang: the names that `using namespace koila` makes visible
# warm_step.sh counts the headers of a warm step.
set -euo pipefail
cd "$1"
shift
inside='include/koila/(kernels|torch|device)/'

printf 'device branches\t%d\n' "$(grep -rnE '\b(on_host|is_cpu)\(' include/koila | grep -vE "^$inside" | grep -vcE ':[0-9]+: *//')"
printf 'LibTorch files\t%d\n' "$(grep -rlE '# *include *<(ATen|c10|torch)/' include/koila | grep -vE "^$inside" |
  while read -r file; do
    grep -E '# *include *<(ATen|c10|torch)/' "$file" | grep -qvE 'ATen/(core/Tensor\.h|ops/\w+_ops\.h)>' && echo "$file"
  done | wc -l)"
find include/koila -type f -printf '%h\n' | sort -u | while read -r folder; do
  printf '%d %s\n' "$(find "$folder" -maxdepth 1 -type f -exec cat {} + | wc -l)" "$folder"
done | sort -rn | awk '{ all += $1; if (NR == 1) { most = $1; name = $2 } } END { printf "largest folder\t%s, %.0f %% of %d lines\n", name, 100 * most / all, all; exit 5 * most > all }'
if [ $# -gt 0 ]; then
  printf '#include <koila/koila.hpp>\n' | "$@" -std=c++20 -Iinclude -x c++ - -fsyntax-only -Xclang -ast-list 2>/dev/null |
    grep -oE '^koila::(v[0-9]+::)?[A-Za-z_0-9]+$' | sort -u | wc -l | sed 's/^/exported names\t/'
fi
