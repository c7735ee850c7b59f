#!/usr/bin/env bash
# xprof export: in every format each function has the same self and total weight as in xprof report, read by a reader that is
# not xprof's: for pprof's files, that of Go's tools if installed.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"
readers=$source_root/test/tools/export_readers.py

# RECORDING FORMAT FILE READER: each function has the same self and total as in the report of the recording.
same_sums() {
	local recording=$1 format=$2 file=$3 reader=$4 name
	name=$(basename "$recording" .tar.zst)
	# shellcheck disable=SC2086 # options may follow the format
	"$xprof" export -q --format=$format -i "$recording" -o "$tmp/$file" 2>"$tmp/errors" ||
		diag "$(cat "$tmp/errors")"
	python3 "$readers" "$reader" "$tmp/$file" >"$tmp/read.txt" 2>"$tmp/errors" || diag "$(tail -1 "$tmp/errors")"
	is "$(diff "$tmp/report.txt" "$tmp/read.txt" | head -5)" "" "$name: $format, read by $reader"
}

for recording in "$source_root"/test/recordings/{copied,generated,piped,perf_dumped}.tar.zst; do
	"$xprof" report --json -i "$recording" >"$tmp/report.json" 2>/dev/null
	python3 "$readers" report "$tmp/report.json" >"$tmp/report.txt"
	ok "$(basename "$recording" .tar.zst): there is something to compare" test "$(wc -l <"$tmp/report.txt")" -gt 3
	same_sums "$recording" pprof out.pb.gz pprof
	! command -v go >/dev/null || same_sums "$recording" pprof out.pb.gz go
	same_sums "$recording" collapsed out.collapsed collapsed
	same_sums "$recording" speedscope out.speedscope.json speedscope
	same_sums "$recording" chrome out.trace.json chrome
	same_sums "$recording" firefox out.json.gz firefox
	same_sums "$recording" otlp out.otlp otlp
	same_sums "$recording" callgrind out.callgrind callgrind
	! command -v callgrind_annotate >/dev/null || same_sums "$recording" callgrind out.callgrind annotate
	same_sums "$recording" perf-script out.txt perf_script
done

# Streams: a sample is a row, and sums are those of the report.
recording=$source_root/test/recordings/copied.tar.zst
"$xprof" report --json -i "$recording" >"$tmp/report.json" 2>/dev/null
python3 "$readers" report "$tmp/report.json" >"$tmp/report.txt"
same_sums "$recording" csv out.csv csv

# Rings of CPUs are read one after the other, but perf script's text is in order of time.
"$xprof" export -q --format=perf-script -i "$source_root/test/recordings/tracepoint.tar.zst" -o "$tmp/out.txt" 2>/dev/null
grep -oE '^[^[:space:]].* [0-9]+\.[0-9]{9}:' "$tmp/out.txt" | grep -oE '[0-9]+\.[0-9]{9}' >"$tmp/times"
ok "perf-script has the times of many samples" test "$(wc -l <"$tmp/times")" -gt 50
is "$(sort -g "$tmp/times" | diff - "$tmp/times")" "" "perf-script is in order of time"

# pprof runs perf_to_profile for files in formats that it does not know.
ln -s "$xprof" "$tmp/perf_to_profile"
"$tmp/perf_to_profile" -i "$recording" -o "$tmp/converted.pb.gz" -f 2>/dev/null
is "$(python3 "$readers" pprof "$tmp/converted.pb.gz" | diff "$tmp/report.txt" -)" "" "perf_to_profile writes pprof's format"
if command -v go >/dev/null; then
	like "$(go tool pprof -top "$tmp/converted.pb.gz" 2>&1)" "Showing nodes accounting for" "go tool pprof -top reads it"
else
	skip "go is not installed" "go tool pprof -top reads it"
fi

# The command line.
status_is 2 "a format is needed" "$xprof" export -i "$recording" -o "$tmp/nothing"
status_is 2 "a format must be known" "$xprof" export --format=nosuch -i "$recording" -o "$tmp/nothing"
like "$("$xprof" export --format=nosuch -i "$recording" 2>&1)" "pprof.*collapsed" "the formats are listed then"
status_is 2 "--per is for formats with tracks" "$xprof" export --format=pprof --per cpu -i "$recording" -o "$tmp/nothing"
"$xprof" export -q -i "$recording" -o "$tmp/by_name.csv"
is "$(diff "$tmp/by_name.csv" "$tmp/out.csv")" "" "the format can be told by the output's name"
status_is 1 "what is no recording is an error" "$xprof" export --format=csv -i "$readers" -o "$tmp/nothing"
mkdir "$tmp/folder"
status_is 1 "a directory is not written over" "$xprof" export --format=csv -i "$recording" -o "$tmp/folder"
ok "nothing is left where the export failed" test ! -e "$tmp/nothing"
is "$(find "$tmp" -name '*.tmp')" "" "nor under another name"
like "$("$xprof" export -q --format=collapsed --per process -i "$recording" -o -)" '^[^;]+-[0-9]+;' "--per process: lines begin with comm-PID"
like "$("$xprof" export -q --format=collapsed --per thread -i "$recording" -o -)" '^[^;]+-[0-9]+/[0-9]+;' "--per thread: with comm-PID/TID"
like "$("$xprof" export -q --format=collapsed --per cpu -i "$recording" -o -)" '^CPU ([0-9]+|unknown);' "--per cpu: with the CPU"
same_sums "$recording" "speedscope --per cpu" out.speedscope.json speedscope
same_sums "$recording" "speedscope --per process" out.speedscope.json speedscope
same_sums "$recording" "chrome --per cpu" out.trace.json chrome
is "$("$xprof" export -q --format=collapsed --comms nosuch -i "$recording" -o - 2>/dev/null)" "" "filters apply"

done_testing
