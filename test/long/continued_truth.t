#!/usr/bin/env bash
# Stacks of stock programs and of programs that rebuild their stacks as fast as they can. Compares stacks that the recorder
# continues by reading the process, frame by frame, with copies of the whole stack at the same samples; and the copies with the
# memory of the thread, which is stopped at its sample.
#
#   TABLE=FILE          keeps the table
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
cat >deep.c <<'END_OF_C'
#include <stdlib.h>
static volatile unsigned long sum;
__attribute__((noinline, noclone)) static void down(int depth)
{
	volatile char room[112];
	room[depth % 112] = 1;
	if (depth)
		down(depth - 1);
	sum += room[depth % 112];
}
int main(int count, char **arguments)
{
	for (long turn = 0; turn < 60000; turn++)
		down(atoi(arguments[count - 1]));
	return sum == 1;
}
END_OF_C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o deep deep.c
for unit in 1 2 3 4 5 6; do cp source.cc "unit-$unit.cc"; done
cat >many.mk <<'END_OF_MAKE'
all: $(patsubst %.cc,%.o,$(wildcard unit-*.cc))
%.o: %.cc ; g++ -O2 -c -o $@ $<
END_OF_MAKE
{
	printf 'let rec f n = if n < 2 then n else f (n-1) + f (n-2)\n'
	awk 'BEGIN { for (i = 0; i < 300; i++) printf "let g%d x y = match x, y with (a, Some b) -> List.map (fun c -> c + a + b) [1;2;%d] | (a, None) -> List.filter (fun c -> c > a) [3;%d]\n", i, i, i; print "let () = print_int (List.length (g1 1 None) + f 5)" }'
} >words.ml
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

table=${TABLE:-$tmp/table}
printf '%-56s %8s %8s %9s %6s %9s %6s\n' '' samples stacks unmarked wrong marked wrong >"$table"

# NAME NUMBERS STACKS: few enough frames are wrong. Prints a line of the table, with the number that STACKS names.
judge_numbers() {
	local name=$1 numbers=$2 verdict
	verdict=$(awk -v name="$name" -v stacks="$3" -v table="$table" '{ for (i = 1; i < NF; i += 2) n[$i] = $(i + 1) }
		END {
			printf "%-56s %8d %8d %9d %6d %9d %6d\n", name, n["samples"], n[stacks], n["unmarked"], n["wrong_unmarked"], n["marked"], n["wrong_marked"] >>table
			print (n["samples"] > 0 && n["wrong_unmarked"] * 20000 <= n["unmarked"] && n["wrong_marked"] * 1000 <= n["marked"] && n["differing_user"] * 1000 <= n["user"] ? "right" : "wrong")
		}' <<<"$numbers")
	[ "$verdict" = right ] || diag "$numbers"
	is "$verdict" right "$name"
}
# NAME COMMAND...: compares the stacks that the recorder continues above dumps of 16 KiB and 64 KiB, and those that it copies.
judge_program() {
	local name=$1 bytes
	shift
	if ! command -v "$1" >/dev/null; then
		skip "$1 is not installed" "$name"
		return
	fi
	for bytes in 16384 65528; do
		judge_numbers "$name, $((bytes >> 10)) KiB" "$("$judge" -F 1997 -d $bytes "$@" 2>/dev/null | tail -1)" continued
	done
	if [ -n "$copy_judge" ]; then
		judge_numbers "$name, copied" "$("$copy_judge" -F 1997 -s 60 "$@" 2>/dev/null | tail -1)" whole
	else
		skip "$(cat probe)" "$name, copied"
	fi
}
copy_judge=$build/test/continued/copied
"$copy_judge" true >/dev/null 2>probe || copy_judge=
judge_program "a program that rebuilds its stack by other ways" ./rebuild 400000
judge_program "a program in which two callers take turns" ./alternate 800000
judge_program "a compilation by clang++" clang++ -O2 -c -o /dev/null source.cc
judge_program "a compilation by g++" g++ -O2 -c -o /dev/null source.cc
judge_program "Python" /usr/bin/python3 deep.py
judge_program "R" Rscript -e 'f <- function(n) if (n <= 1) 1 else f(n - 1) + sum(sapply(1:3, function(i) i * n))' -e 'for (k in 1:100) f(60)'
judge_program "a parallel build" make -s -B -j2 -f many.mk
judge_program "OCaml's compiler, a deep recursion" ocamlopt.opt -o words-ml words.ml
judge_program "a deep recursion" ./deep 1000
diag "$(cat "$table")"
figure "$(awk 'NR > 1 { frames += $(NF - 3) + $(NF - 1); wrong += $(NF - 2) + $NF } END { printf "%d of %d frames wrong", wrong, frames }' "$table")"
done_testing
