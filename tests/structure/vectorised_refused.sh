#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# vectorised_refused.sh <vectorised.sh>
#
# vectorised.sh must refuse kernels that are not vectorised, and accept a listing of the same
# kernels with whole vectors.
set -euo pipefail
check=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#!/usr/bin/env bash\ncat "${@: -1}"\n' >"$work/objdump"
chmod +x "$work/objdump"

# listing <instructions of the AVX-512 kernel>...: writes a listing to a file, with an AVX2 kernel
# that computes whole vectors.
listing() {
  {
    printf '0000000000000000 <koila::v0::detail::fused_function<x>::avx2(float*)>:\n'
    printf '   0:\tvmovups %%ymm0,(%%rax)\n'
    printf '0000000000000100 <koila::v0::detail::fused_function<x>::avx512(float*)>:\n'
    printf ' 100:\t%s\n' "$@"
  } >"$work/listing"
}
judged() { bash "$check" "$work/objdump" "$work/listing" fused; }

refused() {
  local why=$1 said
  listing "${@:2}"
  if said=$(judged) || ! grep -q "$why" <<<"$said"; then
    printf 'not refused for "%s": %s\n%s\n' "$why" "${*:2}" "$said" >&2
    exit 1
  fi
}

listing 'vmulps %zmm1,%zmm0,%zmm0' 'vmovups %zmm0,(%rax)'
judged
refused 'not vectorised' 'vmulss  %xmm1,%xmm0,%xmm0' 'vmovss %xmm0,(%rax)'
refused 'not vectorised' 'vmovups %zmm0,0x40(%rsp)' 'vmovss %xmm0,(%rax)'
refused 'not vectorised' 'vmovups %zmm0,-0x50(%rbp)' 'vmovss %xmm0,(%rax)'
refused 'a function of one number' 'call   200 <tanhf@plt>' 'vmovups %zmm0,(%rax)'
refused 'a function of one number' 'call   10c <koila::v0::detail::fused_function<x>::avx512(float*)+0xc>' $'\t108: R_X86_64_PLT32\ttanhf-0x4' \
  'vmovups %zmm0,(%rax)'
refused 'of the baseline' 'call   108 <koila::v0::detail::fused_function<x>::avx512(float*)+0xc>' $'\t108: R_X86_64_PLT32\tkoila::v0::detail::sum(float*)-0x4' \
  'vmovups %zmm0,(%rax)'
refused 'of the baseline' 'call   300 <koila::v0::detail::sum(float*)>' 'vmovups %zmm0,(%rax)'
refused 'of the baseline' 'call   300 <float koila::v0::detail::sum<float>(float*)>' 'vmovups %zmm0,(%rax)'
refused 'of the baseline' 'vmovups %zmm0,(%rax)' 'jmp    300 <koila::v0::operator+(int)>'

# Half a vector does not count, although a baseline kernel stores it from the same register (xmm).
listing 'vmovups %zmm0,(%rax)'
printf '0000000000000200 <koila::v0::detail::fused_function<x>::baseline(float*)>:\n 200:\tmovlps %%xmm0,(%%rax)\n' >>"$work/listing"
if said=$(judged) || ! grep -q 'not vectorised.*baseline' <<<"$said"; then
  printf 'half a vector was not refused:\n%s\n' "$said" >&2
  exit 1
fi
