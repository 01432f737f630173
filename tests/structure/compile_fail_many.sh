#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile_fail_many.sh <runner> <compiler>
#
# The runner for sources with many mistakes must itself refuse a source that proves nothing.
set -u
runner=$1
compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
broken=0

# try <expected: passes|fails> <description>, with the lines under MISTAKE on standard input
try() {
  {
    printf 'template <int N> struct text { char chars[N]; constexpr text(const char (&s)[N]) { for (int i = 0; i < N; ++i) chars[i] = s[i]; } };\n'
    printf 'namespace koila { enum class reason { shapes_differ, dtypes_differ }; }\n'
    printf 'template <koila::reason Reason = koila::reason::shapes_differ, text Message = "add: shapes differ"> int add(int) = delete;\n'
    printf 'int add(long);\n'
    printf 'int main() {\n  add(1L);\n#ifdef MISTAKE\n%s\n#endif\n}\n' "$(cat)"
  } >"$folder/source.cpp"
  bash "$runner" "$folder/source.cpp" "$compiler" -std=c++20 >"$folder/output" 2>&1 && got=passes || got=fails
  if [ "$got" != "$1" ]; then
    printf '%s: %s\n' "$2" "$got"
    cat "$folder/output"
    broken=1
  fi
}

try passes 'mistakes with their sentences' <<'END'
add<>(1);  // says: add: shapes differ
add<koila::reason::dtypes_differ, "add: dtypes differ">(2);  // says: add: dtypes differ
END
try fails 'another sentence' <<'END'
add<>(1);  // says: add: dtypes differ
END
try fails 'a line that compiles' <<'END'
add<>(1);  // says: add: shapes differ
add(1L);  // says: add: shapes differ
END
try fails 'a mistake that is not stated' <<'END'
add<>(1);  // says: add: shapes differ
add<>(1);
END
try fails 'no mistake' <<'END'
END

mkdir -p "$folder/ops/pointwise" "$folder/ops/internal" "$folder/many"
echo '  static constexpr std::string_view name = "relu";' >"$folder/ops/pointwise/relu.hpp"
echo '  relu(b);  // says: relu: bool[3]: no rule for booleans' >"$folder/many/a.cpp"
for op in $(sed -nE "s/^internal='(.*)'$/\1/p" "$runner"); do
  echo "  static constexpr std::string_view name = \"$op\";" >"$folder/ops/internal/$op.hpp"
done
bash "$runner" --covered "$folder/ops" "$folder/many" >"$folder/output" || { echo 'an op with a refused call is not found'; cat "$folder/output"; broken=1; }
sed 's/relu/gelu/' "$folder/ops/pointwise/relu.hpp" >"$folder/ops/pointwise/gelu.hpp"
bash "$runner" --covered "$folder/ops" "$folder/many" >/dev/null && { echo 'an op without a refused call is not missed'; broken=1; }
exit "$broken"
