#!/usr/bin/env bash
# `xprof record` without privileges: the parts that still work, and the messages about the rest.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(id -u)" -eq 0 ] || skip_all "needs root, to become somebody else"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
chmod 755 "$tmp"
mkdir "$tmp/theirs"
chown 65534 "$tmp/theirs"
cp "$xprof" "$tmp/xprof" # the original's directory may be closed to others
data=$tmp/theirs/perf.data

# A user without capabilities, with no more locked memory than the kernel gives everybody.
unprivileged() {
	(cd / && ulimit -l 64 && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
}
unprivileged "$tmp/xprof" version >/dev/null 2>&1 || skip_all "cannot become another user"
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
[ "$paranoid" -eq 2 ] || skip_all "kernel.perf_event_paranoid is $paranoid, not its default 2"

status_is 1 "the_whole_system_is_refused" unprivileged "$tmp/xprof" record -a -e cpu-clock -o "$data"
like "$output" "permission denied \(kernel.perf_event_paranoid is 2\)" "the_setting_is_named"
like "$output" "sysctl kernel.perf_event_paranoid=0" "the_first_way_out_is_named"
like "$output" "cap_perfmon" "the_second_way_out_is_named"
like "$output" "seccomp" "a_containers_filter_is_named"
is "$(wc -l <<<"$output")" 1 "the_message_is_one_line"

start sleep 60
status_is 1 "another_users_process_is_refused" unprivileged "$tmp/xprof" record -e cpu-clock -p "$pid" -o "$data"
like "$output" "process $pid belongs to another user" "whose_process_it_is_is_said"
status_is 1 "kernel_samples_are_refused" unprivileged "$tmp/xprof" record -e cpu-clock:k -o "$data" -- true
status_is 1 "a_foreign_directory_is_refused" unprivileged "$tmp/xprof" record -e cpu-clock -o "$tmp/f" -- true
like "$output" "cannot write $tmp/f .*[Pp]ermission denied" "the_file_is_named"

# shellcheck disable=SC2016 # expanded by the inner shell
status_is 0 "an_own_program_is_recorded" unprivileged "$tmp/xprof" record -e cpu-clock -F 1999 -o "$data" -- \
	sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
like "$output" "user space only, since kernel.perf_event_paranoid is 2" "that_the_kernel_is_left_out_is_said"
cp "$data" "$tmp/mine.data" # perf reads only its user's own files
samples=$(perf_samples "$tmp/mine.data")
ok "perf_reads_the_recording" test "${samples:-0}" -gt 20
unlike "$(perf_quietly report -i "$tmp/mine.data" --stdio -s sym -g none)" "\[k\]" "there_are_no_kernel_samples"

status_is 0 "rings_that_are_too_large_shrink" unprivileged "$tmp/xprof" record -e cpu-clock -m 64M -o "$data" -- true
like "$output" "rings of [0-9]+ KiB per CPU instead of 65536" "the_smaller_rings_are_said"
done_testing
