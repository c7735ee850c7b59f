#!/usr/bin/env bash
# Exported profiles in the viewers' own readers: pprof-format, speedscope's schema and its importer, the
# command-line program of the Firefox Profiler.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_node
command -v python3 >/dev/null || skip_all "python3 is not installed"
export NODE_PATH=$source_root/build/npm/node_modules
[ -d "$NODE_PATH/pprof-format" ] || skip_all "pprof-format is not installed: scripts/setup.sh --for=test"
readers=$source_root/test/tools/export_readers.py
viewers=$source_root/test/tools/export_viewers.js

recording=$source_root/test/recordings/copied.tar.zst
"$xprof" report --json -i "$recording" >"$tmp/report.json" 2>/dev/null
for format in pprof speedscope firefox chrome collapsed; do
	"$xprof" export -q --format=$format -i "$recording" -o "$tmp/out.$format" 2>/dev/null
done

same_sums() { # READER FORMAT WHAT
	is "$(python3 "$readers" compare "$tmp/report.json" "$1=$tmp/out.$2")" "" "$3: each function has the self and total of the report"
}
same_sums pprof_format pprof "pprof-format"
same_sums scope speedscope "speedscope"
same_sums scope_pprof pprof "pprof in speedscope"
same_sums scope_chrome chrome "Chrome's trace in speedscope"
same_sums scope_collapsed collapsed "collapsed stacks in speedscope"
is "$(node "$viewers" schema "$tmp/out.speedscope")" "valid" "the speedscope file is what its schema allows"

same_sums profiler_cli firefox "the Firefox Profiler's program"
done_testing
