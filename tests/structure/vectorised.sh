#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# vectorised.sh <objdump> <library> | <objdump> <object file> part | <objdump> <program> fused
#
# part: the object file contains only some kernels, compiled by clang. clang's loops end with short
# scalar remainders. fused: checks the fused kernels, which the program's own file contains.
#
# Checks every kernel that is compiled for several instruction sets: for each instruction set, it
# must compute whole vectors. If the compiler leaves a loop scalar, the results are right, but the
# loop is ten times slower.
set -euo pipefail
kernels=functions_of least=30 ends=long
case ${3:-} in
  fused) kernels=fused_function least=0 ;;
  part) least=1 ends=short ;;
esac
"$1" --disassemble --demangle --no-show-raw-insn --reloc "$2" | awk -v kernels="$kernels" -v least="$least" -v ends="$ends" '
  function judge() {
    if (name == "") return
    if (name ~ /attention_(transposed_)?weights</ && single > wide) packed = 0
    if (ends == "short" && scalars > 20 && scalars > 2 * vectors) packed = 0
    if (packed) ++good[set]
    else { print "not vectorised: " name; broken = 1 }
  }
  /^[0-9a-f]+ <.*>:$/ {
    judge()
    name = ""
    if ($0 !~ ("koila::v[0-9]+::detail::" kernels "<") || $0 !~ /::(baseline|avx2|avx512)\(/) next
    name = $0
    set = $0 ~ /::avx512\(/ ? "avx512" : $0 ~ /::avx2\(/ ? "avx2" : "baseline"
    # Some AVX-512 kernels use vectors of 32 bytes.
    register = set == "avx512" && $0 !~ /gemm_small_m|transposed_floats|maxima_of_line|attention_hidden|(wide|narrow)_elements|kept_elements<unsigned short>/ ? "%zmm" : set == "avx512" ? "%[yz]mm" : set == "avx2" ? "%ymm" : "%xmm"
    # These AVX2 kernels store 16-bit elements, which fill only half a vector.
    if (ends == "short" && set == "avx2" && $0 ~ /kept_elements<unsigned short>/) register = "%[xy]mm"
    packed = wide = single = vectors = scalars = 0
    next
  }
  # The kernel must store whole vectors of its results. Spills to the stack do not count.
  name != "" && $0 ~ ("mov(ap|up|dqa|dqu|nt)[a-z]*[0-9]*[ \t]+" register "[0-9]+,.*\\(") && $0 !~ /\(%rsp|,-0x[0-9a-f]+\(%rbp/ { packed = 1 }
  # Matches a call of a scalar function. In a library, the relocation contains the name of the
  # function; in a program, the call does. Only float64 attention weights may call libm.
  name != "" && name !~ /attention_(transposed_)?weights<double>/ && /(R_X86_64_[A-Z0-9]+[ \t]+|[ \t](call|jmp)[ \t].*<)(__)?(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|sinh|cosh|tanh|asin|acos|atan|erf|erfc|sqrt|fma|floor|ceil|trunc|round|rint|nearbyint|fmod)f?(_finite)?(@[^>]*)?(-0x[0-9a-f]+$|>)/ {
    print "calls a function of one number: " name
    print
    broken = 1
  }
  # A kernel must not call functions of koila: a function that is not inlined is compiled for every
  # machine, without the vectors of the kernel.
  name != "" && (/R_X86_64_PLT32[ \t]+.*koila::/ || (/[ \t](call|jmp)[ \t].*<.*koila::/ && !/[+]0x[0-9a-f]+>$/)) && !/with_fma/ {
    print "calls what is of the baseline: " name
    print
    broken = 1
  }
  # Some kernels end with sums of whole vectors. Their loops must have less scalar arithmetic than
  # vector arithmetic.
  name != "" && /[ \t]vfn?m(add|sub)[0-9]+ps[ \t]/ { ++wide }
  name != "" && /[ \t]vfn?m(add|sub)[0-9]+ss[ \t]/ { ++single }
  name != "" && /[ \t]v?(add|sub|mul|fn?m(add|sub)[0-9]+)p[sd][ \t]/ { ++vectors }
  name != "" && /[ \t]v?(add|sub|mul|fn?m(add|sub)[0-9]+)s[sd][ \t]/ { ++scalars }
  # These kernels must add whole vectors.
  name ~ /sums_of_rows|gemm_small_m|moments_kernel/ && $0 ~ ("(add|fmadd[0-9]*)p[sd][ \t].*" register) { packed = 1 }
  END {  # SGD has no kernel for the baseline
    judge()
    print good["avx512"] + 0, "of AVX-512,", good["avx2"] + 0, "of AVX2,", good["baseline"] + 0, "of the baseline are vectorised"
    if (good["baseline"] < least || !good["avx512"] || good["avx512"] != good["avx2"] || good["avx2"] < good["baseline"]) { print "kernels are missing"; broken = 1 }
    exit broken
  }'
