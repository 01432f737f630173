#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tree.sh <check> <source folder> <compiler> <flag>...
#
# Checks of the source tree. Each check prints the violations.
set -u
check=$1
cd "$2" || exit 1
shift 2
compile=("$@")
broken=0
complain() {
  printf '%s\n' "$1"
  broken=1
}

# Prints the rank of a folder. A folder may include only folders of a lower rank, so folders of the
# same rank may not include each other.
rank() {
  case $1 in
    base) echo 0 ;;
    shape) echo 1 ;;
    expr | torch) echo 2 ;;
    ops) echo 3 ;;
    graph) echo 4 ;;
    plan) echo 5 ;;
    device) echo 6 ;;
    kernels) echo 7 ;;
    run) echo 8 ;;
    optim | nn | distributed | intercept | tools) echo 9 ;;
    *) echo 10 ;;  # koila.hpp
  esac
}

# Prints the files that a translation unit of the given headers reads, one per line, without koila's
# own headers.
reads() {
  local files
  files=$(printf '#include <%s>\n' "${@#include/}" | "${compile[@]}" -M -x c++ -) || return
  tr -s ' \\' '\n' <<<"$files" | grep -vF "$PWD/include/"
}

case $check in
  folders)  # a folder only includes folders of a lower rank, and graph/ and plan/ do not include LibTorch
    while IFS=: read -r file include; do
      folder=${file#include/koila/}
      folder=${folder%%/*}
      # koila/ops/activation/relu.hpp and koila/ops.hpp both belong to ops.
      target=${include#*koila/}
      target=${target%%[/.]*}
      [ "$folder" = "$target" ] && continue
      [ "$(rank "$target")" -lt "$(rank "$folder")" ] || complain "$file of $folder/ includes $include of $target"
    done < <(grep -roE '# *include *[<"]koila/[^>"]*' include/koila/*/ | sed -E 's/:.*[<"]/:/')
    while read -r line; do complain "$line: includes LibTorch"; done \
      < <(grep -rE '# *include *[<"]((koila/)?torch|ATen|c10)/' include/koila/{base,shape,expr,graph,plan}/ 2>/dev/null)
    grep -rnE '# *include *"' include/koila && complain 'a header is included as <koila/...>'
    ;;
  light)  # base/, shape/ and expr/ do not include LibTorch, not even indirectly
    mapfile -t headers < <(find include/koila/base include/koila/shape include/koila/expr -name '*.hpp' | sort)
    [ "${#headers[@]}" -gt 0 ] || complain 'no header in shape/ or expr/'
    files=$(reads "${headers[@]}") || complain 'shape/ and expr/ do not preprocess alone'
    while read -r file; do complain "shape/ or expr/ reads $file"; done < <(grep -E '/(ATen|c10|torch)/' <<<"$files" | head)
    ;;
  shadow)  # no name in koila's headers hides another: programs may compile them with -Wshadow
    printf '#include <koila/%s>\n' koila.hpp nn/serialize.hpp | "${compile[@]}" -Wshadow -Werror -fsyntax-only -x c++ - || complain 'koila.hpp does not compile with -Wshadow'
    ;;
  # Each name that `using namespace koila` makes visible is documented. The compiler must be clang.
  # clang's list also contains template parameters, which begin with a capital letter or are single
  # letters.
  exported)
    namespaces='author|detail|device|no_fused_types|hana|internal|kernels|nn|ops|rules|flows|v[0-9]+'
    mapfile -t names < <(printf '#include <koila/koila.hpp>\n' | "${compile[@]}" -fsyntax-only -x c++ - -Xclang -ast-list |
      sed -nE 's/^koila::(v[0-9]+::)?([A-Za-z_0-9]+)$/\2/p' | sort -u | grep -vxE "$namespaces|.")
    [ "${#names[@]}" -gt 400 ] || complain "only ${#names[@]} names were found"
    documented=$( (cat docs/reference.md; sed '/^Only gradients and expansions/,$d' docs/ops.md) | grep -oE '`[^`]+`')
    for name in "${names[@]}"; do
      if [[ $name == [A-Z]* ]]; then grep -rqE "concept $name\b" include || continue; fi
      grep -qw "$name" <<<"$documented" || complain "$name is visible in namespace koila and not documented: it belongs in koila::detail or in docs/"
    done
    ;;
  koila_hpp)  # koila.hpp includes at::Tensor but none of LibTorch's operators
    files=$(reads include/koila/koila.hpp) || complain 'koila.hpp does not preprocess'
    while read -r file; do complain "koila.hpp reads $file"; done \
      < <(grep -E '/torch/torch\.h|/ATen/(ATen|Functions|TensorOperators)\.h|/ATen/ops/' <<<"$files" | grep -v '_ops\.h' | head)
    ;;
  sizes)  # no header has more than 500 lines
    while read -r lines file; do
      [ "$file" = total ] || [ "$lines" -le 500 ] || complain "$file has $lines lines, 500 at most"
    done < <(find include -name '*.[hi]pp' -exec wc -l {} +)
    ;;
  licence)  # each source names its licence; version.hpp and the inline namespace have the project's version
    mapfile -t files < <(find .ci CMakeLists.txt benchmarks cmake examples include scripts tests -type f -not -name '*.md' -not -name '*.tsv' \
      -not -path 'scripts/wheels/*')
    [ "${#files[@]}" -gt 1000 ] || complain "only ${#files[@]} files were found"
    while read -r file; do complain "$file: the line SPDX-License-Identifier is missing"; done \
      < <(grep -L 'SPDX-License-Identifier: MIT' "${files[@]}")
    version=$(sed -nE 's/^#define KOILA_VERSION_\w+ ([0-9]+)$/\1/p' include/koila/version.hpp | paste -sd .)
    grep -q "project(koila VERSION $version " CMakeLists.txt || complain "include/koila/version.hpp says $version"
    while read -r line; do complain "$line: names that are compiled are in koila::inline v${version%%.*}"; done \
      < <(grep -rnE '^ *namespace koila\b' include | grep -vE "namespace koila::inline v${version%%.*}(::[a-z:_]+)?(::inline [A-Z_]+)? \{$")
    ;;
  # No parameter and no function is called at, of, in, is or how; no name of the past is back.
  # Comments and strings do not count.
  names)
    past='why|spell|says|gnode|tri|sketch|slot|call_notes|program_key|dying_values|joined_sums|nested_joins|element_runs|element_kernel'
    past+='|hold_set|hold_ladder|rung|climb|besides|lend|take_back|let_go|stand_in|neutral|shifted_lines|few_rows|turned|told_of|as_outside|least_gain'
    code() {
      grep -rE "$1" --include='*.[chi]pp' --line-number include tests benchmarks examples |
        sed -E 's/^([^:]*:[0-9]+):/\1\t/; s/"([^"\\]|\\.)*"//g; s@//.*@@' | grep -E "\t.*($1)"
    }
    [ "$(code '\bgraph_node\b' | wc -l)" -gt 50 ] || complain 'the code was not read'
    while IFS=$'\t' read -r line text; do complain "$line: $text"; done \
      < <(code '(auto|void|bool|int) (at|of|in|is|how)\(|([A-Za-z0-9_>]|[^ ][&*]) (\.\.\.)?(at|of|in|is|how)([,)]| = (\{[^}]*\}|[A-Za-z0-9_.:-]+)\))' | grep -vE '\b(return|case) (at|of|in|is|how)\b'
        code "\\b($past)\\b")
    ;;
  comments)  # no comment line has more than 100 columns
    while read -r line; do complain "$line: a comment line of more than 100 columns"; done \
      < <(grep -rnE --include='*.[chi]pp' '^ *//' include tests benchmarks examples | awk -F: '{ text = $0; sub(/^[^:]*:[^:]*:/, "", text); if (length(text) > 100) print $1 ":" $2 }')
    ;;
  # Each header of ops/ has one test, and ops.hpp includes all ops.
  mirrors)
    while read -r file; do
      name=${file#include/koila/ops/}
      name=${name%.hpp}
      [ -e "tests/ops/$name.cpp" ] || complain "$file has no test tests/ops/$name.cpp"
    done < <(find include/koila/ops -name '*.hpp' | sort)
    scripts/ops --check || complain 'the lists of ops are not up to date'
    scripts/reference --check || complain 'docs/reference.md is not up to date'
    for name in parameter input buffer let erased options memory_plan run plan backward gradient manual_seed training_step step sgd adam \
      adamw linear conv2d batch_norm lstm save load error memory_error registration; do
      grep -qE "^#### .*\b$name\b" docs/reference.md || complain "docs/reference.md lacks $name"
    done
    ;;
  # Only torch/parallel.hpp calls at::parallel_for. This function runs on a single thread if the
  # code that calls it is compiled without OpenMP.
  threads)
    while read -r line; do complain "$line: detail::parallel_for is meant"; done \
      < <(grep -rnE 'at::parallel_(for|reduce)\(|# *pragma +omp' include | grep -v '^include/koila/torch/parallel.hpp')
    ;;
  # Only torch/, kernels/ and device/ use LibTorch's internals. Other folders include only the
  # headers of tensors and operators.
  libtorch)
    while read -r line; do complain "$line: a header of koila/torch is meant"; done \
      < <(grep -rnE '# *include *<(ATen|c10|torch)/' include/koila | grep -vE '^include/koila/(kernels|torch|device)/|<ATen/(core/Tensor\.h|ops/\w+_ops\.h)>')
    ;;
  # Only torch/, kernels/ and device/ check on which device a tensor lies. In ops/, only random ops
  # read or write elements: for all other ops, kernels do. docs/cuda.md names each op that has a
  # kernel only for the host.
  devices)
    while read -r line; do complain "$line: a kernel registers itself for a type of device"; done \
      < <(grep -rnE '\b(on_host|is_cpu)\(' include/koila | grep -vE '^include/koila/(kernels|torch|device)/|:[0-9]+: *//')
    while read -r file; do
      [ "$(basename "$file")" = cat.ipp ] && continue  # compares the addresses of operands, see plan/concat_in_place.hpp
      grep -qE '::draw\(|at::kCPU' "$file" || complain "$file: a kernel for the host alone, of tensors anywhere"
    done < <(grep -rlE --exclude-dir=common '\bdata<|data_ptr *[<(]|\bfor_each_(row|line|label|gathered)|detail::remap\(' include/koila/ops)
    while read -r file; do
      name=$(basename "$file" .ipp)
      op=$(find include/koila/ops -name "$name.hpp")
      [ -z "$op" ] || grep -qE '\b(static void (evaluate|draw)|elements)\(' "$op" || grep -q "\`$name\`" docs/cuda.md ||
        complain "docs/cuda.md does not say that $name is for the host alone"
    done < <(find include/koila/kernels/cpu/ops -name '*.ipp')
    ;;
  # An op states its properties in its struct. Therefore no code compares an op's name, or checks
  # whether an op is a certain op.
  op_names)
    name='\b(op|Op|info|Info|n|x|node)(\(\))?(->|::|\.)name\b(\(\))?'
    compared="$name *([!=]=|\.(compare|starts_with|ends_with|find|substr)\()|[!=]= *([A-Za-z_]+(->|::|\.))*$name|\bname\b(\(\))? *[!=]= *\"[a-z]|\"[a-z_]+\"(sv)? *[!=]= *[A-Za-z_.>-]*\bname\b"
    known='[!=]= *&(koila::|detail::)*(info_of<|[a-z_]*_info\b)'
    while read -r line; do complain "$line: what an op is, it states in its struct"; done < <(grep -rnE "$compared|$known" include)
    ;;
  # docs/architecture/ops.md lists the members that an op may state. For each of them, some code
  # looks for that member.
  members)
    mapfile -t members < <(sed -n '/^## What an op states/,/^## /p' docs/architecture/ops.md | grep '^| `' | cut -d '|' -f 2 | grep -oE '\w+')
    [ "${#members[@]}" -gt 10 ] || complain 'the members in docs/architecture/ops.md were not found'
    for member in "${members[@]}"; do
      grep -rqE "(Op|Kernel)::$member\b" include/koila/{shape,expr,graph} || complain "docs/architecture/ops.md: no code asks an op for $member"
    done
    ;;
  readme)  # the README's program is the one that is compiled
    mapfile -t lines < <(sed -n '/^## A program/,/^## A wrong shape/{/^```cpp/,/^```$/p}' README.md | grep -vE '^(```.*|  \.\.\.|)$')
    [ "${#lines[@]}" -gt 20 ] || complain 'the program in README.md was not found'
    for line in "${lines[@]}"; do
      grep -qxF -- "$line" examples/readme.cpp || complain "README.md: not in examples/readme.cpp: $line"
    done
    ;;
  links)  # each link within the documentation has a target, and a heading if it names one
    heading() { tr '[:upper:]' '[:lower:]' | sed -E 's/^#+ //; s/[^a-z0-9_ -]//g; s/ /-/g'; }
    while IFS=: read -r file link; do
      target=${link#*](} target=${target%)}
      case $target in http*) continue ;; esac
      path=${target%%#*} anchor=
      case $target in *'#'*) anchor=${target#*#} ;; esac
      [ -n "$path" ] && path=$(dirname "$file")/$path || path=$file
      if [ ! -e "$path" ]; then complain "$file: $link: there is no such file"
      elif [ -n "$anchor" ] && ! grep -E '^#+ ' "$path" | heading | grep -qxF -- "$anchor"; then
        complain "$file: $link: there is no such heading"
      fi
    done < <(find . -name '*.md' -not -path './build/*' -exec grep -HoE '\]\([^) ]+\)' {} +)
    ;;
  *) complain "no check named $check" ;;
esac
exit "$broken"
