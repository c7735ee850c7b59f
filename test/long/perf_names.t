#!/usr/bin/env bash
# As test/e2e/perf_names.t, with compilers, run-time compilers and the whole system: C, C++, Rust, Go, Java, JavaScript and
# Python, if installed.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
# shellcheck source=test/lib/names.sh
. "$(dirname "$0")/../lib/names.sh"
need_perf
perf_quietly record -q -e cpu-clock -g -o "$tmp/probe.data" true >/dev/null || skip_all "perf cannot record here"
cd "$tmp" || exit

cat >work.rs <<'END'
use std::collections::HashMap;
fn main() {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for i in 0..600_000u64 { *counts.entry(format!("k{}", i % 1000)).or_default() += i; }
    println!("{}", counts.len());
}
END
cat >work.go <<'END'
package main

import ("fmt"; "sort"; "strings")

func main() {
	words := []string{}
	for i := 0; i < 300000; i++ { words = append(words, strings.Repeat(fmt.Sprint(i%977), 3)) }
	sort.Strings(words)
	fmt.Println(len(words))
}
END
cat >Work.java <<'END'
public class Work {
	static double inner(int i) { double sum = 0; for (int k = 0; k < 50; k++) sum += Math.sqrt(i * k); return sum; }
	public static void main(String[] arguments) {
		double sum = 0;
		for (int i = 0; i < 4000000; i++) sum += inner(i);
		System.out.println(sum);
	}
}
END
cat >work.js <<'END'
function inner(i) { let s = 0; for (let k = 0; k < 50; k++) s += Math.sqrt(i * k); return s }
let sum = 0
for (let i = 0; i < 400000; i++) sum += inner(i)
console.log(sum)
END
cat >work.cc <<'END'
#include <iostream>
#include <map>
#include <regex>
int main()
{
	std::map<std::string, int> found;
	for (int i = 0; i < 3000; i++) {
		std::string text = "a" + std::to_string(i * 7919) + "b";
		if (std::regex_match(text, std::regex("a(\\d+)b")))
			found[text.substr(0, 3)]++;
	}
	std::cout << found.size() << "\n";
}
END

# NAME COMMAND...: recorded with frame pointers, then with dumps
compare() {
	local name=$1 graph unwound=()
	shift
	for graph in fp dwarf; do
		perf_quietly record -q -e cpu-clock -F 1499 --call-graph $graph -o "$name.data" "$@" >"$name.out"
		test_names "${name}_$graph" "$name.data" "${unwound[@]}"
		rm -f "$name.data"
		unwound=(--unwound)
	done
}

# PROGRAM NAME COMMAND...: if the program is installed
compare_if() {
	if command -v "$1" >/dev/null; then
		compare "${@:2}"
	else
		skip "$1 is not installed" "$2"
	fi
}

compare_if g++ gcc g++ -O2 -o work_cc work.cc
[ -x work_cc ] && compare cxx ./work_cc
compare_if clang++ clang clang++ -O2 -c -o work_clang.o work.cc
compare_if rustc rustc rustc -O -o work_rs work.rs
[ -x work_rs ] && compare rust ./work_rs
compare_if go go go build -o work_go work.go
[ -x work_go ] && compare golang ./work_go
command -v javac >/dev/null && javac Work.java
compare_if java java java -XX:+UnlockDiagnosticVMOptions -XX:+PreserveFramePointer -XX:+DumpPerfMapAtExit Work
compare_if node node node --perf-basic-prof --interpreted-frames-native-stack work.js
compare_if python3 python python3 -c 'import json, re
text = json.dumps([{"a": i, "b": str(i) * 3} for i in range(60000)])
json.loads(text); re.findall(r"\d+", text)'
compare_if xz pipeline sh -c 'tar c /usr/include 2>/dev/null | xz -1 | xz -d | sort | md5sum'
compare_if git git git -C "$source_root" log --stat

sh -c 'cat /usr/include/*.h | gzip -9 | gzip -d | sort' >/dev/null &
perf_quietly record -q -a -e cpu-clock -F 997 -g -o system.data sleep 3 >/dev/null
wait
test_names system system.data

sort -k2 -t$'\t' kinds | awk -F'\t' '{ sum[$2] += $1 } END { for (kind in sum) printf "%8d  %s\n", sum[kind], kind }' |
	sort -nr | while read -r line; do diag "$line"; done
done_testing
