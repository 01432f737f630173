#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile_fail_many.sh <source> <compiler> <flag>...
# compile_fail_many.sh --covered <folder of ops> <folder of sources>
#
# Compiles a source with many mistakes under `#ifdef MISTAKE`, one per line. Each line states the
# sentence with which the compiler must refuse it:
#
#   add(x, y);  // says: add: [batch, 7] x [batch, 5]: not broadcastable
#
# Without MISTAKE, the source must compile. With MISTAKE, g++ must report an error on each of these
# lines and on no other line. Each error must contain the sentence and have at most 8 lines. If g++
# prints lines only once for the whole source (the function, the include chain), these lines count
# for each error. clang shortens strings or prints them as numbers, and explains all candidates. So
# with clang, it is enough that the error contains the enumerator of the reason that ends the
# sentence.
#
# --covered checks that each op of koila has such a line, and prints the number of these lines.
set -u
export LC_ALL=C
unset COLUMNS GCC_COLORS
most=8

# Ops that need no such line: ops that only gradients and expansions call, and custom, whose rule is
# stated by its user.
internal='broadcast_to custom custom_backward label_weights_backward nll_backward pow_backward_base pow_backward_exponent sum_to'

if [ "$1" = --covered ]; then
  said=$(sed -nE 's|.*// says: (\w+).*|\1|p' "$3"/*.cpp)
  names=$(find "$2" -name '*.hpp' -exec sed -nE 's|.*string_view name = "(\w+)";.*|\1|p' {} + | sort -u)
  missing=$(comm -23 <(echo "$names") <(printf '%s\n' $said $internal | sort -u))
  gone=$(comm -13 <(echo "$names") <(printf '%s\n' $internal | sort -u))
  printf '%d refused calls of %d ops; %d ops are internal\n' "$(wc -w <<<"$said")" "$(sort -u <<<"$said" | wc -l)" "$(wc -w <<<"$internal")"
  [ -z "$missing" ] || printf 'without a refused call in %s: %s\n' "$3" "$(tr '\n' ' ' <<<"$missing")"
  [ -z "$gone" ] || printf 'internal, but no op: %s\n' "$(tr '\n' ' ' <<<"$gone")"
  [ -z "$missing$gone" ]
  exit
fi

source=$1
shift
compile=("$@" -fsyntax-only)
macros=$("${compile[@]}" -E -dM -x c++ /dev/null 2>/dev/null)
compiler=gcc
grep -q '^#define __clang__' <<<"$macros" && compiler=clang
[ $compiler = gcc ] || compile+=(-ferror-limit=0)

grep -q '^ *#ifdef MISTAKE' "$source" || { printf '%s: has no `#ifdef MISTAKE`\n' "$source"; exit 1; }
output=$("${compile[@]}" "$source" 2>&1) || { printf '%s: the control (without MISTAKE) does not compile\n%s\n' "$source" "$output"; exit 1; }
output=$("${compile[@]}" -DMISTAKE "$source" 2>&1) && { printf '%s: the mistakes compile\n' "$source"; exit 1; }

reasons=$(tr '\n' ' ' <"$(dirname "$0")/../include/koila/shape/reason.hpp" |
  grep -oE 'case reason::\w+: +return "[^"]*";' | sed -E 's|case reason::(\w+): +return "(.*)";|\1 \2|')

awk -v source="$source" -v compiler=$compiler -v most=$most -v reasons="$reasons" '
  function fail(line, text) { printf "%s:%d: %s\n", source, line, text; broken = 1 }
  # Counts the lines of the previous error: its own, and those of the function and the include
  # chain, which are printed once.
  function close_block() {
    if (!at) return
    if (!(where in inclusions)) inclusions[where] = shown ? shown + !from_source : 2
    lines[at] += own + 1 + (where && where != source ? inclusions[where] : 0)
    at = 0
  }
  FNR == NR {
    if (match($0, /\/\/ says: /)) { says[FNR] = substr($0, RSTART + 9); ++stated }
    next
  }
  { gsub(/\\'"'"'/, "'"'"'"); gsub(/\\"/, "\"") }  # g++ escapes quotes
  / error: / {
    close_block()
    shown = from_source = own = 0
    where = ""
    split(substr($0, length(source) + 2), position, ":")
    at = position[1] + 0
    if (substr($0, 1, length(source) + 1) != source ":" || !(at in says)) {
      fail(at, "an error that is not stated: " $0)
      at = 0
      next
    }
    message[at] = message[at] $0 "\n"
  }
  / note: / && compiler == "clang" && at { message[at] = message[at] $0 "\n" }
  / note: / && !where { where = substr($0, 1, index($0, ":") - 1) }
  / In function / || /In instantiation of/ { next }
  /^In file included from / || /^ +from / { ++shown; from_source = from_source || index($0, source); next }
  { ++own }
  END {
    close_block()
    if (!stated) fail(0, "states no mistake")
    for (line in says) {
      if (!(line in message)) fail(line, "compiles: " says[line])
      else if (compiler == "gcc" && !index(message[line], "\"" says[line] "\"")) fail(line, "does not say \"" says[line] "\" but\n" message[line])
      else if (compiler == "gcc" && lines[line] > most) fail(line, "is refused in " lines[line] " lines")
      else if (compiler == "clang" && !index(message[line], "reason::" reason_of(says[line])))
        fail(line, "does not say " reason_of(says[line]) " but\n" message[line])
    }
    printf "%d mistakes", stated
    print compiler == "gcc" ? ", refused in at most " longest() " lines" : ""
    exit broken
  }
  # Returns the enumerator of the reason that a sentence ends with.
  function reason_of(sentence, i, n, all, text) {
    n = split(reasons, all, "\n")
    for (i = 1; i <= n; ++i) {
      text = ": " substr(all[i], index(all[i], " ") + 1)
      if (substr(sentence, length(sentence) - length(text) + 1) == text) return substr(all[i], 1, index(all[i], " ") - 1)
    }
    return "a reason of koila"
  }
  function longest(line, n) { for (line in lines) if (lines[line] > n) n = lines[line]; return n + 0 }
' "$source" - <<<"$output"
