#!/usr/bin/env bash
# Installs what is missing, builds, records the whole machine for some seconds while a
# workload of known shape runs, and reports.
#
# usage: demo.sh [SECONDS]
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-5}
out=build/demo
data=$out/perf.data
folded=$out/profile.folded
truth=$out/truth

say() {
	printf '\n== %s\n' "$*"
}

record_machine() {
	"$@" build/xprof record -a -g -o "$data" -- "$out/workload" "$seconds" >"$truth"
}

scripts/setup.sh --for=build
make -s all demo-workload

say "Recording the whole machine for $seconds seconds, while $out/workload runs"
scope=-a
if record_machine; then
	:
elif [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null; then
	say "This user may not (see above); again with sudo, which may ask for your password"
	record_machine sudo
	sudo chown "$(id -u):$(id -g)" "$data"
else
	say "This user may not (see above); recording the workload alone"
	scope=
	build/xprof record -g -o "$data" -- "$out/workload" "$seconds" >"$truth"
fi

say "Where the time went: build/xprof report --no-children --top 25"
build/xprof report -i "$data" --no-children --top 25

build/xprof report -i "$data" --folded >"$folded"

say "The workload's functions: as it measured them itself, and as the samples have it"
build/xprof report -i "$data" --comms workload --no-children --percentage relative -F overhead,symbol -t '|' |
	awk -F '|' '
		NR == FNR { if ($1 == "truth") { share[$2] = 100 * $3; name[++count] = $2 } next }
		{ gsub(/^ *\[\.\] *| *$/, "", $2); sampled[$2] = $1 + 0 }
		END {
			for (i = 1; i <= count; i++) total += sampled[name[i]]
			for (i = 1; i <= count; i++)
				printf "  %6.2f%%  %6.2f%%  %s\n", share[name[i]], 100 * sampled[name[i]] / (total ? total : 1), name[i]
		}' FS='\t' "$truth" FS='|' -

say "Files"
printf '  %-28s%s\n' \
	"$data" "what was recorded; perf report -i reads it, too" \
	"$folded" "a line per distinct stack, for flame graph tools" \
	"$truth" "what the workload measured of itself"
say "Next"
printf '  %-56s%s\n' \
	"build/xprof report -i $data -g" "where the calls came from" \
	"build/xprof flamegraph -i $data" "a page for the browser: flamegraph.html" \
	"build/xprof record ${scope:+$scope }-g -- your-program" "your own program" \
	"build/xprof report" "and its report"
