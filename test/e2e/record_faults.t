#!/usr/bin/env bash
# A kernel that refuses: every errno of perf_event_open and of the mapping of a ring, for all calls and for later ones; a clock
# that jumps; processes that multiply until they reach their limit. The recorder records, or says why not; it never hangs or
# crashes.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock
case $build in
*/asan | */ubsan | */tsan) skip_all "a sanitized program takes no other library before its own" ;;
esac
command -v gcc >/dev/null || skip_all "no compiler"
ok "a_kernel_that_refuses_can_be_made" gcc -shared -fPIC -O1 -o "$tmp/failing.so" "$source_root/test/e2e/programs/failing_kernel.c"

# CALL ERRNO FROM TO OPTION...: "STATUS MESSAGE" of a recording in which those calls fail.
fail() {
	local call=$1 number=$2 from=$3 to=$4 status=0
	shift 4
	rm -f "$tmp/failed.data"
	LD_PRELOAD=$tmp/failing.so FAIL_CALL=$call FAIL_ERRNO=$number FAIL_FROM=$from FAIL_TO=$to \
		timeout -s KILL 60 "$xprof" record -e cpu-clock -o "$tmp/failed.data" "$@" -- true >"$tmp/said" 2>&1 || status=$?
	echo "$status $(grep -a -m 1 xprof: "$tmp/said")"
}

# CALL ERRNO...: with each, for all calls and from the third on.
try_all() {
	local call=$1 number from said
	shift
	wrong=
	for number in "$@"; do
		for from in 1 3; do
			said=$(fail "$call" "$number" "$from" 1000000)
			# It ends well, or says why not.
			[[ "$said" =~ ^(0|1\ xprof:\ .{15,}) ]] || wrong+=" $number from $from: $said;"
			[ "$from" -gt 1 ] || [[ "$said" =~ ^1\  ]] || wrong+=" $number from 1: $said;"
		done
	done
}
# E2BIG EACCES EBADF EBUSY EFAULT EINVAL EMFILE ENODEV ENOENT ENOSPC ENOSYS EOPNOTSUPP EOVERFLOW EPERM ESRCH EIO ENOMEM ENXIO
try_all perf_event_open 7 13 9 16 14 22 24 19 2 28 38 95 75 1 3 5 12 6
is "$wrong" "" "a_recorder_whose_events_are_refused_says_why"
# EACCES EAGAIN EBADF EINVAL ENFILE ENODEV ENOMEM EOVERFLOW EPERM ETXTBSY EIO
try_all mmap 13 11 9 22 23 19 12 75 1 26 5
is "$wrong" "" "so_does_one_whose_rings_are_refused"
# EINTR.
like "$(fail perf_event_open 4 1 3)" "^0 " "a_call_that_is_interrupted_is_repeated"
# EPERM: the limit of locked memory; the recorder can get a smaller ring.
like "$(fail mmap 1 1 2)" "^0 " "a_ring_that_may_not_be_locked_is_made_smaller"
like "$(cat "$tmp/said")" "locked memory is limited" "which_is_said"
like "$(fail mmap 12 1 1)" "^0 " "so_is_one_that_there_is_no_memory_for"
for options in "-a" "-g" "--overwrite" "-a -e page-faults"; do
	# shellcheck disable=SC2086 # words
	said=$(fail perf_event_open 24 4 1000000 $options)
	like "$said" "^(0|1 xprof: .{15,})" "$options: too_many_open_files_are_an_error_that_is_explained"
	# shellcheck disable=SC2086
	like "$(fail mmap 1 1 1000000 $options)" "^1 xprof: .*(lock|ring)" "$options: so_are_rings_that_may_not_be"
done

# The time of day jumps back and forth: names of files follow it, nothing is overwritten.
mkdir "$tmp/jumps"
# shellcheck disable=SC2016 # for the inner shell
CLOCK_JUMPS=1 LD_PRELOAD=$tmp/failing.so "$xprof" record -q -e cpu-clock -F 499 --switch-output -o "$tmp/jumps/perf.data" -- sh -c '
	unset LD_PRELOAD
	n=0; while [ $n -lt 4 ]; do sleep 0.1; kill -USR2 $PPID; n=$((n+1)); i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; done' 2>"$tmp/said"
is $? 0 "a_clock_that_jumps_ends_no_recording"
names=$(find "$tmp/jumps" -type f | wc -l)
ok "no_file_is_overwritten" test "$names" -ge 3 -a "$names" -le 5
readable=0
for file in "$tmp"/jumps/*; do "$xprof" script -i "$file" >/dev/null 2>&1 && readable=$((readable + 1)); done
is "$readable" "$names" "and_each_can_be_read"
hours=$(find "$tmp/jumps" -type f -printf '%f\n' | cut -c 11-20 | sort -u | wc -l)
ok "their_names_have_the_clocks_time" test "$hours" -ge 2

# A clock that is set forward by a day ends no file and no recording before its time.
mkdir "$tmp/forward"
CLOCK_FORWARD=86400 LD_PRELOAD=$tmp/failing.so "$xprof" record -e cpu-clock -F 499 -D 0-100000 --switch-output=1h --duration 1h \
	-o "$tmp/forward/perf.data" -- env -u LD_PRELOAD sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; exit 3' 2>"$tmp/said"
is $? 3 "a_clock_that_is_set_forward_ends_no_recording"
is "$(find "$tmp/forward" -type f | wc -l)" 1 "nor_a_file"
first=$(find "$tmp/forward" -type f)
# By the monotonic clock, as any other recording.
ok "nor_do_samples_have_its_time" awk -v before="$("$xprof" script -i "$first" -F time 2>/dev/null | tail -1 | tr -d ' :')" \
	-v up="$(cut -d' ' -f1 /proc/uptime)" 'BEGIN { exit !(before > 0 && before < up + 3600) }'

# A group of processes that multiply up to its limit, again and again.
group=/sys/fs/cgroup/pids/xprof-test-$$
[ -d /sys/fs/cgroup/pids ] || group=/sys/fs/cgroup/xprof-test-$$
if mkdir "$group" 2>/dev/null && echo 60 2>/dev/null >"$group/pids.max"; then
	# shellcheck disable=SC2016
	"$xprof" record -a -e cpu-clock -F 997 -o "$tmp/storm.data" -- bash -c '
		echo $$ >"$0/cgroup.procs"
		end=$((SECONDS + 2))
		storm() { while [ $SECONDS -lt $end ]; do (storm) & (:) & (:) & wait; done; }
		storm 2>/dev/null
		exit 0' "$group" 2>"$tmp/said"
	is $? 0 "processes_that_multiply_are_recorded"
	like "$(tail -1 "$tmp/said")" "storm.data: [0-9,]+ samples in" "and_the_recording_ends"
	status_is 0 "it_can_be_read" "$xprof" report -i "$tmp/storm.data"
	wait_until 20 rmdir "$group"
else
	rmdir "$group" 2>/dev/null
	skip "no cgroup with a limit of processes here" "processes_that_multiply_are_recorded"
fi
done_testing
