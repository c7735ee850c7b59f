#!/usr/bin/env bash
# Time off the CPU of threads in C++ (with and without frame pointers), Go, Java and Python: as long as each thread measures
# with its own clocks, with whole stacks, and with the wakers that the threads report.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
programs=$source_root/test/e2e/programs
cd "$tmp" || exit

"$xprof" record -q --off-cpu -e dummy -o probe.data -- true 2>probe.err || skip_all "no waits here: $(head -1 probe.err)"

# NAME KEY: the value of that thread in `compared`.
value() {
	awk -v name="$1" -v key="$2" '$1 == name { for (i = 2; i <= NF; i++) { split($i, pair, "="); if (pair[1] == key) print pair[2] } }' compared
}
# NAME: within a hundredth and 5 ms?
near() {
	awk -v a="$(value "$1" measured)" -v b="$(value "$1" off)" \
		'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && b != "" && d <= a / 100 + 0.005) }'
}
names() { awk '{ print $1 }' waits.txt; }
all_near() {
	local name
	for name in $(names); do
		near "$name" || return
	done
}

# LANGUAGE COMMAND...: on a busy machine a wait may be long in ways that a thread's own clocks do not show, so the best of a few
# tries counts.
compare() {
	local language=$1 name
	shift
	for _ in 1 2 3 4 5 6; do
		"$xprof" record -q --off-cpu=100us -e dummy -o waits.data -- "$@" >waits.txt
		"$xprof" script -F comm,tid,time,period,event,ip,sym,dso,bpf-output -i waits.data >script.txt 2>/dev/null
		python3 "$programs/wait_threads.py" script.txt waits.txt >compared
		all_near && break
	done
	sed "s/^/# $language: /" compared
	ok "$language: it has threads that waited" test "$(names | wc -l)" -ge 2
	for name in $(names); do
		ok "$language: ${name} waits as long as it says" near "$name"
		ok "$language: ${name} has whole stacks" awk -v n="$(value "$name" whole)" 'BEGIN { exit !(n >= 99) }'
		ok "$language: ${name} was woken by its waker" awk -v n="$(value "$name" waker)" 'BEGIN { exit !(n >= 99) }'
	done
}

for pointers in omit no-omit; do
	g++ -O2 -f$pointers-frame-pointer -pthread -o waits "$programs/waits.cc" || exit
	compare "C++, -f$pointers-frame-pointer" ./waits
done
compare Python python3 "$programs/waits.py"
if command -v go >/dev/null; then
	GOCACHE=$tmp/go GOFLAGS=-mod=mod go build -o waits_go "$programs/waits.go" || exit
	compare Go ./waits_go
else
	skip "no Go is installed" "Go: threads wait as long as they say"
fi
if command -v javac >/dev/null; then
	javac -d . "$programs/Waits.java" || exit
	compare Java java -cp . Waits
else
	skip "no Java compiler is installed" "Java: threads wait as long as they say"
fi
done_testing
