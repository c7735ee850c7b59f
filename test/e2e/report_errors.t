#!/usr/bin/env bash
# Files that are not recordings, or no longer: one line that says what, where and what to do, exit status 1; and the readable
# part of a damaged one is read.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$tmp" || exit # messages name files as they were given

# NAME FILE REGEX [WORD...]: the report fails with status 1 and one line that names the file.
report_fails() {
	local name=$1 file=$2 regex=$3
	shift 3
	status_is 1 "${name}_fails" "$@" "$xprof" report -i "$file"
	is "$(wc -l <<<"$output")" 1 "${name}_is_explained_in_one_line"
	like "$output" "^xprof: .*${file//./\\.}.*$regex" "${name}_is_named_with_the_reason"
}

report_fails a_file_that_is_not_there nothing.data "No such file"
like "$output" "xprof record" "a_file_that_is_not_there_comes_with_the_command_that_makes_one"

: >empty.data
report_fails an_empty_file empty.data "empty"

mkdir dir.data
report_fails a_directory dir.data "directory"

printf 'This is a text, not a recording. It is longer than any header of a perf.data file,\n%s\n' \
	"which has a hundred and four bytes, so that its length cannot be what gives it away." >text.data
report_fails a_text text.data "not a perf.data"

head -c 4096 /dev/urandom >random.data
report_fails random_bytes random.data "not a perf.data"

printf 'PERFILE2' >magic.data
report_fails a_magic_number_alone magic.data "(cut|short|trunc|ends)"

if [ "$(id -u)" -ne 0 ] || command -v setpriv >/dev/null; then
	cp text.data secret.data
	chmod 000 secret.data
	chmod 755 .
	if [ "$(id -u)" -eq 0 ]; then
		unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	else
		unprivileged=(env)
	fi
	if "${unprivileged[@]}" test -x "$xprof"; then
		report_fails a_file_without_permission secret.data "Permission denied" "${unprivileged[@]}"
	else
		skip "another user cannot run $xprof" a_file_without_permission
	fi
else
	skip "no other user to be" a_file_without_permission
fi

status_is 2 "an_option_that_does_not_exist_is_wrong_usage" "$xprof" report --no-such-option
like "$output" "no-such-option" "an_option_that_does_not_exist_is_named"

# A recording that is cut off anywhere: whole records are read, and a message says that there was more.
if "$xprof" record -q -e cpu-clock -F 1999 -g -o whole.data -- "$demo" 1 >/dev/null 2>&1; then
	# With a recording, because an unknown key might be a field of a recorded tracepoint.
	status_is 2 "a_sort_key_that_does_not_exist_is_wrong_usage" "$xprof" report -i whole.data -s nonsense
	like "$output" "nonsense" "a_sort_key_that_does_not_exist_is_named"
	size=$(stat -c %s whole.data)
	bad=
	for percent in 1 20 40 60 80 95 99; do
		head -c $((size * percent / 100)) whole.data >cut.data
		"$xprof" report -i cut.data >out.txt 2>err.txt
		status=$?
		# 0 with rows, or 1 with a message; never a crash, never silence.
		case $status in
		0) [ -s out.txt ] && cat out.txt err.txt | grep -qiE 'cut|trunc|short|ends|incomplete' ;;
		1) [ "$(wc -l <err.txt)" -eq 1 ] && grep -q '^xprof: .*cut\.data' err.txt ;;
		*) false ;;
		esac || bad+="$percent%: status $status: $(head -1 err.txt)"$'\n'
	done
	is "$bad" "" "a_recording_that_is_cut_off_is_read_as_far_as_it_goes_and_that_is_said"

	# As in perf, a pipe needs no name, and comes before an existing perf.data.
	for command in "report -q" "script" "dump --summary" "flamegraph -o -"; do
		mkdir -p piped
		echo "no recording" >piped/perf.data
		# shellcheck disable=SC2002,SC2086 # a pipe is wanted
		is "$(cd piped && cat ../whole.data | "$xprof" $command | cksum)" \
			"$("$xprof" $command -i - < <(cat whole.data) | cksum)" "a_pipe_is_what_${command%% *}_reads_also_where_there_is_a_perf_data"
	done
	cp whole.data perf.data
	is "$("$xprof" report -q </dev/null | cksum)" "$("$xprof" report -q -i whole.data | cksum)" \
		"perf_data_is_read_where_standard_input_is_no_pipe"
	# shellcheck disable=SC2216 # a pipe is wanted
	is "$(: | "$xprof" report 2>&1)" \
		"xprof: standard input: the file is empty; nothing was recorded into it (standard input is a pipe: name a file to read that instead)" \
		"an_empty_pipe_is_not_taken_for_a_wish_to_read_perf_data"
	rm perf.data
else
	skip "cannot record here" a_recording_that_is_cut_off_is_read_as_far_as_it_goes_and_that_is_said
fi

done_testing
