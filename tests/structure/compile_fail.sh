#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile_fail.sh <runner> <compiler>
#
# The runner of the compile-fail tests must itself refuse a test that proves nothing.
set -u
runner=$1
compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
broken=0

# try <expected: passes|fails> <description>, with the source on standard input
try() {
  cat >"$folder/source.cpp"
  bash "$runner" "$folder/source.cpp" "$compiler" -std=c++20 >"$folder/output" 2>&1 && got=passes || got=fails
  if [ "$got" != "$1" ]; then
    printf '%s: %s\n' "$2" "$got"
    cat "$folder/output"
    broken=1
  fi
}

refusal='enum class reason { accepted, inner_dimensions_differ };
template <reason Reason = reason::inner_dimensions_differ> int matmul(int) = delete;
int matmul(long);'

try passes 'a mistake refused for the stated reason' <<END
// expect: inner_dimensions_differ
// reason: inner_dimensions_differ
// sentence: inner_dimensions_differ
// max_lines: 7
$refusal
int main() {
  matmul(1L);
#ifdef MISTAKE
  matmul<>(1);
#endif
}
END
try passes 'a reason stated in two lines' <<END
// expect: deleted
//    function
$refusal
int main() {
#ifdef MISTAKE
  matmul<>(1);
#endif
}
END
try fails 'another reason stated in two lines' <<END
// expect: deleted
//    constructor
$refusal
int main() {
#ifdef MISTAKE
  matmul<>(1);
#endif
}
END
try fails 'a mistake that compiles' <<END
// expect: .
int main() {
#ifdef MISTAKE
  return 1;
#endif
}
END
try fails 'a mistake refused for another reason' <<END
// expect: inner_dimensions_differ
int main() {
#ifdef MISTAKE
  return matmul;
#endif
}
END
try fails 'a control that does not compile' <<END
// expect: matmul
int main() { return matmul; }
#ifdef MISTAKE
#endif
END
try fails 'no expectation' <<END
#ifdef MISTAKE
int main() { return matmul; }
#endif
END
try fails 'a sentence alone, which is nothing to clang' <<END
// sentence: matmul
#ifdef MISTAKE
int main() { return matmul; }
#endif
END
exit "$broken"
