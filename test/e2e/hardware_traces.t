#!/usr/bin/env bash
# Hardware traces (Intel PT, CoreSight, SPE) in a recording are skipped, whatever they contain, and each command says so.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"
cd "$tmp" || exit 1

"$xprof" record -q -z0 -o - -e cpu-clock:u -c 100000 -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' >plain.pipe 2>err ||
	skip_all "nothing can be recorded here: $(head -1 err)"
# The trace is a copy of the samples: a reader that takes it for records counts them twice. AUXTRACE { header; u64 size, offset,
# reference; u32 idx, tid, cpu, reserved }, tools/perf/util/event.h
cat >add_trace.py <<'END'
import struct, sys
data = open("plain.pipe", "rb").read()
at, samples, first = 16, b"", 0
while at < len(data):
    kind, misc, size = struct.unpack_from("<IHH", data, at)
    if kind == 9:
        first = first or at
        samples += data[at:at + size]
    at += size
trace = struct.pack("<IHH", 71, 0, 48) + struct.pack("<QQQIIII", len(samples), 0, 0, 0, 1, 0, 0) + samples
open("trace.pipe", "wb").write(data[:first] + trace + data[first:])
END
python3 add_trace.py || exit 1
"$xprof" convert --decompress trace.pipe trace.data 2>err || exit 1

wanted=$("$xprof" report -q --no-children -n -s comm -i plain.pipe)
like "$wanted" "sh" "there_are_samples"
said='hardware traces \(Intel PT, CoreSight, SPE\) are in the recording, and xprof does not decode them'
for file in trace.pipe trace.data; do
	is "$("$xprof" report -q --no-children -n -s comm -i $file)" "$wanted" "samples_are_counted_once (report, $file)"
	like "$("$xprof" report -i $file)" "# traces: $said" "report_says_so ($file)"
	is "$("$xprof" script -i $file -F ip 2>said)" "$("$xprof" script -i plain.pipe -F ip)" "samples_are_counted_once (script, $file)"
	like "$(cat said)" "$said" "script_says_so ($file)"
	is "$("$xprof" export --format=collapsed -i $file -o - 2>said)" "$("$xprof" export --format=collapsed -i plain.pipe -o -)" \
		"samples_are_counted_once (export, $file)"
	like "$(cat said)" "$said" "export_says_so ($file)"
	is "$("$xprof" dump --records --type AUXTRACE -i $file | grep -c 'payload_size')" 1 "dump_has_the_record ($file)"
	is "$("$xprof" dump --records --type SAMPLE -i $file | grep -c SAMPLE)" \
		"$("$xprof" dump --records --type SAMPLE -i plain.pipe | grep -c SAMPLE)" "and_no_more_samples ($file)"
done
unlike "$("$xprof" report -i plain.pipe 2>&1)" "hardware traces" "of_other_recordings_nothing_is_said"
done_testing
