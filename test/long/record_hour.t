#!/usr/bin/env bash
# An hour (RECORD_SECONDS=3600) of the whole system at 4 kHz with call stacks, cut into files, few of which are kept, while
# programs start and end all the time: the recorder's memory does not grow, nothing is lost, and the last files can be read.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_perf
need_recording -a -e cpu-clock
seconds=${RECORD_SECONDS:-3600}
mkdir "$tmp/run"
ok "programs_can_be_started" gcc -O1 -o "$tmp/many_execs" "$source_root/test/e2e/programs/many_execs.c"

# PID: its own anonymous memory in KiB, without the kernel's rings.
memory_of() { awk '$1 == "RssAnon:" { print $2 }' "/proc/$1/status" 2>/dev/null; }

start "$tmp/many_execs" "$seconds" 100 /bin/true >/dev/null
start "$xprof" record -a -g -F 4000 -e cpu-clock -z --switch-output=$((seconds / 20 + 1))s --switch-max-files=3 \
	-o "$tmp/run/perf.data" --duration "$seconds" 2>"$tmp/said"
recorder=$pid
began=$SECONDS
: >"$tmp/memory"
while [ $((SECONDS - began)) -lt $((seconds - 2)) ] && kill -0 "$recorder" 2>/dev/null; do
	memory_of "$recorder" >>"$tmp/memory"
	sleep $((seconds / 200 + 1))
done
wait "$recorder"
is $? 0 "a_long_recording_ends_well"
like "$(tail -1 "$tmp/said")$(grep -m 1 'lost' "$tmp/said")" "0 lost" "nothing_is_lost"
files=$(find "$tmp/run" -type f | wc -l)
is "$files" 3 "as_many_files_are_kept_as_were_wanted"
readable=0
for file in "$tmp"/run/*; do perf_quietly script -i "$file" -F comm >/dev/null && readable=$((readable + 1)); done
is "$readable" 3 "each_can_be_read"
# The largest of the first half, after the first tenth, and of the second half.
read -r half whole <<<"$(awk '{ m[NR] = $1 } END { for (i = int(NR / 10) + 1; i <= NR; i++) if (i <= NR / 2) { if (m[i] > a) a = m[i] } else if (m[i] > b) b = m[i]; print a, b }' "$tmp/memory")"
ok "memory_was_looked_at" test "$(wc -l <"$tmp/memory")" -ge 10
ok "memory_does_not_grow" test "$whole" -le $((half + half / 4 + 2048))
figure "$seconds s: $half KiB in the first half, $whole KiB in the second; $(tail -1 "$tmp/said")"
done_testing
