#!/usr/bin/env bash
# Exported profiles in the viewers' own readers: pprof-format, the schema of speedscope, the command-line program of the Firefox
# Profiler.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_node
command -v python3 >/dev/null || skip_all "python3 is not installed"
export NODE_PATH=$source_root/build/npm/node_modules
[ -d "$NODE_PATH/pprof-format" ] || skip_all "pprof-format is not installed: scripts/setup.sh --for=test"
readers=$source_root/test/tools/export_readers.py
viewers=$source_root/test/tools/export_viewers.js
profiler_cli=$NODE_PATH/@firefox-devtools/profiler-cli/dist/profiler-cli.js

recording=$source_root/test/recordings/copied.tar.zst
"$xprof" report --json -i "$recording" >"$tmp/report.json" 2>/dev/null
python3 "$readers" report "$tmp/report.json" >"$tmp/report.txt"
for format in pprof speedscope firefox; do
	"$xprof" export -q --format=$format -i "$recording" -o "$tmp/out.$format" 2>/dev/null
done
"$xprof" export -q --format=firefox -i "$recording" -o "$tmp/out.json.gz" 2>/dev/null

is "$(node "$viewers" pprof "$tmp/out.pprof" | LC_ALL=C sort)" "$(LC_ALL=C sort "$tmp/report.txt")" \
	"pprof-format: each function has the self and total of the report"
is "$(node "$viewers" speedscope "$tmp/out.speedscope")" "valid" "the speedscope file is what its schema allows"

# Its background process must start within half a second, and may be tried again. It keeps its sessions in the home directory.
export HOME=$tmp
# shellcheck disable=SC2317 # wait_until calls it
load_profile() {
	node "$profiler_cli" load "$tmp/out.json.gz" >"$tmp/load.txt" 2>&1 ||
		node "$profiler_cli" thread functions >/dev/null 2>&1
}
wait_until 60 load_profile || diag "$(cat "$tmp/load.txt")"
node "$profiler_cli" thread functions >"$tmp/functions.txt" 2>&1
node "$profiler_cli" stop --all >/dev/null 2>&1
like "$(cat "$tmp/functions.txt")" "unctions in thread t-" "the Firefox Profiler's program reads the profile"
like "$(cat "$tmp/functions.txt")" "$(awk -F '\t' '$2 > 0 { print $1; exit }' "$tmp/report.txt") - self" "and names its functions"
done_testing
