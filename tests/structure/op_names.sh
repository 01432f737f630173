#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# op_names.sh <tree.sh>: checks that tree.sh refuses each way to ask for an op's name, and nothing
# else.
set -u
tree=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/include/koila"
wrong=0
check() {
  printf '%s\n' "$2" >"$folder/include/koila/some.hpp"
  bash "$tree" op_names "$folder" c++ >/dev/null
  [ $? -eq "$1" ] || { printf 'exit status is not %s: %s\n' "$1" "$2"; wrong=1; }
}
while read -r line; do check 1 "$line"; done <<'LINES'
const bool ends = n.op != nullptr && n.op->name == "detach";
const bool differentiable = op.gradient != nullptr && Op::name != "detach";
s.once = s.op->name == "custom" || s.op->name == "custom_backward";
if (x.name() == "gather") return;
if ("dropout" == op.name) return;
if (a.op->name == b.op->name) return;
if (std::string_view(other) == n.op->name) return;
if (op.name.starts_with("conv")) return;
if (n.op != &info_of<struct slice_backward, 2>()) return false;
s.op = x.op == &detail::copy_info ? nullptr : x.op;
LINES
while read -r line; do check 0 "$line"; done <<'LINES'
o.name = Op::name;
for (const char c : n.op->name) h = detail::mix(h, static_cast<std::size_t>(c));
const bool found = std::any_of(into.begin(), into.end(), [&](const named_leaf& l) { return l.name == name; });
if (x.op != y.op->pull_back) return false;
if (!(f >> name >> m.*figure.is) || name != figure.name) return std::nullopt;
LINES
exit "$wrong"
