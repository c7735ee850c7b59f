#!/usr/bin/env bash
# `xprof convert` on recordings of this machine: perf and xprof read the same from its output, the output is whole or does not
# exist, and a message names the parts that are left out.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/in.data
out=$tmp/out.data

convert() {
	"$xprof" convert "$@"
}

# FILE: as perf prints the samples.
perf_script() {
	perf_quietly script --no-inline -i "$1"
}

# FILE: perf's header lines, without those about its time and storage.
perf_header() {
	perf_quietly report --header-only -i "$1" | grep -vE '^# (captured on|header version|data|feat)'
}

perf_quietly record -q -e cpu-clock -F 1999 -g -o "$data" -- "$demo" 1 >/dev/null
perf_script "$data" >"$tmp/expected"
said=$(convert "$data" "$out" 2>&1)
like "$said" "out.data: [0-9,]+ records, [0-9,]+ of them samples, [0-9.]+ [KM]iB" "it_says_what_was_written"
is "$(stat -c %a "$out")" 600 "the_output_is_private"
ok "perf_prints_the_same_samples" cmp "$tmp/expected" <(perf_script "$out")
is "$(perf_header "$out")" "$(perf_header "$data")" "perf_shows_the_same_header"
convert -q "$data" - >"$tmp/pipe" 2>"$tmp/said"
like "$(cat "$tmp/said")" "left out, because a pipe cannot carry them: CACHE" "what_a_pipe_cannot_say_is_said"
is "$(perf_samples "$tmp/pipe")" "$(perf_samples "$data")" "perf_reads_as_many_samples_from_a_pipe"
convert -q - "$out" <"$tmp/pipe"
ok "a_pipe_becomes_a_file_with_the_same_samples" cmp "$tmp/expected" <(perf_script "$out")

# In place, and back.
if "$xprof" version --build-options | grep -q '^ *libzstd  *on '; then
	cp "$data" "$tmp/place.data"
	said=$(convert --compress=5 "$tmp/place.data" "$tmp/place.data" 2>&1)
	like "$said" "compressed \(original [0-9.]+ [KM]iB, ratio is [0-9.]+\)" "it_says_the_ratio"
	ok "what_was_there_before_is_kept" cmp "$data" "$tmp/place.data.old"
	ok "it_became_smaller" test "$(stat -c %s "$tmp/place.data")" -lt $(($(stat -c %s "$data") * 3 / 4))
	ok "perf_prints_the_same_of_the_compressed_one" cmp "$tmp/expected" <(perf_script "$tmp/place.data")
	convert -q --decompress "$tmp/place.data" "$tmp/place.data"
	unlike "$(perf_header "$tmp/place.data")" "compressed" "decompressed_it_says_nothing_of_zstd"
	ok "perf_prints_the_same_of_the_decompressed_one" cmp "$tmp/expected" <(perf_script "$tmp/place.data")
else
	status_is 1 "without_libzstd_it_cannot_compress" convert -z "$data" "$out"
fi

# perf's own directory, if its version makes one.
if perf_quietly record -q --threads -e cpu-clock -o "$tmp/directory" -- "$demo" 1 >/dev/null && [ -d "$tmp/directory" ]; then
	samples=$(perf_samples "$tmp/directory")
	convert -q "$tmp/directory" "$tmp/directory"
	is "$(perf_samples "$tmp/directory")" "$samples" "a_directory_becomes_a_file_in_place"
	ok "and_is_kept" test -d "$tmp/directory.old"
else
	skip "this perf makes no directories" "a_directory_becomes_a_file_in_place"
fi

"$xprof" record -q -z0 -e cpu-clock -F 1999 --call-graph dwarf -o "$data" -- "$demo" 1 >/dev/null
samples=$(perf_samples "$data")
said=$(convert --compat "$data" "$out" 2>&1)
like "$said" "left out of [0-9,]+ samples: registers, stack dumps, AUX data and branch counters, [0-9.]+ MiB" \
	"compat_says_what_it_leaves_out"
is "$(perf_samples "$out")" "$samples" "and_has_all_samples"
unlike "$(perf_quietly evlist -v -i "$out")" "REGS_USER|STACK_USER" "without_registers_and_dumps"
folded() { # FILE
	"$xprof" report --folded -i "$1" 2>/dev/null | sort
}
like "$said" "call chains of [0-9,]+ samples were unwound from their stack dumps" "and_what_it_unwinds"
ok "a_recording_has_stacks_in_dumps" grep -q "run_thread;.*deep_c_leaf" <(folded "$data")
is "$(folded "$out")" "$(folded "$data")" "they_are_call_chains_then"
ok "which_perf_reads" test "$(perf_quietly script -i "$out" --no-inline -F ip,sym | grep -cE ' (run_round|run_thread)$')" -ge "$samples"
ok "compat_is_smaller" test "$(stat -c %s "$out")" -lt $(($(stat -c %s "$data") / 4))

perf_quietly record -q -N -B -e cpu-clock -o "$data" -- "$demo" 1 >/dev/null
build_id=$(readelf -n "$demo" | sed -n 's/.*Build ID: //p')
unlike "$("$xprof" dump --header "$data")" "BUILD_ID" "a_recording_lacks_build_ids"
like "$(convert --build-ids "$data" "$out" 2>&1)" "[1-9][0-9]* build-ids added" "they_are_added"
is "$(perf_quietly buildid-list -i "$out" | grep workload | cut -d' ' -f1)" "$build_id" "as_perf_reads_them"
like "$("$xprof" dump --header "$out")" "BUILD_ID.*$build_id" "and_they_are_in_the_header"

# Whole or not at all.
echo precious >"$out"
rm -f "$out.old"
status_is 1 "a_disk_that_is_too_small_is_an_error" bash -c "ulimit -f 8; trap '' XFSZ; '$xprof' convert '$data' '$out'"
like "$output" "cannot write to .*out.data \(it stays as it was\)" "which_is_said"
is "$(cat "$out")" precious "and_the_output_stays_as_it_was"
mkfifo "$tmp/fifo"
start bash -c "exec >'$tmp/fifo'; cat '$tmp/pipe'; exec sleep 20"
start "$xprof" convert -q "$tmp/fifo" "$out"
sleep 0.5
kill -KILL "$pid"
wait "$pid" 2>/dev/null
is "$(cat "$out")" precious "a_killed_conversion_leaves_the_output_as_it_was"

"$xprof" record -q -e cpu-clock -o "$data" -- "$demo" 1 >/dev/null
head -c $(($(stat -c %s "$data") - 20000)) "$data" >"$tmp/cut.data"
said=$(convert "$tmp/cut.data" "$out" 2>&1)
like "$said" "cut.data: the file is cut short" "damage_is_said"
ok "and_the_rest_can_be_read_by_perf" test "$(perf_samples "$out")" -gt 100

for wrong in "$data" "$data $out $out" "--decompress -z $data $out" "--compat --compress=3 $data $out"; do
	# shellcheck disable=SC2086 # the arguments are words
	status_is 2 "wrong_usage: ${wrong//$tmp\//}" convert $wrong
done
status_is 1 "a_file_that_is_not_there_is_an_error" convert "$tmp/none" "$out"
status_is 1 "a_directory_that_is_not_there_is_an_error" convert "$data" "$tmp/none/out.data"
like "$output" "make its directory first" "and_the_remedy_is_said"
status_is 1 "another_directory_is_not_written_over" convert "$data" "$tmp"
done_testing
