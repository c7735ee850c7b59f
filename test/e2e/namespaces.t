#!/usr/bin/env bash
# Code of containers, and of files that were deleted or replaced: files that only the recorded process sees are looked up there
# while it lives, and another file than the recorded one is never used.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
export HOME=$tmp # another test's perf may have put the program into ~/.debug
need_recording -e cpu-clock -g
[ "$(uname -m)" = x86_64 ] || skip_all "the code of the workload is for x86-64"
gcc -O2 -o "$tmp/workload" "$(dirname "$0")/programs/map_workload.c" || skip_all "there is no compiler"

# shellcheck disable=SC2317 # called through ok
# RECORD_OPTION|"" NAME COMMAND...: records it until it has done its work, and leaves it running
record_running() {
	local option=$1 name=$2
	shift 2
	mkfifo "$tmp/$name.in"
	# shellcheck disable=SC2016,SC2086 # for the inner shell; one option or none
	"$xprof" record -q $option -e cpu-clock -F 997 -g -o "$tmp/$name.data" -- sh -c \
		'name=$1; shift; "$@" <>"$name.in" >"$name.out" 2>"$name.log" & echo $! >"$name.pid"
		until grep -q "done" "$name.out" || ! kill -0 $! 2>/dev/null; do sleep 0.05; done' sh "$tmp/$name" "$@" 2>"$tmp/err"
	grep -q 'done' "$tmp/$name.out"
}
# NAME: its program is gone when this returns
let_it_end() {
	# shellcheck disable=SC2016 # for the inner shell
	timeout 10 sh -c 'echo end >"$0"' "$tmp/$1.in"
	wait_until 20 test ! -e "/proc/$(<"$tmp/$1.pid")/exe" # not that of a zombie either
}
# NAME: the functions of the workload that samples are in
functions() {
	"$xprof" report -i "$tmp/$1.data" --comms work --stdio -g none --no-children -F symbol 2>"$tmp/err" |
		grep -oE 'made_[a-z_]+' | sort -u | tr '\n' ' '
}

# --- another mount and PID namespace -----------------------------------------------------

# A /tmp of its own, in which there are the program and the names of its run-time code.
# shellcheck disable=SC2016 # for the inner shell
inside='mount -t tmpfs none /mnt && cp "$0" /mnt/work && mount --move /mnt /tmp && exec /tmp/work 0.4'
if unshare -m -p --fork sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
	ok "a process in namespaces of its own was recorded" record_running -a inner \
		unshare -m -p --fork sh -c "$inside" "$tmp/workload"
	is "$(functions inner)" "made_at_run_time made_by_the_compiler " "its program and its perf map are read in its /tmp"
	let_it_end inner
	is "$(functions inner)" "made_at_run_time " "once it has ended, its program is gone, and the map that the recording kept is not"
else
	skip "no namespaces may be made here" "a process in namespaces of its own"
fi

# --- deleted and replaced files -----------------------------------------------------------------

cp "$tmp/workload" "$tmp/work"
ok "a process was recorded" record_running "" plain "$tmp/work" 0.4
rm "$tmp/work"
is "$(functions plain)" "made_at_run_time made_by_the_compiler " "a deleted program is read as long as it runs"
gcc -O1 -o "$tmp/work" -DOTHER "$(dirname "$0")/programs/map_workload.c"
is "$(functions plain)" "made_at_run_time made_by_the_compiler " "and so is one that was replaced"
let_it_end plain
left_behind="/tmp/perf-$(<"$tmp/plain.pid").map"
is "$(functions plain)" "made_at_run_time " "another program in its place is not taken for it"
like "$("$xprof" report -i "$tmp/plain.data" --comms work --stdio 2>&1)" "in $tmp/work: the file here is another build; it was updated" \
	"which the header says"
rm -f "$left_behind"

# --- files that were deleted before they were looked at ---------------------------------------------

cp "$tmp/workload" "$tmp/work"
start "$tmp/work" 1000 </dev/null >/dev/null
wait_until 20 sh -c "readlink /proc/$pid/exe | grep -q /work"
rm "$tmp/work"
"$xprof" record -q -e cpu-clock -F 997 -g -p "$pid" -o "$tmp/early.data" -- sleep 0.5 2>"$tmp/err"
like "$(functions early)" made_by_the_compiler "a program that was deleted before is read as long as it runs"
kill -9 "$pid"
rm -f "/tmp/perf-$pid.map"
wait "$pid" 2>/dev/null
is "$(functions early)" "made_at_run_time " "when it has ended only the map that the recording kept has names"
done_testing
