#!/usr/bin/env bash
# Recordings of a machine with two kinds of cores, whose kernel counts one event by two PMUs.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
recording_of=$build/test/tools/recording_of
[ -x "$recording_of" ] || skip_all "test/tools/recording_of was not built"

data=$tmp/hybrid.data
"$recording_of" hybrid "$data"

# Folded text on standard input: its weight.
weight() {
	awk '{ sum += $NF } END { print sum + 0 }'
}

is "$("$xprof" report -q --folded --weight=samples -i "$data" | weight)" 23 "folded_text_has_the_samples_of_both_kinds_of_cores"
is "$("$xprof" report --folded -i "$data" 2>&1 >/dev/null | sed 's/.*hybrid.data: //')" \
	"these are the stacks of cycles:P, one of 2 events: --event names another; cycles:P is cpu_atom/cycles/P and cpu_core/cycles/P" \
	"one_line_says_what_was_joined"
is "$("$xprof" report -q --folded --weight=samples --event cycles -i "$data" | weight)" 23 "the_event_is_found_by_its_own_name"
is "$("$xprof" report -q --folded --weight=samples --event cpu_atom/cycles/P -i "$data" | weight)" 3 \
	"the_event_of_one_pmu_can_be_asked_for"
is "$("$xprof" report -q --folded --weight=samples --event page-faults -i "$data" | weight)" 5 "other_events_are_not_joined"

"$xprof" flamegraph -q -i "$data" -o "$tmp/page.html"
like "$(cat "$tmp/page.html")" '"unit":"cycles:P"' "a_page_is_of_the_joined_event"
"$xprof" flamegraph -q --folded <("$xprof" report -q --folded -i "$data") -o "$tmp/folded.svg"
"$xprof" flamegraph -q -i "$data" -o "$tmp/page.svg"
like "$(grep -m 1 '<title>all' -A 1 "$tmp/page.svg")" '23 samples' "a_picture_has_the_samples_of_both"
is "$("$xprof" flamegraph -i "$data" -o "$tmp/page.svg" 2>&1 | head -1 | sed 's/.*hybrid.data: //')" \
	"these are the stacks of cycles:P, one of 2 events: --event names another; cycles:P is cpu_atom/cycles/P and cpu_core/cycles/P" \
	"a_picture_says_what_was_joined"

# As perf report does.
is "$("$xprof" report --no-pager -i "$data" 2>/dev/null | grep -oE "of event '.*'" | tr '\n' ' ')" \
	"of event 'cpu_atom/cycles/P' of event 'cpu_core/cycles/P' of event 'page-faults' " "the_table_shows_each_pmu_by_itself"
like "$("$xprof" report --no-pager --event cycles -i "$data" 2>/dev/null)" "23  of event 'cycles:P'" \
	"the_table_joins_them_when_the_event_is_asked_for"

done_testing
