#!/usr/bin/env bash
# 2,500 programs a second, or as many as the machine can start, recorded for RECORD_SECONDS (10) as one file and as many: at most one
# sample in 200 is without a mapping or a command, and nothing is lost. The programs are as small as programs can be, because
# loading libraries takes longer than 1/2,500 s.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_perf
need_recording -a -e cpu-clock
seconds=${RECORD_SECONDS:-10} rate=2500
ok "programs_can_be_started" gcc -O1 -o "$tmp/many_execs" "$source_root/test/e2e/programs/many_execs.c"
printf 'int main(void) { for (volatile int i = 0; i < 20000; i++); return 0; }' >"$tmp/brief.c"
ok "a_brief_program_is_built" gcc -O1 -static -o "$tmp/brief" "$tmp/brief.c"
mkdir "$tmp/run"

# NAME OPTION...: records, and looks at all files.
record_execs() {
	local name=$1 started samples=0 nameless=0
	shift
	rm -f "$tmp"/run/*
	started=$("$xprof" record -a -e cpu-clock -F 1999 -o "$tmp/run/perf.data" "$@" -- \
		"$tmp/many_execs" "$seconds" $rate "$tmp/brief" 2>"$tmp/said")
	like "$(cat "$tmp/said")" ", 0 lost," "${name}_loses_nothing"
	for file in "$tmp"/run/*; do
		perf_quietly script -i "$file" -F comm,ip,dso -G >"$tmp/script"
		samples=$((samples + $(wc -l <"$tmp/script")))
		nameless=$((nameless + $(grep -cE '^ *:[0-9]+ |\(\[unknown\]\)' "$tmp/script")))
	done
	ok "${name}_has_samples" test "$samples" -gt $((seconds * 500))
	ok "${name}_has_the_mappings_and_commands_of_nearly_all" test $((nameless * 200)) -le "$samples"
	figure "$name: $((started / seconds)) execs a second, $(find "$tmp/run" -type f | wc -l) files, $samples samples, $nameless without a mapping or a command"
}
record_execs one_file
record_execs many_files --switch-output=1M
record_execs with_stacks -g
record_execs a_flight_recording --overwrite
done_testing
