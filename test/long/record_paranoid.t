#!/usr/bin/env bash
# kernel.perf_event_paranoid from 4 to -1: what a user without capabilities can record, which message explains the rest, and
# that --probe says the same. Changes a setting of the whole machine, for seconds at a time.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
[ "$(id -u)" -eq 0 ] || skip_all "needs root, to change the setting and become somebody else"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
setting=/proc/sys/kernel/perf_event_paranoid
before=$(<$setting)
[ -w $setting ] || skip_all "kernel.perf_event_paranoid cannot be changed here"
trap 'echo "$before" >$setting; clean_up' EXIT
chmod 755 "$tmp"
mkdir "$tmp/theirs"
chown 65534 "$tmp/theirs"
cp "$xprof" "$tmp/xprof"
data=$tmp/theirs/perf.data
as_user() { (cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/xprof" "$@"); }
as_user version >/dev/null 2>&1 || skip_all "cannot become another user"

# LINE: "yes" or "no", as --probe answers
answer() { as_user record --probe | grep -F "  $1" | cut -d' ' -f1; }

for level in 4 3 2 1 0 -1; do
	echo $level >$setting 2>/dev/null
	if [ "$(<$setting)" != "$level" ]; then
		skip "this kernel does not take the level" "level $level"
		continue
	fi
	system=$([ $level -le 0 ] && echo yes || echo no)
	kernel=$([ $level -le 1 ] && echo yes || echo no)
	status_is 0 "level $level: a command is recorded" as_user record -g -e cpu-clock -F 999 -o "$data" -- \
		sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	if [ "$kernel" = yes ]; then
		unlike "$output" "user space only" "level $level: with the kernel"
	else
		like "$output" "user space only, since kernel.perf_event_paranoid is $level" "level $level: without the kernel"
	fi
	is "$(answer "the kernel's part of samples")" "$kernel" "level $level: the probe says so"
	status_is "$([ $kernel = yes ] && echo 0 || echo 1)" "level $level: kernel samples" as_user record -q -e cpu-clock:k -o "$data" -- true
	status_is "$([ $system = yes ] && echo 0 || echo 1)" "level $level: the whole system" as_user record -q -a -e cpu-clock -o "$data" -- true
	[ "$system" = yes ] || like "$output" "permission denied \(kernel.perf_event_paranoid is $level\): run as root, or 'sysctl kernel.perf_event_paranoid=0'" \
		"level $level: what would help is said"
	is "$(answer "the whole system")" "$system" "level $level: the probe says so, too"
	# From -1 on memory for rings is not limited.
	status_is 0 "level $level: rings" bash -c 'ulimit -l 64; exec "$@"' bash setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$tmp/xprof" record -m 4M -e cpu-clock -o "$data" -- true
	if [ $level -lt 0 ]; then
		unlike "$output" "rings of .* instead of" "level $level: of any size"
	else
		like "$output" "rings of [0-9]+ KiB per CPU instead of 4096" "level $level: as large as may be locked"
	fi
done
done_testing
