#!/usr/bin/env bash
# Odd conditions: closed streams, no working directory, no room, a recorder that crashes, programs with other rights.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/perf.data
record=("$xprof" record -e cpu-clock -F 997)
spin='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'

"${record[@]}" -o "$data" -- sh -c "$spin" <&- >&- 2>&-
is $? 0 "a_recorder_without_standard_streams_succeeds"
ok "and_records" test "$(perf_samples "$data")" -gt 10
# shellcheck disable=SC2016 # for the inner shell
"${record[@]}" -q -o "$data" -- sh -c 'for fd in 3 4 5 6 7 8 9; do [ ! -e /proc/self/fd/$fd ] || readlink /proc/$$/fd/$fd; done' \
	<&- >"$tmp/open" 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
unlike "$(cat "$tmp/open")" "perf_event|xprof|perf.data" "nor_does_the_command_inherit_any_of_its_files"

mkdir "$tmp/gone"
status_is 0 "a_working_directory_that_was_deleted_is_no_matter" \
	sh -c 'cd "$1" && rmdir "$1" && shift && exec "$@"' sh "$tmp/gone" "${record[@]}" -o "$data" -- true

# FILE: perf and xprof can read it as far as it was written.
is_readable() {
	test "$(perf_samples "$1")" -gt 10 && "$xprof" report -i "$1" >"$tmp/report" 2>&1
}
mkdir "$tmp/small"
if mount -t tmpfs -o size=128k none "$tmp/small" 2>/dev/null; then
	status_is 1 "a_full_disk_is_an_error" "${record[@]}" -F 4000 --call-graph dwarf -z0 -o "$tmp/small/perf.data" -- sh -c "$spin; $spin"
	like "$output" "free some space" "whose_remedy_is_said"
	ok "what_had_room_can_be_read" test "$(perf_samples "$tmp/small/perf.data")" -gt 3
	mount -o remount,ro "$tmp/small"
	status_is 1 "so_is_one_that_cannot_be_written" "${record[@]}" -o "$tmp/small/other.data" -- true
	like "$output" "Read-only file system" "which_is_said"
	umount "$tmp/small"
else
	skip "no file system can be mounted here" "a_full_disk_is_an_error"
fi

for signal in KILL SEGV; do
	rm -f "$tmp/survived" "$data"
	ulimit -c 0
	start "${record[@]}" -q -g -o "$data" -- sh -c "$spin; until [ -e '$tmp/ended' ]; do sleep 0.05; $spin; done; touch '$tmp/survived'"
	recorder=$pid
	wait_until 20 is_readable "$data"
	kill -s "$signal" "$recorder"
	wait "$recorder" 2>/dev/null
	touch "$tmp/ended"
	ok "a_command_outlives_its_recorder_that_ends_by_SIG$signal" wait_until 20 test -e "$tmp/survived"
	ok "whose_file_can_be_read_after_SIG$signal" is_readable "$data"
	rm "$tmp/ended"
done

status_is 1 "a_limit_on_open_files_that_is_too_low_is_an_error" bash -c 'ulimit -n 10; exec "$@"' bash "${record[@]}" -o "$data" -- true
like "$output" "limit on open files|Too many open files" "which_is_said_too"

# The kernel removes a user's events from a program that has other rights.
chmod 755 "$tmp"
cp "$xprof" "$tmp/xprof"
if cp "$(command -v sleep)" "$tmp/sleep" && chown 0:0 "$tmp/sleep" 2>/dev/null && chmod 4755 "$tmp/sleep" &&
	install -d -o 65534 "$tmp/theirs" 2>/dev/null && command -v setpriv >/dev/null &&
	setpriv --reuid 65534 --clear-groups "$tmp/xprof" record -q -e cpu-clock:u -o "$tmp/theirs/perf.data" -- true 2>/dev/null; then
	output=$(setpriv --reuid 65534 --clear-groups "$tmp/xprof" record -e cpu-clock:u -o "$tmp/theirs/perf.data" -- "$tmp/sleep" 0.5 2>&1)
	like "$output" "the last 0\.[0-9]s are not recorded: .*setuid" "a_setuid_command_is_not_recorded_which_is_said"
else
	skip "no other user can record here" "a_setuid_command_is_not_recorded_which_is_said"
fi
unlike "$("${record[@]}" -o "$data" -- sleep 0.3 2>&1)" "not recorded" "an_ordinary_command_is"

# Mappings of other recorders' rings are not files: the kernel logs a complaint about a program that reads them.
if "${record[@]}" -q -a -o "$data" --duration 0.1 2>/dev/null && dmesg >/dev/null 2>&1; then
	start "${record[@]}" -q -a -o "$tmp/other.data" --duration 30
	other=$pid
	wait_until 10 grep -q perf_event "/proc/$other/maps"
	start "${record[@]}" -q -a -g -o "$data" --duration 0.1
	wait "$pid"
	is "$(dmesg | grep -c "kernel read not supported.*(pid: $pid ")" 0 "the_kernel_has_nothing_to_complain_of"
	kill -INT "$other"
else
	skip "the system or its log cannot be seen" "the_kernel_has_nothing_to_complain_of"
fi
done_testing
