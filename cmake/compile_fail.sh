#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile_fail.sh <source> <compiler> <flag>...
#
# Compiles a source with a mistake under `#ifdef MISTAKE`. Without MISTAKE, the source must compile.
# With MISTAKE, the compiler must refuse the source for the reason that the source states:
#
#   // expect: <extended regex>   the compiler's output must match this expression
#   // sentence: <text>           g++: the second line of the output must contain this text, and the
#                                 third line must be the user's line
#   // reason: <enumerator>       the output must contain this word; clang: in its first 6 lines,
#                                 and it may have at most 50 lines
#   // max_lines: <number>        g++: the output may have at most this number of lines
#
# A line that begins with `//    ` continues the line above it. A source must state `expect` or
# `sentence`. clang shortens long strings in its output. So if the source states a `reason`, the
# output of clang is compared only with the `reason`. The user's line is the line that ends in
# `// here`. If there is no such line, it is the first line after `#ifdef MISTAKE`. If the mistake
# is inside a template, the compiler also prints the place of the instantiation before the error:
# g++ in one line, clang in three lines.
set -u
export LC_ALL=C
unset COLUMNS GCC_COLORS

source=$1
shift
compile=("$@" -fsyntax-only)
macros=$("${compile[@]}" -E -dM -x c++ /dev/null 2>/dev/null)
clang=
grep -q '^#define __clang__' <<<"$macros" && clang=yes

stated() {
  awk -v key="// $1: " '
    found && /^\/\/    / { sub(/^\/\/ +/, " "); text = text $0; next }
    found { exit }
    index($0, key) == 1 { text = substr($0, length(key) + 1); found = 1 }
    END { if (found) print text }' "$source"
}
expect=$(stated expect)
sentence=$(stated sentence)
reason=$(stated reason)
max_lines=$(stated max_lines)

output=
fail() {
  printf '%s: %s\n' "$source" "$1"
  [ -z "$output" ] || printf -- '---- the compiler said, in %d lines:\n%s\n' "$lines" "$output"
  exit 1
}

[ -n "$expect$sentence" ] || fail 'states neither `// expect: <regex>` nor `// sentence: <text>`'
[ -n "$expect$reason" ] || fail 'states a sentence, which clang may cut: state `// reason: <enumerator>` too'
grep -q '^ *#ifdef MISTAKE' "$source" || fail 'has no `#ifdef MISTAKE`'

lines=0
output=$("${compile[@]}" "$source" 2>&1) || { lines=$(wc -l <<<"$output"); fail 'the control (without MISTAKE) does not compile'; }

output=$("${compile[@]}" -DMISTAKE "$source" 2>&1) && fail 'the mistake compiles'
lines=$(wc -l <<<"$output")

inside=0
head -n 4 <<<"$output" | grep -q '[Ii]n instantiation of' && inside=1

if [ -n "$clang" ] && [ -n "$reason" ]; then
  head -n $((6 + 3 * inside)) <<<"$output" | grep -qwF -- "$reason" || fail "\`$reason\` is not in the first 6 lines"
  [ "$lines" -le 50 ] || fail 'more than 50 lines'
  exit 0
fi

[ -z "$expect" ] || grep -qE -- "$expect" <<<"$output" || fail "refused for another reason than \`$expect\`"
[ -z "$reason" ] || grep -qwF -- "$reason" <<<"$output" || fail "refused for another reason than \`$reason\`"
[ -n "$clang" ] && exit 0

if [ -n "$sentence" ]; then
  sed -n "$((2 + inside))p" <<<"$output" | grep -qF -- "$sentence" || fail "line 2 does not say \`$sentence\`"
  number=$(grep -nE '// here$' "$source" | head -n 1 | cut -d: -f1)
  [ -n "$number" ] || number=$(($(grep -n '^ *#ifdef MISTAKE' "$source" | head -n 1 | cut -d: -f1) + 1))
  sed -n "$((3 + inside))p" <<<"$output" | grep -qE "^ *$number \|" || fail "line 3 is not line $number of the source"
fi
[ -z "$max_lines" ] || [ "$lines" -le "$max_lines" ] || fail "more than $max_lines lines"
exit 0
