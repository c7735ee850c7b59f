#!/usr/bin/env bash
# JIT code has the names and the unwind information that its compiler wrote into a jitdump file; if code took turns at one
# address, each piece has its own. Compared with perf inject --jit on the same recording.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock --call-graph dwarf
[ "$(uname -m)" = x86_64 ] || skip_all "the code of the workload is for x86-64"

programs=$(cd "$(dirname "$0")" && pwd)/programs
gcc -O2 -o "$tmp/jit_workload" "$programs/jit_workload.c"
cd "$tmp" || exit

record() { # FILE OPTION...
	local file=$1
	shift
	perf_quietly record -q -e cpu-clock -F 997 --call-graph dwarf,16384 -o "$file" "$@" >/dev/null
}

# FILE: "SAMPLES SYMBOL" of the functions that samples hit, most first.
perf_functions() {
	perf_quietly report -i "$1" --stdio -g none --no-children --no-inline -F sample,symbol -t '|' |
		sed -nE 's/^ *([0-9]+) *\|\[\.\] (.*[^ ]) *$/\1 \2/p' | sort -k1,1nr -k2
}
xprof_functions() {
	"$xprof" report -i "$1" --stdio -g none --no-children -F sample,symbol -t '|' 2>"$tmp/err" |
		sed -nE 's/^ *([0-9]+) *\|\[\.\] (.*[^ ]) *$/\1 \2/p' | sort -k1,1nr -k2
}

record turns.data -k monotonic ./jit_workload
"$xprof" report -i turns.data --folded >turns.txt
cut -d' ' -f1 turns.txt | sed -E 's/;spin;.*/;spin/' | sort -u >stacks.txt
stack() { echo "jit_workload;_start;__libc_start_main;__libc_start_call_main;main;$1;spin"; }
ours=$(sed 's/@@GLIBC_[0-9.]*//g' stacks.txt | grep ';spin$')
is "$ours" "$(stack jit_first; stack jit_second)" "code that takes turns at one address is told apart, up to _start"
is "$(grep ';main;' turns.txt | grep -c '\[JIT\]\|unknown')" 0 "nothing in it is without a name"

record one.data ./jit_workload
"$xprof" report -i one.data --folded >one.txt
is "$(grep -oE 'jit_(first|second)' one.txt | sort -u)" jit_second "on another clock than the file's it is the last code"
like "$("$xprof" report -i one.data --stdio 2>&1)" "JIT code.*-k monotonic" "which the header says"

perf_quietly inject --jit -i turns.data -o turns.injected
is "$(xprof_functions turns.injected)" "$(xprof_functions turns.data)" "perf inject's files say the same of functions"
"$xprof" report -i turns.injected --folded | cut -d' ' -f1 | sed -E 's/;spin;.*/;spin/' | sort -u >injected.txt
is "$(<injected.txt)" "$(<stacks.txt)" "and of stacks"

for dump in jit-*.dump; do : >"$dump"; done
"$xprof" report -i one.data --stdio >gone.txt 2>&1
is "$?" 0 "a jitdump file that is empty by now is no error"

if command -v node >/dev/null; then
	cat >work.js <<'END'
function inner(i) { let s = 0; for (let k = 0; k < 50; k++) s += Math.sqrt(i * k); return s }
function outer(n) { let s = 0; for (let i = 0; i < n; i++) s += inner(i); return s }
let sum = 0
while (process.cpuUsage().user < 1500000) sum += outer(1000)
console.log(sum > 0)
END
	record node.data -k monotonic node --perf-prof --perf-prof-unwinding-info work.js
	perf_quietly inject --jit -i node.data -o node.injected
	perf_functions node.injected | grep 'JS:\*' >theirs.txt
	xprof_functions node.data | grep 'JS:\*' >ours.txt
	diag "$(head -n 3 ours.txt)"
	if [ -s theirs.txt ]; then
		is "$(<ours.txt)" "$(<theirs.txt)" "node: functions are those of perf inject --jit, to the sample"
	else
		skip "perf inject found nothing" "node: functions are those of perf inject --jit, to the sample"
	fi
	rooted=$("$xprof" report -i node.data --stacks | sed -nE 's/.*\(([0-9]+)[0-9.]*%\) reach the start.*/\1/p')
	ok "node: $rooted% of the stacks reach the start of their thread" [ "${rooted:-0}" -ge 90 ]
else
	skip "node is not installed" "node: functions are those of perf inject --jit, to the sample"
	skip "node is not installed" "node: stacks reach the start of their thread"
fi

# CPython leaves its machine out of the header; its trampolines have unwind information since 3.13.
python=$(command -v python3.14 || command -v python3.13)
if [ -n "$python" ] && "$python" -X perf_jit -c 0 2>/dev/null; then
	cat >work.py <<'END'
import time
def inner(n): return sum(i * i for i in range(n))
def outer():
    while time.process_time() < 0.7: inner(1000)
outer()
END
	record python.data -k monotonic "$python" -X perf_jit work.py
	like "$("$xprof" report -i python.data --folded 2>err)" 'py::outer:.*;py::inner:' "python: functions have names"
	rooted=$("$xprof" report -i python.data --stacks | sed -nE 's/.*\(([0-9]+)[0-9.]*%\) reach the start.*/\1/p')
	ok "python: $rooted% of the stacks reach the start of their thread" [ "${rooted:-0}" -ge 90 ]
else
	skip "no python with -X perf_jit is installed" "python: functions have names"
	skip "no python with -X perf_jit is installed" "python: stacks reach the start of their thread"
fi
done_testing
