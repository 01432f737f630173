#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# warm_step.sh <source folder>
#
# Prints the number of koila's headers whose code runs in a warm step: a training step that has a
# plan and a program. Compiles all of koila without optimisation, so that no function is inlined,
# and needs valgrind. Takes two minutes, so no test runs it.
set -euo pipefail
cd "$1"
source scripts/common.sh
command -v valgrind >/dev/null || die "needs valgrind"
libtorch=${KOILA_LIBTORCH:-$(find "$KOILA_CACHE" -maxdepth 1 -name 'libtorch-*' | sort -V | tail -n 1)}
[ -e "$libtorch/include/ATen/ATen.h" ] || libtorch=$libtorch/torch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/program.cpp" <<'EOF'
using namespace koila;
[[gnu::noinline]] void warm_step(auto& train, const auto& x, const auto& t, const at::Tensor& a, const at::Tensor& b) {
  train(x = a, t = b);
}
int main() {
  const input<batch, 20> x{"x"};
  const input<batch, 10> t{"t"};
  const parameter<16, 20> w{"w"};
  const parameter<10, 16> v{"v"};
  auto train = step(mean(square(sub(linear(relu(linear(x, w)), v), t))), sgd{.lr = 0.1}, {.chunk = 8});
  const at::Tensor a = at::randn({32, 20}), b = at::randn({32, 10});
  for (int i = 0; i < 3; ++i) train(x = a, t = b);
  warm_step(train, x, t, a, b);
}
EOF
mapfile -t kernels < <(cd include && printf -- '-include\n%s\n' koila/ops/*/*.ipp koila/kernels/cpu/ops/*.ipp)
g++ -std=c++20 -O0 -g -DKOILA_ONE_FILE -Iinclude -isystem "$libtorch/include" -include ATen/ATen.h -include koila/koila.ipp \
  "${kernels[@]}" "$work/program.cpp" -o "$work/program" -L"$libtorch/lib" -Wl,-rpath,"$libtorch/lib" -ltorch_cpu -lc10
# valgrind does not know all instructions, so the kernels use those that every machine has.
KOILA_WITHOUT=avx2 valgrind --quiet --tool=callgrind --collect-atstart=no --toggle-collect='*warm_step*' --callgrind-out-file="$work/calls" "$work/program"
callgrind_annotate --threshold=100 "$work/calls" | grep -oE 'include/koila/[a-z_/0-9]+\.[hi]pp' | sort -u | tee "$work/headers" | cut -d/ -f3 | sort | uniq -c
printf 'headers of a warm step\t%d\n' "$(wc -l <"$work/headers")"
