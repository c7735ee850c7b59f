#!/usr/bin/env bash
# xprof flamegraph: the numbers of the picture are those of xprof report, the file is well formed for all names, and needs no
# other file.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -g

data=$tmp/perf.data
"$xprof" record -q -g -F 1999 -o "$data" -- "$demo" 1 >/dev/null 2>&1

# FILE.svg: its stacks as folded text, from the places and sums of the frames alone.
stacks_of_svg() {
	perl -0777 -ne '
		my (@path, @sum, %self);
		sub ends { my $d = shift; while (@path > $d) {
			my ($s, $n) = (pop @sum, join ";", @path); pop @path; $self{$n} += $s if $s } }
		while (/<g class="\w+" data-d="(\d+)" data-v="\d+ (\d+)"><title>([^\n]*)\n/g) {
			my ($depth, $weight, $name) = ($1, $2, $3);
			$name =~ s/&lt;/</g, $name =~ s/&gt;/>/g, $name =~ s/&quot;/"/g, $name =~ s/&#39;/\x27/g;
			$name =~ s/&amp;/&/g, $name =~ s/;/:/g;
			$name =~ s/ /_/g if $depth == 1;
			ends($depth);
			$sum[-1] -= $weight if $depth;
			push @path, $name; push @sum, $weight;
		}
		ends(0);
		for (keys %self) { s/^all;//; my $line = $_; printf "%s %d\n", $line, $self{"all;$line"} }
	' "$1" | LC_ALL=C sort
}

"$xprof" report -q --folded -i "$data" | LC_ALL=C sort >"$tmp/report.txt"
"$xprof" flamegraph -q --min-width 0 -i "$data" -o "$tmp/all.svg"
is "$(stacks_of_svg "$tmp/all.svg" | diff - "$tmp/report.txt" | head -5)" "" "every_stack_has_the_weight_that_report_gives_it"
"$xprof" report -q --folded --weight=samples --comms workload --time 20%-60% -i "$data" | LC_ALL=C sort >"$tmp/report.txt"
"$xprof" flamegraph -q --min-width 0 --weight samples --comms workload --time 20%-60% -i "$data" -o "$tmp/some.svg"
is "$(stacks_of_svg "$tmp/some.svg" | diff - "$tmp/report.txt" | head -5)" "" "so_it_has_with_filters_and_samples"

# The sum of all widths, culled or not, is that of the recording.
"$xprof" flamegraph -q --min-width 20 -i "$data" -o "$tmp/culled.svg"
is "$(stacks_of_svg "$tmp/culled.svg" | awk '{ sum += $NF } END { printf "%.0f", sum }')" \
	"$("$xprof" report -q --folded -i "$data" | awk '{ sum += $NF } END { printf "%.0f", sum }')" \
	"nothing_is_lost_when_narrow_frames_are_one"

"$xprof" report -q --folded --annotate -i "$data" >"$tmp/annotated.txt"
"$xprof" flamegraph -q --min-width 0 --folded "$tmp/annotated.txt" -o "$tmp/folded.svg"
"$xprof" report -q --folded -i "$data" | LC_ALL=C sort >"$tmp/report.txt"
is "$(stacks_of_svg "$tmp/folded.svg" | diff - "$tmp/report.txt" | head -5)" "" "folded_text_gives_the_same_stacks"

"$xprof" flamegraph -q --format svg -i "$data" -o - >"$tmp/again.svg"
"$xprof" flamegraph -q -i "$data" -o "$tmp/one.svg"
ok "the_same_recording_gives_the_same_bytes" cmp "$tmp/one.svg" "$tmp/again.svg"
like "$(grep -m 1 -A 1 '<title>all$' "$tmp/one.svg")" '100\.00%, [0-9]+ samples, [0-9.]+ (m?s|[kMG]? *[a-z])' \
	"a_picture_has_seconds_instead_of_nanoseconds"
unlike "$(grep -oE '(https?:)?//[a-z][^" ]*' "$tmp/one.svg" | grep -v '^http://www.w3.org/2000/svg$')" . \
	"nothing_is_fetched_from_anywhere"

# --- the page ------------------------------------------------------------------------------------------------

"$xprof" flamegraph -q -i "$data" -o "$tmp/page.html"
"$xprof" flamegraph -q -i "$data" -o - >"$tmp/again.html"
like "$(cat "$tmp/page.html")" '"title":"[^"]*workload 1 on [^"]*: [^"]*, [^"]*perf\.data"' "the_title_names_the_command_and_the_machine"
ok "the_same_recording_gives_the_same_page" cmp "$tmp/page.html" "$tmp/again.html"
unlike "$(grep -oE '(https?:)?//[a-z][^" ]*|url\(|src=|href=' "$tmp/page.html")" . "a_page_fetches_nothing"
if command -v node >/dev/null; then
	"$xprof" report -q --folded -i "$data" | LC_ALL=C sort >"$tmp/report.txt"
	is "$(node "$source_root/test/web/page_stacks.js" "$tmp/page.html" | LC_ALL=C sort | diff - "$tmp/report.txt" | head -5)" "" \
		"every_stack_on_the_page_has_the_weight_that_report_gives_it"
	"$xprof" report -q --json --children -s dso,sym -i "$data" >"$tmp/report.json"
	is "$(node "$source_root/test/web/page_functions.js" "$tmp/page.html" "$tmp/report.json")" "equal" \
		"self_and_total_of_every_function_are_those_of_report"
	# The test runs the command that the page offers, unchanged, and its table is the page's.
	"$xprof" flamegraph -q --comms workload --time 20%-60% -i "$data" -o "$tmp/some.html"
	command=$(node "$source_root/test/web/page_command.js" "$tmp/some.html")
	like "$command" '^xprof report .*--comms workload --time 20%-60%$' "a_page_has_the_command_for_its_numbers"
	(
		xprof() { "$xprof" "$@"; }
		eval "$command --json --children"
	) >"$tmp/report.json"
	is "$(node "$source_root/test/web/page_functions.js" "$tmp/some.html" "$tmp/report.json")" "equal" \
		"the_command_gives_the_same_numbers"
else
	skip "node is not installed" a_page_has_the_command_for_its_numbers
	skip "node is not installed" the_command_gives_the_same_numbers
	skip "node is not installed" every_stack_on_the_page_has_the_weight_that_report_gives_it
	skip "node is not installed" self_and_total_of_every_function_are_those_of_report
fi

# --- names that look like markup -----------------------------------------------------------------------------

{
	printf 'sh;<script>alert(1)</script>;</title></svg>;main 10\n'
	printf 'sh;]]>;a"b'"'"'c&d;<!-- 7\n'
	printf 'sh;bidi\342\200\256evil;bad\377utf8\300\200;\033[31m 3\n'
	printf 'sh;%s 9\n' "$(printf 'std::vector<%.0s' $(seq 1000))int$(printf '>%.0s' $(seq 1000))"
	printf 'sh;%s 9\n' "$(printf 'x%.0s' $(seq 10240))"
} >"$tmp/hostile.txt"
"$xprof" flamegraph -q --min-width 0 --folded "$tmp/hostile.txt" -o "$tmp/hostile.svg"
is "$(grep -c '<script' "$tmp/hostile.svg")" 1 "hostile_names_add_no_script"
is "$(grep -c ']]>' "$tmp/hostile.svg")" 2 "hostile_names_end_no_section"
unlike "$(LC_ALL=C grep -aP '\xe2\x80\xae|\xff|\x1b' "$tmp/hostile.svg")" . "hostile_bytes_are_gone"
"$xprof" flamegraph -q --folded "$tmp/hostile.txt" -o "$tmp/hostile.html"
"$xprof" flamegraph -q --folded /dev/null -o "$tmp/empty.html"
is "$(grep -ci '<script\|</script\|<!--' "$tmp/hostile.html")" "$(grep -ci '<script\|</script\|<!--' "$tmp/empty.html")" \
	"hostile_names_open_and_close_nothing_on_a_page"
unlike "$(LC_ALL=C grep -aP '\xe2\x80\xae|\xff|\x1b' "$tmp/hostile.html")" . "hostile_bytes_are_gone_from_a_page"
ok "a_hostile_picture_is_small" test "$(wc -c <"$tmp/hostile.svg")" -lt 40000
if perl -MXML::Parser -e 1 2>/dev/null; then
	ok "a_hostile_picture_is_well_formed" perl -MXML::Parser -e 'XML::Parser->new->parsefile($ARGV[0])' "$tmp/hostile.svg"
elif command -v xmllint >/dev/null; then
	ok "a_hostile_picture_is_well_formed" xmllint --noout "$tmp/hostile.svg"
else
	skip "neither XML::Parser nor xmllint" a_hostile_picture_is_well_formed
fi

# --- differences ---------------------------------------------------------------------------------------------

printf 'sh;a 50\nsh;b 50\n' >"$tmp/before.txt"
printf 'sh;a 90\nsh;c 10\n' >"$tmp/after.txt"
"$xprof" flamegraph -q --min-width 0 --diff "$tmp/before.txt" --folded "$tmp/after.txt" -o "$tmp/diff.svg"
like "$(grep -A 2 '<title>a$' "$tmp/diff.svg")" '90\.00%, 90 samples; before 50\.00%, \+40\.00 points \(\+27\.84 \.\. \+50\.61\)' "a_difference_is_in_points"
like "$(grep '<title>c$' "$tmp/diff.svg")" 'class="p3"' "what_is_new_is_more"
sed 's/^[^;]*;/newer;/' "$tmp/after.txt" >"$tmp/newer.txt"
"$xprof" flamegraph -q --min-width 0 --diff "$tmp/before.txt" --folded "$tmp/newer.txt" -o "$tmp/newer.svg"
like "$(grep '<title>newer$' "$tmp/newer.svg")" 'class="z0"' "a_lone_program_of_another_name_is_the_same"
like "$(cat "$tmp/newer.svg")" 'before and newer now are compared as the same' "and_that_is_said"
"$xprof" flamegraph -q --min-width 0 --rename x=y --diff "$tmp/before.txt" --folded "$tmp/newer.txt" -o "$tmp/other.svg"
like "$(grep '<title>newer$' "$tmp/other.svg")" 'class="p3"' "unless_names_are_said"
"$xprof" flamegraph -q --diff "$data" -i "$data" -o "$tmp/same.svg"
unlike "$(grep -E 'class="[pm][0-3]" data-d' "$tmp/same.svg")" . "a_recording_does_not_differ_from_itself"
status_is 1 "something_to_compare_with_that_is_not_there_fails" "$xprof" flamegraph --diff "$tmp/nothing" -i "$data" -o -

# --- the command line ----------------------------------------------------------------------------------------

(cd "$tmp" && "$xprof" flamegraph -q)
like "$(head -1 "$tmp/flamegraph.html")" '<!DOCTYPE html>' "without_options_perf_data_becomes_flamegraph_html"
like "$("$xprof" flamegraph -o "$tmp/said.svg" -i "$data" 2>&1)" 'wrote .*said\.svg: [0-9]+ samples, [0-9]+ frames' \
	"what_was_written_is_said"
like "$("$xprof" flamegraph -q --format svg --by cpu,tid -i "$data" -o -)" 'thread [0-9]+ workload' "groups_can_be_chosen"
status_is 2 "a_group_that_does_not_exist_is_wrong_usage" "$xprof" flamegraph --by colour -i "$data" -o -
status_is 2 "a_recording_and_folded_text_at_once_are_wrong_usage" "$xprof" flamegraph --folded x -i "$data"
status_is 1 "a_file_that_is_not_there_fails" "$xprof" flamegraph --folded "$tmp/nothing"
status_is 1 "a_picture_that_cannot_be_written_fails" "$xprof" flamegraph -i "$data" -o "$tmp/no/such/place.svg"
echo 'no stack' >"$tmp/prose.txt"
status_is 1 "text_that_is_not_folded_fails" "$xprof" flamegraph --folded "$tmp/prose.txt" -o "$tmp/x.svg"

done_testing
