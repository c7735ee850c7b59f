#!/usr/bin/env bash
# A CPU that goes offline and comes back while the system is recorded is sampled again, under the same event, for every
# reader. Takes one CPU away from the machine twice, half a second each.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_perf
need_recording -a -e cpu-clock
switch=/sys/devices/system/cpu/cpu1/online
[ -w "$switch" ] || skip_all "CPU 1 cannot be taken offline here"
[ "$(cat "$switch")" = 1 ] || skip_all "CPU 1 is offline"
# shellcheck disable=SC2317 # called by the trap
put_back() {
	echo 1 >"$switch"
	clean_up
}
trap put_back EXIT

spin_there() {
	start taskset -c 1 sh -c 'while :; do :; done'
}
# shellcheck disable=SC2317 # called by wait_until
has_bytes() { [ "$(stat -c %s "$1")" -gt "$2" ]; }
spin_there
start "$xprof" record -a -g -e cpu-clock,sched:sched_switch -o "$tmp/hotplug.data" --duration 3 2>"$tmp/said"
recorder=$pid
wait_until 10 has_bytes "$tmp/hotplug.data" 100000
echo 0 >"$switch"
sleep 0.5
echo 1 >"$switch"
back=$(awk '{ print $1 }' /proc/uptime)
spin_there
wait "$recorder"
back_ns=$(awk -v up="$back" 'BEGIN { printf "%.0f", up * 1e9 }')

# READER_LINES: how many "CPU TIME EVENT" lines are of CPU 1 and later than its return.
late() {
	awk -v event="$1" -v back_ns="$back_ns" '
		$0 ~ event { cpu = $1; gsub(/[][]/, "", cpu); time = $2; sub(/:$/, "", time)
			if (cpu + 0 == 1 && time * 1e9 > back_ns) count++ }
		END { print count + 0 }'
}
for event in cpu-clock sched_switch; do
	by_perf=$(perf_quietly script -i "$tmp/hotplug.data" -F cpu,time,event -G | late "$event")
	by_xprof=$("$xprof" script -i "$tmp/hotplug.data" -F cpu,time,event -G 2>/dev/null | late "$event")
	[ "$by_perf" -gt 0 ]
	tap_result $? "perf_finds_samples_of_${event}_of_the_cpu_that_came_back" "none after $back s"
	is "$by_xprof" "$by_perf" "and_xprof_the_same_of_$event"
done
like "$(cat "$tmp/said")" "xprof: CPU 1 was offline for 0\.[4-9][0-9]? s|offline for [1-9]" "the_time_offline_is_said"

# It is back before the recorder looked at the list of CPUs.
start "$xprof" record -a -e cpu-clock -o "$tmp/short.data" --duration 2 2>"$tmp/said"
recorder=$pid
wait_until 10 has_bytes "$tmp/short.data" 50000
echo 0 >"$switch"
echo 1 >"$switch"
back_ns=$(awk '{ printf "%.0f", $1 * 1e9 }' /proc/uptime)
spin_there
wait "$recorder"
[ "$(perf_quietly script -i "$tmp/short.data" -F cpu,time,event | late cpu-clock)" -gt 0 ]
tap_result $? "a_cpu_that_is_back_at_once_is_sampled_again" "no samples"
done_testing
