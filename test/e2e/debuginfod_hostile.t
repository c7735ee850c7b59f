#!/usr/bin/env bash
# debuginfod servers that send bad data: the report goes on without, says why, and keeps none of it.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording
for command in gcc python3; do
	command -v $command >/dev/null || skip_all "there is no $command"
done

cat >"$tmp/program.c" <<'C'
static volatile unsigned long sink;
static __attribute__((noinline, noclone)) void leaf(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink = sink * 3 + i + VALUE;
}
int main(void)
{
	for (int i = 0; i < 100; i++)
		leaf(1000000);
}
C
mkdir "$tmp/served"
(cd "$tmp" && gcc -g -O1 -Wl,--build-id -DVALUE=0 -o program program.c && cp program served/right && strip program &&
	gcc -g -O1 -Wl,--build-id -DVALUE=1 -o served/wrong program.c) || skip_all "gcc or strip does not work"
"$xprof" record -q -g -e cpu-clock:u -F 500 -o "$tmp/perf.data" "$tmp/program" || skip_all "cannot record call stacks"


# The report's rows of the program.
report() {
	"$xprof" report -q --no-pager --comms program -d program -i "$tmp/perf.data" --debuginfod-limit=8M "$@" </dev/null
}
without=$(report --debuginfod=off)

# KIND: with that server and an empty cache; rows in $rows, standard error in $tmp/err.
with_server() {
	start python3 "$source_root/test/tools/hostile_debuginfod.py" "$tmp/served" "$1" >"$tmp/port"
	wait_until 30 test -s "$tmp/port" || skip_all "python3 cannot serve"
	rm -rf "$DEBUGINFOD_CACHE_PATH"
	rows=$(DEBUGINFOD_TIMEOUT=2 DEBUGINFOD_URLS=http://127.0.0.1:$(cat "$tmp/port") report --debuginfod=on 2>"$tmp/err")
	kill "$pid"
	: >"$tmp/port"
}
# Mebibytes of debug files in the cache, including unfinished ones.
kept() {
	find "$DEBUGINFOD_CACHE_PATH" -type f -name 'debuginfo*' -size +0 -printf '%s\n' 2>/dev/null | awk '{ sum += $1 } END { printf "%d", sum / 2 ^ 20 + .999999 }'
}

with_server right
if grep -q 'libdebuginfod.so.1 cannot be loaded' "$tmp/err"; then
	skip_all "there is no libdebuginfod"
fi
like "$rows" 'leaf' "the_right_file_is_used"

with_server wrong
is "$rows" "$without" "a_file_of_another_build_id_is_not_used"
like "$(cat "$tmp/err")" 'program: it is another file than requested, and is not used: its build-id is [0-9a-f]{40}' "that_is_said"
is "$(kept)" 0 "and_it_is_not_kept"

with_server loop
is "$rows" "$without" "redirections_for_ever_end"
like "$(cat "$tmp/err")" 'program: no server answers in time \(DEBUGINFOD_TIMEOUT\)' "by_the_time_that_a_server_has"

with_server endless
is "$rows" "$without" "a_body_without_an_end_is_not_used"
like "$(cat "$tmp/err")" 'program: not downloaded: it has more than the 8.00 MiB that --debuginfod-limit leaves' "but_cut_off_at_the_limit"
is "$(kept)" 0 "and_nothing_of_it_is_kept"

with_server inflated
is "$rows" "$without" "a_body_that_inflates_for_ever_is_not_used"
like "$(cat "$tmp/err")" 'more than the 8.00 MiB that --debuginfod-limit leaves' "but_cut_off_at_the_limit_of_what_it_becomes"
is "$(kept)" 0 "and_nothing_of_that_is_kept"

done_testing
