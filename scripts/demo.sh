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

say() {
	printf '\n== %s\n' "$*"
}

scripts/setup.sh --for=build
make -s all demo-workload

say "Recording the whole machine for $seconds seconds, while build/demo/workload runs"
scope=-a
if ! build/xprof record -a -g -o "$data" -- "$out/workload" "$seconds" >"$out/truth"; then
	# What the message above asks for may be out of reach (a container, no root): the workload's
	# own threads can be recorded with fewer privileges.
	say "That did not work, see the message above. Recording the workload alone instead"
	scope=
	build/xprof record -g -o "$data" -- "$out/workload" "$seconds" >"$out/truth"
fi

say "xprof report --top 25"
build/xprof report -i "$data" --top 25

build/xprof report -i "$data" --folded >"$folded"

say "What the workload measured of itself (of its own CPU time, not of the machine's)"
awk -F '\t' '$1 == "truth" { printf "  %6.2f%%  %s\n", 100 * $3, $2 }' "$out/truth"

say "Files"
cat <<END
  $data        what was recorded; perf report -i $data reads it, too
  $folded  one line per distinct stack, for flame graph tools
  $out/truth            what the workload measured of itself

Next:
  build/xprof report -i $data -g                      where the calls came from
  build/xprof report -i $data --comms workload -s symbol --percentage relative
                                                              the shares above, from the samples
  build/xprof record ${scope:+$scope }-g -- your-program                  your own program
END
