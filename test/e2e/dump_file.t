#!/usr/bin/env bash
# `xprof dump` shows the same as perf for the same file, in text and JSON, from files, pipes and damaged files.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/perf.data
perf record -q -B -g -F 999 -e cpu-clock -o "$data" -- sh -c 'for i in 1 2 3; do ls -lR /usr/include; done' >/dev/null 2>"$tmp/log"

dump() {
	"$xprof" dump "$@"
}

perf script -D -i "$data" 2>/dev/null | sed -n 's/.*: PERF_RECORD_\([A-Z0-9_]*\).*/\1/p' | sort | uniq -c |
	awk '{ print $2, $1 }' >"$tmp/perf.types"
dump --summary "$data" | sed -n 's/.*type \([A-Z0-9_]*\) count \([0-9]*\) .*/\1 \2/p' | sort >"$tmp/types"
for type in SAMPLE MMAP2 COMM EXIT FINISHED_ROUND; do
	is "$(grep "^$type " "$tmp/types")" "$(grep "^$type " "$tmp/perf.types")" "as_many_${type}_records_as_perf_sees"
done

# Offset and size of every sample: perf -D prints "OFFSET [SIZE]: PERF_RECORD_SAMPLE".
perf script -D -i "$data" 2>/dev/null |
	sed -n 's/.* \(0x[0-9a-f]*\) \[\(0x[0-9a-f]*\)\]: PERF_RECORD_SAMPLE.*/\1 \2/p' |
	while read -r offset size; do echo "$((offset)) $((size))"; done | sort -n >"$tmp/perf.samples"
dump --type SAMPLE "$data" | sed -n 's/^\(0x[0-9a-f]*\)  SAMPLE  size \([0-9]*\) .*/\1 \2/p' |
	while read -r offset size; do echo "$((offset)) $size"; done | sort -n >"$tmp/samples"
ok "samples_are_there" test -s "$tmp/samples"
ok "every_sample_has_the_offset_and_size_that_perf_prints" cmp "$tmp/perf.samples" "$tmp/samples"

header=$(dump --header "$data")
for value in "$(uname -n)" "$(uname -r)" "cpu-clock"; do
	like "$header" "\"$value\"" "the_header_has_$value"
done
like "$(dump --records --limit 3 "$data" | wc -l)" '^[3-9]|^[1-9][0-9]' "a_limit_gives_some_records"
is "$(dump --type COMM --limit 1 "$data" | wc -l)" 1 "a_limit_of_one_gives_one"
first=$(dump --type SAMPLE --limit 1 "$data" | sed -n '1s/ .*//p')
is "$(dump --offset "$first,$first" --raw "$data" | head -n 1 | cut -d' ' -f1)" "$first" "a_record_is_found_by_its_offset"
like "$(dump --offset "$first,$first" --raw "$data")" "$(printf '%08x' $((first + 8)))  " "raw_bytes_begin_behind_the_header"

if command -v python3 >/dev/null; then
	dump --json "$data" >"$tmp/json"
	ok "every_line_of_json_parses" python3 -c 'import json,sys
[json.loads(line) for line in open(sys.argv[1])]' "$tmp/json"
else
	skip "no python3" "every_line_of_json_parses"
fi

is "$(dump --records -i - <"$data" | cksum)" "$(dump --records "$data" | cksum)" "standard_input_as_a_file_reads_the_same"
is "$(dump --records -i - < <(cat "$data") | cksum)" "$(dump --records "$data" | cksum)" "a_file_through_a_pipe_reads_the_same"
perf record -q -F 999 -e cpu-clock -o - -- true 2>/dev/null >"$tmp/pipe.data"
like "$(dump --header -i - < <(cat "$tmp/pipe.data"))" 'mode pipe.*event .*cpu-clock' "a_pipe_shows_its_events"
like "$(dump -i - < <(cat "$tmp/pipe.data"))" 'HEADER_FEATURE .*HOSTNAME' "a_pipe_shows_its_feature_records"

head -c 60 "$data" >"$tmp/short"
status_is 1 "a_file_that_ends_inside_its_header_cannot_be_opened" dump "$tmp/short"
like "$output" 'magic "PERFILE2".*attr_size' "but_what_there_is_of_the_header_is_shown"
head -c 1000 /dev/urandom | gzip >"$tmp/gz"
status_is 1 "a_gzip_file_is_no_recording" dump "$tmp/gz"
like "$output" 'gzip' "and_is_told_apart"
output=$(printf 'hello, I am no recording\n' | dump -i - 2>&1)
like "$output" 'magic "hello, I"' "the_first_bytes_of_a_pipe_are_shown"
head -c 5001 "$data" >"$tmp/cut" # inside a record of the data: sizes of records are multiples of 8
status_is 0 "a_file_that_is_cut_short_is_dumped" dump "$tmp/cut"
like "$output" 'truncated yes' "and_said_to_be"
like "$output" 'offset 0x[0-9a-f]* reason "[^"]*cut short' "with_where_and_why"

status_is 2 "an_unknown_type_is_wrong_usage" dump --type NO_SUCH "$data"
status_is 2 "a_range_that_is_none_is_wrong_usage" dump --offset 5,4 "$data"
status_is 1 "a_file_that_does_not_exist_is_a_failure" dump "$tmp/none"
done_testing
