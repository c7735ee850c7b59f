#!/usr/bin/env bash
# Runs programs as distributions ship them, most without frame pointers: those that are installed, about a second each. Their
# stacks have deep interpreters, hand-written assembly, C++ with exceptions, a JIT compiler, Rust, start-up and constructors of
# large libraries.
#
# usage: mixed.sh
set -u
tmp=$(mktemp -d "${TMPDIR:-/tmp}/mixed.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# PROGRAM [ARGUMENT...]: runs it if it is installed; its output does not matter.
run() {
	! command -v "$1" >/dev/null || "$@" >/dev/null 2>&1 </dev/null || true
}

cat >x.cc <<'EOF'
#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <vector>
int main()
{
	std::map<std::string, std::vector<int>> numbers;
	for (int i = 0; i < 10; i++)
		numbers[std::to_string(i)].push_back(i);
	return std::regex_match("a", std::regex("b")) + (int)numbers.size();
}
EOF
cat >x.rs <<'EOF'
use std::collections::BTreeMap;
fn main() {
    let map: BTreeMap<String, usize> = (0..10).map(|i| (i.to_string(), i)).collect();
    println!("{:?}", map);
}
EOF
input=$(readlink -f "$(command -v bash)")

run python3 -c '
import json, re
rows = [{"a": i, "b": str(i) * 5} for i in range(40000)]
for _ in range(2):
    text = json.dumps(rows); json.loads(text); re.findall("[0-9]+a?", text[:200000])
    sorted(rows, key=lambda row: row["b"])'
run xz -T1 -6 -c "$input"
run openssl speed -seconds 1 sha256 rsa2048
if command -v git >/dev/null; then
	run git init -q .
	for i in 1 2 3 4 5 6 7 8 9 10; do
		run cp "$input" binary
		echo "$i" >>text
		run git add .
		run git -c user.name=x -c user.email=x@localhost commit -q -m "$i"
	done
	run git gc -q
	run git log -p --stat
fi
run g++ -O2 -c x.cc -o x.o
run rustc -O x.rs -o x
run node -e '
let rows = [];
for (let i = 0; i < 2e5; i++) rows.push({ k: i, v: "x" + i });
for (let j = 0; j < 3; j++) { JSON.parse(JSON.stringify(rows)); rows.sort((x, y) => x.v < y.v ? -1 : 1); }'
