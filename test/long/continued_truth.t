#!/usr/bin/env bash
# Stacks that the recorder continues by reading on in the process, of stock programs and of programs that rebuild their
# stacks as fast as they can: judged frame by frame by copies of the whole stack at the same samples.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
cd "$tmp" || exit

judge=$build/test/continued/continued
[ -x "$judge" ] || skip_all "$judge is not built"
"$judge" true >/dev/null 2>probe || skip_all "$(cat probe)"

for program in rebuild alternate; do
	gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o $program "$source_root/test/continued/programs/$program.c"
done
cat >source.cc <<'END_OF_CC'
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
int main()
{
	std::regex pattern("a+(b|c)*d");
	std::map<std::string, std::vector<int>> numbers;
	std::vector<std::string> names{ "abd", "acd", "x" };
	std::stable_sort(names.begin(), names.end(), [](auto &a, auto &b) { return a > b; });
	std::unordered_map<int, std::string> known;
	std::function<int(int)> f = [&](int x) { return x < 2 ? x : f(x - 1) + f(x - 2); };
	for (auto &name : names)
		if (std::regex_match(name, pattern))
			known[f(5)] = name, numbers[name].push_back(1);
	std::cout << known.size() + numbers.size() << std::endl;
}
END_OF_CC
cat >deep.py <<'END_OF_PY'
import json, sys
sys.setrecursionlimit(10000)
def f(n):
    return 1 if n < 2 else f(n - 1) + len([i for i in range(n)])
for i in range(300):
    f(300)
def tree(d):
    return {str(i): tree(d - 1) for i in range(4)} if d else {}
for i in range(5):
    json.loads(json.dumps(tree(7), indent=1))
END_OF_PY

# NAME COMMAND...: few enough of its frames are wrong.
judge_program() {
	local name=$1 line
	shift
	if ! command -v "$1" >/dev/null; then
		skip "$1 is not installed" "$name"
		return
	fi
	line=$("$judge" -F 1997 "$@" 2>/dev/null | tail -1)
	diag "$name: $line"
	is "$(awk '{ for (i = 1; i < NF; i += 2) n[$i] = $(i + 1) }
		END { print (n["samples"] > 0 && n["wrong_unmarked"] * 20000 <= n["unmarked"] && n["wrong_marked"] * 1000 <= n["marked"] ? "right" : "wrong") }' <<<"$line")" \
		right "$name"
}
judge_program "a program that rebuilds its stack by other ways" ./rebuild 400000
judge_program "a program in which two callers take turns" ./alternate 800000
judge_program "a compilation by clang++" clang++ -O2 -c -o /dev/null source.cc
judge_program "a compilation by g++" g++ -O2 -c -o /dev/null source.cc
judge_program "Python" /usr/bin/python3 deep.py
judge_program "R" Rscript -e 'f <- function(n) if (n <= 1) 1 else f(n - 1) + sum(sapply(1:3, function(i) i * n))' -e 'for (k in 1:100) f(60)'
done_testing
