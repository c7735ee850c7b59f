#!/usr/bin/env bash
# A new user's first contact: wrong commands, wrong options, help on a terminal, a pager.
set -u
cd "$(dirname "$0")/../.." || exit
. test/lib/tap.sh

: "${BUILD:=build}"
xprof=${XPROF:-$BUILD/xprof}

status_is 2 "xprof_alone_is_wrong_usage" "$xprof"
like "$output" "Commands" "xprof_alone_lists_the_commands"
status_is 0 "xprof_-h_succeeds" "$xprof" -h
is "$("$xprof" --help)" "$("$xprof" help)" "--help_is_the_help_command"
is "$("$xprof" --version)" "xprof $(cat VERSION)" "--version_prints_the_version"
is "$("$xprof" -V)" "$("$xprof" version)" "-V_is_short_for_it"
like "$("$xprof" version --build-options)" $'\n  libelf +on +' "build_options_are_listed"

status_is 2 "an_unknown_command_is_wrong_usage" "$xprof" vresion
is "$output" "xprof: unknown command 'vresion', did you mean 'version'? See 'xprof help'" \
	"the_nearest_command_is_suggested"
status_is 2 "an_unknown_topic_is_wrong_usage" "$xprof" help vresion
is "$output" "xprof: unknown command 'vresion', did you mean 'version'? See 'xprof help -h'" \
	"the_nearest_topic_is_suggested"
status_is 2 "an_unknown_option_is_wrong_usage" "$xprof" version --bulid-options
is "$output" "xprof: unknown option '--bulid-options', did you mean '--build-options'? See 'xprof version -h'" \
	"the_nearest_option_is_suggested"
status_is 2 "an_unexpected_argument_is_wrong_usage" "$xprof" version now
is "$output" "xprof: unexpected argument 'now'; see 'xprof version -h'" "it_is_quoted"
# Sanitized programs fail if any memory of the options is not freed.
status_is 2 "options_that_exclude_each_other_are_wrong_usage" \
	"$xprof" record -e cpu-clock -e page-faults --exclude-perf -c 1 -F 99 -- true
like "$output" "-c and -F exclude each other" "both_are_named"

# shellcheck disable=SC2317 # called by status_is
full_disk() {
	"$xprof" help >/dev/full
}
status_is 1 "a_full_disk_is_a_failure" full_disk
is "$output" "xprof: cannot write to standard output: No space left on device" "and_the_message_says_so"

# shellcheck disable=SC2317 # called by status_is
closed_output() {
	"$xprof" help >&-
}
status_is 1 "a_closed_standard_output_is_a_failure" closed_output
is "$output" "xprof: cannot write to standard output: Bad file descriptor" "which_is_said_too"

# script(1) gives the program a terminal.
on_terminal() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r'
}
if command -v script >/dev/null; then
	export TERM=xterm
	unset NO_COLOR
	like "$(on_terminal "$xprof version -h")" $'\e\\[1mOptions\e\\[0m' "headings_are_bold_on_a_terminal"
	unlike "$(NO_COLOR=1 on_terminal "$xprof version -h")" $'\e' "not_with_NO_COLOR"
	unlike "$("$xprof" version -h)" $'\e' "not_in_a_pipe"
	like "$(XPROF_PAGER='sed s/^/paged:/' on_terminal "$xprof help version")" "paged:" "long_help_goes_through_the_pager"
	is "$(XPROF_PAGER='sed s/^/paged:/' "$xprof" help version)" "$("$xprof" help version)" "but_not_into_a_pipe"
else
	skip "no script(1) here" "terminal"
fi

done_testing
