#!/usr/bin/env bash
# The outputs of `xprof record` and similar commands: pipes as perf writes them, older files kept, and only regular files ever
# replaced.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
mkdir "$tmp/run"
cd "$tmp/run" || exit
record() {
	"$xprof" record -q -e cpu-clock "$@"
}
samples_of_pipe() {
	perf_quietly report -i - --stats <"$1" | awk '$1 == "SAMPLE" { print $3; exit }'
}
busy=(sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; echo the command said $((6 * 7))')

# --- pipes --------------------------------------------------------------------------------------------------

record -o - -- "${busy[@]}" >to_stdout 2>said
is "$(cat said)" "the command said 42" "what_the_command_prints_goes_to_standard_error"
ok "and_the_recording_is_whole" test "$(samples_of_pipe to_stdout)" -gt 0
is "$(grep -c 'said 42' to_stdout)" 0 "with_nothing_of_the_command_in_it"
is "$(record -o f.data -- "${busy[@]}" 2>/dev/null)" "the command said 42" "with_a_file_the_command_keeps_its_standard_output"

echo "no recording" >perf.data
record -- "${busy[@]}" 2>said | cat >piped
ok "a_pipe_gets_the_recording_without_being_asked_for" test "$(samples_of_pipe piped)" -gt 0
is "$(cat perf.data)" "no recording" "and_perf_data_stays_as_it_was"
like "$( ("$xprof" record -e cpu-clock -- true | cat >/dev/null) 2>&1)" "standard output is a pipe: the recording goes there" \
	"that_a_pipe_gets_it_is_said"
record -- "${busy[@]}" 2>/dev/null | "$xprof" report --comms sh -q >report 2>/dev/null
like "$(cat report)" "sh " "report_reads_the_pipe_where_there_is_a_perf_data"

rm -f perf.data perf.data.old
"$xprof" record -e cpu-clock -- "${busy[@]}" 2>&1 | cat >log
like "$(cat log)" "said 42.*perf.data: [0-9]" "messages_and_a_recording_do_not_share_a_pipe"
ok "perf_data_has_it_then" test "$(perf_samples perf.data)" -gt 0
like "$("$xprof" record -o - -- true 2>&1 | cat)" "^xprof: -o -: standard error leads there too" \
	"where_it_is_asked_for_that_is_wrong_usage"

echo "one line" >appended
# As /dev/stdout, but on a file system from which a mistake cannot remove the link.
record -o /proc/self/fd/1 -- "${busy[@]}" >>appended 2>/dev/null
is "$(head -c 17 appended)" "one line"$'\n'"PERFILE2" "a_link_of_the_system_to_standard_output_is_standard_output"

# --- older files --------------------------------------------------------------------------------------------

rm -f perf.data*
for n in 1 2 3; do
	record -- sh -c "exit $n" </dev/null >/dev/null
	cksum <perf.data >"sum.$n"
done
is "$(cksum <perf.data.old)" "$(cat sum.2)" "the_last_recording_is_perf_data_old"
rm -f perf.data* && mkdir perf.data && touch perf.data/data perf.data/data.0 && mkdir perf.data.old && touch perf.data.old/data
record -- true >/dev/null
ok "a_directory_of_perf_is_kept_as_perf_data_old_instead_of_the_one_before" test -e perf.data.old/data.0
rm -rf perf.data perf.data.old && echo x >perf.data && mkdir perf.data.old && touch perf.data.old/data perf.data.old/mine
status_is 1 "a_directory_with_other_files_is_not_replaced" record -o perf.data -- true
ok "and_keeps_them" test -e perf.data.old/mine
is "$(cat perf.data)" "x" "as_the_older_recording"
rm -rf perf.data perf.data.old

# --- FIFOs and devices --------------------------------------------------------------------------------------

# Both ends are held open, so that nothing waits.
mkfifo fifo
exec 8<>fifo
record -o fifo -- true >/dev/null
ok "record_leaves_a_FIFO_in_its_place" test -p fifo
"$xprof" convert -q f.data fifo 2>/dev/null
ok "convert_leaves_a_FIFO_in_its_place" test -p fifo
exec 8<&-
echo x >perf.data
mkfifo perf.data.old
status_is 1 "a_FIFO_is_not_overwritten_with_an_older_recording" record -o perf.data -- true
ok "and_stays" test -p perf.data.old
rm -f perf.data perf.data.old

archives=$("$xprof" version --build-options | grep -c '^ *libarchive *on')
if mknod null c 1 3 2>/dev/null && { : >null; } 2>/dev/null; then
	record -o null -- true >/dev/null
	ok "record_leaves_a_device_in_its_place" test -c null
	"$xprof" convert -q f.data null 2>/dev/null
	ok "convert_leaves_a_device_in_its_place" test -c null
	"$xprof" flamegraph -q -i f.data -o null 2>/dev/null
	ok "flamegraph_leaves_a_device_in_its_place" test -c null
	ln -s null link
	record -o link -- true >/dev/null
	ok "record_leaves_a_link_to_a_device" test -L link -a -c null
	if [ "$archives" -gt 0 ]; then
		ok "archive_writes_into_a_device" "$xprof" archive -q -f -i f.data -o null
		ok "archive_leaves_a_device_in_its_place" test -c null
		status_is 1 "archive_does_not_take_a_directory_for_a_file" "$xprof" archive -q -f -i f.data -o .
	else
		skip "built without libarchive" "archive_leaves_a_device_in_its_place"
	fi
	ok "nothing_else_was_made" sh -c '! ls null.* link.*'
else
	skip "no device can be made here" "devices_stay_in_their_place"
fi
if [ "$archives" -gt 0 ]; then
	timeout 60 cat fifo >from_fifo.tar &
	reader=$!
	ok "archive_writes_into_a_FIFO" timeout 60 "$xprof" archive -q -f -i f.data -o fifo
	wait "$reader"
	ok "which_is_an_archive" tar tf from_fifo.tar
	ok "archive_leaves_a_FIFO_in_its_place" test -p fifo
else
	skip "built without libarchive" "archive_leaves_a_FIFO_in_its_place"
fi

# --- what is recorded ---------------------------------------------------------------------------------------

like "$("$xprof" record --duration 200ms -e cpu-clock -o f.data 2>&1 </dev/null)" \
	"^xprof: no command, -p, -t, -u or -C is given: recording the whole system \(-a\) for 0.2s; Ctrl-C ends it" \
	"a_bare_record_says_that_it_records_the_system"
is "$(record --duration 200ms -o f.data 2>&1 </dev/null)" "" "not_with_q"

# --- the cache ----------------------------------------------------------------------------------------------

HOME=$tmp/no/home XDG_CACHE_HOME='' "$xprof" report -i f.data >/dev/null 2>&1 </dev/null
ok "a_home_that_does_not_exist_is_not_made" test ! -e "$tmp/no"
mkdir "$tmp/no"
HOME=$tmp/no/home XDG_CACHE_HOME='' "$xprof" report -i f.data >/dev/null 2>&1 </dev/null
ok "nor_where_it_could_be" test ! -e "$tmp/no/home"

done_testing
