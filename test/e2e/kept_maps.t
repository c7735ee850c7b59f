#!/usr/bin/env bash
# The names of run-time code, which compilers write into /tmp/perf-PID.map, stay with the recording; and a map that lies there
# later is believed only if it can be that of the recorded process.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
export HOME=$tmp # another test's perf may have put the program into ~/.debug
need_recording -e cpu-clock -g
[ "$(uname -m)" = x86_64 ] || skip_all "the code of the workload is for x86-64"
gcc -O2 -o "$tmp/work" "$(dirname "$0")/programs/map_workload.c" || skip_all "there is no compiler"

# FILE [OPTION...]: the functions of run-time code that samples are in
names() {
	"$xprof" report -i "$1" "${@:2}" --comms work --stdio -g none --no-children -F symbol 2>>"$tmp/err" |
		grep -oE 'made_at_run_time|made_by_another' | sort -u | tr '\n' ' '
}
# FILE: the process's perf map
map_of() {
	echo "/tmp/perf-$("$xprof" script -i "$1" --comms work -F pid 2>>"$tmp/err" | awk 'NF { print $1; exit }').map"
}
# MAP ORIGINAL: makes the map of another process that had the number later
write_of_another() {
	sed 's/made_at_run_time/made_by_another/' "$2" >"$1"
}

# --- kept -----------------------------------------------------------------------------------------

record=("$xprof" record -q -e cpu-clock -F 997 -g)
"${record[@]}" -o "$tmp/kept.data" -- "$tmp/work" 0.6 </dev/null >/dev/null
map=$(map_of "$tmp/kept.data")
cp "$map" "$tmp/original"
rm "$map"
is "$(names "$tmp/kept.data")" "made_at_run_time " "names are there when the map is gone"
like "$("$xprof" script -i "$tmp/kept.data" 2>>"$tmp/err")" 'made_at_run_time\+0x' "script has them from the first sample on"
write_of_another "$map" "$tmp/original"
is "$(names "$tmp/kept.data")" "made_at_run_time " "a map that another process wrote later is not asked"
rm "$map"
like "$("$xprof" dump --records -i "$tmp/kept.data" 2>&1)" 'map_of_pid' "dump shows the pieces"
"$xprof" archive -i "$tmp/kept.data" -o "$tmp/kept.tar" >/dev/null 2>>"$tmp/err"
is "$(names "$tmp/kept.tar")" "made_at_run_time " "an archive keeps them"

"${record[@]}" -z -o "$tmp/packed.data" -- "$tmp/work" 0.6 </dev/null >/dev/null
rm "$(map_of "$tmp/packed.data")"
is "$(names "$tmp/packed.data")" "made_at_run_time " "compressed recordings keep them"
# shellcheck disable=SC2016 # for the inner shell
"${record[@]}" -o - -- sh -c 'exec "$0" 0.6 >/dev/null' "$tmp/work" </dev/null >"$tmp/pipe.data" 2>/dev/null
rm -f "$(map_of "$tmp/pipe.data")"
is "$(names - <"$tmp/pipe.data")" "made_at_run_time " "so do those that come through a pipe"

start "${record[@]}" -a -o "$tmp/killed.data"
recorder=$pid
"$tmp/work" 1.5 </dev/null >/dev/null
wait_until 20 sh -c "'$xprof' dump --records -i '$tmp/killed.data' 2>/dev/null | grep -q map_of_pid"
kill -9 "$recorder"
wait "$recorder" 2>/dev/null
rm -f "$(map_of "$tmp/killed.data")"
is "$(names "$tmp/killed.data")" "made_at_run_time " "a recorder that was killed has kept what there was by then"

# Processes of another user, and with another /tmp, that are gone before the recorder looks again: their parent lives.
if command -v setpriv >/dev/null && setpriv --reuid 65534 --clear-groups true 2>/dev/null &&
	"${record[@]}" -a -o "$tmp/short.data" --duration 0.1 2>/dev/null; then
	chmod 755 "$tmp"
	# PREFIX...: five short processes, children of one shell, and how many of them have names when their maps are gone
	short_lives() {
		local recorder
		rm -f "$tmp/short.data"
		start "${record[@]}" -a -F 4000 -o "$tmp/short.data"
		recorder=$pid
		wait_until 10 test -s "$tmp/short.data"
		"$@" sh -c 'for i in 1 2 3 4 5; do /dev/fd/9 0.03; sleep 0.3; done; sleep 0.3
			for map in /tmp/perf-*.map; do [ ! -O "$map" ] || rm -f "$map"; done' </dev/null >/dev/null 9<"$tmp/work"
		kill -INT "$recorder"
		wait "$recorder" 2>/dev/null
		"$xprof" dump --records -i "$tmp/short.data" 2>/dev/null | sed -n 's/.*map_of_pid *\([0-9]*\).*/\1/p' | sort -u | wc -l
	}
	is "$(short_lives setpriv --reuid 65534 --clear-groups)" 5 "another user's short processes keep their names"
	if unshare -m true 2>/dev/null; then
		# shellcheck disable=SC2016 # for the inner shell
		is "$(short_lives unshare -m sh -c 'mount --bind "$0" /tmp && exec "$@"' "$tmp")" 5 "so do those with a /tmp of their own"
	else
		skip "no mount namespaces here" "so do those with a /tmp of their own"
	fi
else
	skip "other users cannot be recorded here" "another user's short processes keep their names"
fi

"${record[@]}" -o "$tmp/none.data" -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
unlike "$("$xprof" dump --records -i "$tmp/none.data" 2>&1)" 'map_of_pid' "a program without run-time code has no pieces"

# --- other readers ----------------------------------------------------------------------------------------

# COMMAND...: perf's messages about the recording beside its result
said() {
	{ PERF_CONFIG=/dev/null PAGER=cat perf --buildid-dir "$tmp/cache" "$@" >"$tmp/perf.out"; } 2>&1
}
if command -v perf >/dev/null; then
	for way in report script evlist; do
		is "$(said $way -i "$tmp/kept.data")" "" "perf $way reads the recording without a word"
	done
	is "$(said report -i - <"$tmp/pipe.data")" "" "perf report reads it from a pipe"
	is "$(perf_samples "$tmp/kept.data")" "$("$xprof" script -i "$tmp/kept.data" -F time 2>/dev/null | grep -c .)" \
		"it sees as many samples"
	said inject -b -i "$tmp/kept.data" -o "$tmp/injected.data" >/dev/null
	is "$(names "$tmp/injected.data")" "made_at_run_time " "what perf inject writes still has the names"
else
	skip "perf is not installed" "perf reads the recording"
fi

# --- recordings without them ----------------------------------------------------------------------------------

if command -v perf >/dev/null; then
	PERF_CONFIG=/dev/null perf --buildid-dir "$tmp/cache" record -q -N -e cpu-clock -F 997 -g -o "$tmp/perf.data" "$tmp/work" 0.2 </dev/null >/dev/null 2>&1
	map=$(map_of "$tmp/perf.data")
	is "$(names "$tmp/perf.data")" "made_at_run_time " "a recording of perf has the names of the map in /tmp"
	cp "$map" "$tmp/original"
	write_of_another "$map" "$tmp/original"
	touch -d "@$(($(stat -c %Y "$tmp/perf.data") + 60))" "$map"
	is "$(names "$tmp/perf.data")" "" "a map that is younger than the recording is not believed"
	like "$("$xprof" report --names -i "$tmp/perf.data" 2>&1)" "$map is newer than the recording" "which is said"
	touch -r "$tmp/perf.data" "$map"
	is "$(names "$tmp/perf.data")" "made_by_another " "what is said to do makes it believed"
	chown 4242 "$map" 2>/dev/null && is "$(names "$tmp/perf.data")" "" "a map of another user is not believed"
	rm -f "$map"
else
	skip "perf is not installed" "recordings of perf"
fi
done_testing
