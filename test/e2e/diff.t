#!/usr/bin/env bash
# xprof diff: its differences are those of perf diff, it finds a known one, takes no chance difference for a real one, and warns
# of unfair comparisons. Recordings are made here from text, so that they are the same every time.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

corpus=${CORPUS:-$source_root/../shared/corpus}

# --- perf's differences ---------------------------------------------------------------------

# [OPTION...] OLD NEW: rows "BASELINE|DELTA|DSO" of the first event; nothing is 0. Without JIT code, which xprof matches
# whatever its process's number is. perf leaves the difference blank for rows that only the old file has.
perf_rows() {
	perf_quietly diff -t '|' "$@" | awk -F'|' -v OFS='|' '
		/^# Event/ && ++events > 1 { exit }
		!/^#/ && !/JIT/ && NF { gsub(/[ %+]/, ""); print $1 + 0, $2 == "" ? -$1 : $2 + 0, $3 }' | LC_ALL=C sort
}

xprof_rows() {
	"$xprof" diff --no-header --all --no-children -t '|' "$@" | awk -F'|' -v OFS='|' '
		/^# event/ && ++events > 1 { exit }
		!/^#/ && !/JIT/ && NF { gsub(/[ %+~?]/, ""); print $1 + 0, $2 + 0, $4 }' | LC_ALL=C sort
}

# NAME OLD NEW
same_differences() {
	is "$(xprof_rows -s dso "$corpus/$2" "$corpus/$3")" "$(perf_rows -s dso "$corpus/$2" "$corpus/$3")" "$1"
}

if [ -d "$corpus" ] && command -v perf >/dev/null; then
	same_differences differences_are_those_of_perf pprofconv/single-event-single-process.perf.data \
		pprofconv/with-callchain.perf.data
	same_differences so_they_are_of_a_whole_system quipper/perf.data.systemwide.1-3.4 quipper/perf.data.systemwide.5-3.4
	same_differences and_of_many_processes quipper/perf.data.forkexit-3.4 quipper/perf.data.forkexit-3.8
	same_differences and_of_few_samples quipper/perf.data.busy.0-3.4 quipper/perf.data.busy.1-3.4
	same_differences and_of_a_file_and_itself quipper/perf.data.busy.1-3.4 quipper/perf.data.busy.1-3.4
	like "$("$xprof" diff "$corpus/quipper/perf.data.busy.1-3.4" "$corpus/quipper/perf.data.busy.1-3.4")" \
		"# 0 of [0-9]+ rows differ by more than the recordings vary" "a_file_does_not_differ_from_itself"
else
	skip "no corpus, or no perf" differences_are_those_of_perf
fi

# --- a recording out of text --------------------------------------------------------------------

# FILE [FREQUENCY]: lines "SAMPLES PERIOD FUNCTION" of the demo as samples of cpu-clock that are spread over ten
# seconds, in the layout of linux/perf_event.h and perf.data-file-format.txt. All lines evenly, unless $in_turn is set:
# then those of one line come after those of the line before.
write_recording() {
	{ nm "$demo"; readelf -lW "$demo" | awk '$1 == "LOAD" && / R E / { print "text", $2, $3, $5 }'; cat; } |
		perl -e '
		my ($path, $demo, $frequency, $in_turn) = @ARGV;
		my (%address, @text, @samples);
		while (<STDIN>) {
			if (/^([0-9a-f]{16}) [tT] (\S+)$/) { $address{$2} = hex $1 }
			elsif (/^text (\S+) (\S+) (\S+)/) { @text = map { hex } $1, $2, $3 }
			elsif (/^(\d+) (\d+) (\S+)/) { push @samples, [$2, $address{$3} // die("no $3"), $in_turn ? 0 : $_ / $1] for 1 .. $1 }
		}
		@samples = sort { $$a[2] <=> $$b[2] } @samples;
		my ($base, $time, $data) = (0x10000000, 1_000_000_000, "");
		sub record { my ($type, $misc, $body) = @_; $data .= pack("LSS", $type, $misc, 8 + length $body) . $body }
		sub text { my $t = shift() . "\0"; $t . "\0" x (-length($t) % 8) }
		my $id = pack("LLQ", 7, 7, $time);
		record(3, 0, pack("LL", 7, 7) . text("workload") . $id);
		record(1, 2, pack("LLQQQ", 7, 7, $base + $text[1], ($text[2] + 4095) & ~4095, $text[0]) . text($demo) . $id);
		my $step = 10e9 / (@samples || 1);
		record(9, 2, pack("QLLQQ", $base + $$_[1] + 4, 7, 7, $time += $step, $$_[0])) for @samples;
		my $attr = pack("LLQQQQQ", 1, 128, 0, $frequency, 0x107, 0, 1 << 8 | 1 << 9 | 1 << 10 | 1 << 18) . "\0" x 80;
		open my $out, ">", $path or die "$path: $!";
		print $out pack("a8QQ" . "QQ" x 3 . "Q4", "PERFILE2", 104, 144, 104, 144, 248, length $data, 0, 0, 0, 0, 0, 0),
			$attr, pack("QQ", 0, 0), $data;
	' "$1" "$demo" "${2:-1000}" "${in_turn:-}"
}

printf '%s\n' '2000 1000000 shallow_c' '7950 1000000 deep_c_leaf' '50 1000000 deep_c' | write_recording "$tmp/20.data"
printf '%s\n' '3000 1000000 shallow_c' '6951 1000000 deep_c_leaf' '49 1000000 deep_c' | write_recording "$tmp/30.data"

# 20% of the samples, then 30%: with 10,000 samples of each known to be within 0.1 of 10%.
out=$("$xprof" diff "$tmp/20.data" "$tmp/30.data")
like "$out" "20\.00% +\+10\.00%  +\+8\.81% \.\. \+11\.19% +workload +\[\.\] shallow_c" "a_known_difference_is_found"
like "$out" "2 of 3 rows differ by more than the recordings vary within themselves \\(confidence 95%\\)" \
	"and_it_is_said_how_sure_that_is"
like "$out" "# beware: one recording of each: intervals contain sampling error only, not variation between runs" \
	"and_what_one_recording_of_each_does_not_tell"
unlike "$out" "deep_c$" "what_may_be_chance_is_left_out"
like "$out" "# 1 more rows that may differ by chance only" "but_not_silently"
like "$("$xprof" diff -a "$tmp/20.data" "$tmp/30.data")" "0\.50% +-0\.01%~ .*\[\.\] deep_c$" "or_shown_and_marked"
like "$("$xprof" diff --confidence=99.9 "$tmp/20.data" "$tmp/30.data")" "\+7\.99% \.\. \+12\.00%" \
	"more_confidence_needs_a_wider_interval"
if command -v perf >/dev/null; then
	is "$("$xprof" diff --no-header -a -t '|' "$tmp/20.data" "$tmp/30.data" | grep -v '^#' |
		awk -F'|' -v OFS='|' '{ gsub(/[ ~?%]/, ""); print $1, $2, $4, $5 }' | LC_ALL=C sort)" \
		"$(perf_quietly diff -t '|' "$tmp/20.data" "$tmp/30.data" | grep -v '^#' | grep . | tr -d ' %' | LC_ALL=C sort)" \
		"functions_differ_as_perf_says"
	is "$("$xprof" diff --no-header -a -c ratio -t '|' "$tmp/20.data" "$tmp/30.data" | grep -v '^#' |
		awk -F'|' '{ gsub(/[ ~?]/, ""); print $2, $5 }')" \
		"$(perf_quietly diff -c ratio -t '|' "$tmp/20.data" "$tmp/30.data" | grep -v '^#' | grep . |
			awk -F'|' '{ gsub(/ /, ""); print $2, $4 }')" "so_do_ratios"
else
	skip "perf is not installed" functions_differ_as_perf_says
fi

# The effect of the divisor: the same ten seconds, half the work, ten times as many samples of a tenth.
like "$("$xprof" diff --normalize=time "$tmp/20.data" "$tmp/30.data")" \
	"in all: 100\.01% before, 100\.01% after" "by_time_it_is_percent_of_a_cpu"
like "$("$xprof" diff --work 2:1 "$tmp/20.data" "$tmp/30.data")" "in all: 5\.000s before, 10\.00s after: \+5\.000s \(\+100\.00%" \
	"by_work_it_is_seconds_of_each_unit"
like "$("$xprof" diff --normalize=samples "$tmp/20.data" "$tmp/30.data")" " 2\.000k +\+1\.000k\? " "by_samples_it_is_their_number"
printf '%s\n' '20000 100000 shallow_c' '79500 100000 deep_c_leaf' '500 100000 deep_c' | write_recording "$tmp/fast.data" 10000
out=$("$xprof" diff "$tmp/20.data" "$tmp/fast.data")
like "$out" "# beware: sampled at 1000 Hz and at 10000 Hz" "another_rate_is_told"
like "$out" "# 0 of 3 rows differ by more than the recordings vary" "and_makes_no_difference_to_shares"

# If few samples weigh much, there are fewer to detect a difference with.
printf '%s\n' '3 1000000000 shallow_c' '1000 1000000 deep_c_leaf' | write_recording "$tmp/heavy1.data"
printf '%s\n' '4 1000000000 shallow_c' '1000 1000000 deep_c_leaf' | write_recording "$tmp/heavy2.data"
like "$("$xprof" diff "$tmp/heavy1.data" "$tmp/heavy2.data")" "# 0 of 2 rows differ" "heavy_samples_are_few_samples"

# Two sets of 5,000 samples drawn from the same shares, by a generator that always gives the same: fifty times.
draw() {
	perl -e '
		my ($state, @functions) = (shift, qw(shallow_c deep_c_leaf deep_c main run_round));
		my (@share, %count) = (0.4, 0.3, 0.15, 0.1, 0.05);
		for (1 .. 5000) {
			$state = ($state * 25214903917 + 11) & (2**48 - 1);
			my ($at, $i) = ($state / 2**48, 0);
			$at -= $share[$i++] while $i < 4 && $at >= $share[$i];
			$count{$functions[$i]}++;
		}
		print "$count{$_} 1000000 $_\n" for sort keys %count;
	' "$1" | write_recording "$2"
}
differing=0
for seed in $(seq 1 2 39); do
	draw "$seed" "$tmp/a.data"
	draw "$((seed + 1))" "$tmp/b.data"
	"$xprof" diff -q "$tmp/a.data" "$tmp/b.data" | grep -q . && differing=$((differing + 1))
done
ok "at_most_one_of_twenty_pairs_of_the_same_differs ($differing)" test "$differing" -le 1

# A burst in recordings that are otherwise the same: more than sampling error, but not more than a recording varies by itself.
{
	printf '%s\n' '900 1000000 shallow_c' '4100 1000000 deep_c_leaf' | write_recording "$tmp/steady.data"
	{ for part in 1 2 3 4; do echo "$((part == 3 ? 450 : 225)) 1000000 shallow_c"; echo "$((part == 3 ? 800 : 1025)) 1000000 deep_c_leaf"; done; } |
		in_turn=yes write_recording "$tmp/burst.data"
}
out=$("$xprof" diff "$tmp/steady.data" "$tmp/burst.data")
like "$out" "# 0 of 2 rows differ by more than the recordings vary within themselves" "a_burst_in_one_recording_is_no_difference"
like "$out" "# 2 more rows differ by more than sampling error, but parts of the recordings do as well; --all shows them, marked \\?" \
	"but_not_silently_left_out"
like "$("$xprof" diff -a "$tmp/steady.data" "$tmp/burst.data")" "\+4\.50%\?.*shallow_c" "and_marked_among_all"

# The cost of the same work differs from run to run, and one recording of each side cannot show that: nothing is claimed.
out=$("$xprof" diff --work 1:1 "$tmp/20.data" "$tmp/30.data")
like "$out" "# 2 of 3 rows differ by more than sampling error \\(confidence 95%\\); runs may differ by as much" \
	"by_work_one_recording_of_each_claims_nothing"
like "$out" "\+1\.000s\?.*shallow_c" "but_shows_what_is_more_than_sampling_error"
like "$out" "# in all: 10\.00s before, 10\.00s after: .*sampling error alone" "nor_does_it_of_the_whole"
"$xprof" diff --json --work 1:1 "$tmp/20.data" "$tmp/30.data" >"$tmp/diff.json"
# shellcheck disable=SC2016 # the variables are perl's
ok "json_says_the_same" perl -MJSON::PP -e '
	local $/; open my $in, "<", shift or die; my $event = JSON::PP->new->decode(<$in>)->{events}[0];
	die "runs" if $event->{between_runs};
	my ($row) = grep { $_->{symbol} eq "shallow_c" } @{$event->{rows}};
	die "row" if $row->{self}{differs} || !$row->{self}{beyond_sampling}' "$tmp/diff.json"

# Several recordings of each side: variation among them is not a difference between the sides.
pair=$tmp/20.data,$tmp/30.data
like "$("$xprof" diff "$pair" "$pair")" "# 0 of 3 rows differ" "what_differs_from_run_to_run_is_no_difference"
for run in 1 2 3; do
	printf '%s\n' "$((2000 + run)) 1000000 shallow_c" '8000 1000000 deep_c_leaf' | write_recording "$tmp/old.$run"
	printf '%s\n' "$((3000 + run)) 1000000 shallow_c" '7000 1000000 deep_c_leaf' | write_recording "$tmp/new.$run"
done
out=$("$xprof" diff --work 1:1 "$tmp/old.1,$tmp/old.2,$tmp/old.3" "$tmp/new.1,$tmp/new.2,$tmp/new.3")
like "$out" "2\.002s +\+1\.000s  .* shallow_c" "what_is_alike_from_run_to_run_is_one"
like "$out" "the intervals contain variation between runs" "and_the_header_says_so"
like "$out" "2 of 2 rows differ, with 95% confidence not one of them by chance" "and_how_sure_that_is"
like "$out" "in all: .*, interval " "of_the_whole_as_well"
unlike "$out" "beware: one recording" "and_nothing_is_left_to_beware_of"
status_is 2 "folded_stacks_are_of_one_recording_each" "$xprof" diff --folded "$pair" "$tmp/30.data"
cp "$tmp/20.data" "$tmp/a,b.data"
like "$("$xprof" diff "$tmp/a,b.data" "$tmp/30.data")" "\+10\.00%" "a_name_may_have_a_comma_in_it"

# --- other views ---------------------------------------------------------------------------------

is "$("$xprof" diff --folded --normalize=none "$tmp/20.data" "$tmp/30.data")" "workload;deep_c 50000000 49000000
workload;deep_c_leaf 7950000000 6951000000
workload;shallow_c 2000000000 3000000000" "folded_stacks_have_both_weights"
is "$("$xprof" diff --folded "$tmp/20.data" "$tmp/fast.data" | tail -1)" "workload;shallow_c 2000000000 2000000000" \
	"folded_stacks_are_scaled_to_the_same_sum"
"$xprof" diff --json "$tmp/20.data" "$tmp/30.data" >"$tmp/diff.json"
# shellcheck disable=SC2016 # the variables are perl's
ok "json_is_json" perl -MJSON::PP -e '
	local $/; open my $in, "<", shift or die; my $diff = JSON::PP->new->decode(<$in>);
	my ($row) = grep { $_->{symbol} eq "shallow_c" } @{$diff->{events}[0]{rows}};
	die "delta" unless abs($row->{self}{delta} - 0.1) < 1e-9 && $row->{self}{differs};
	die "sums" unless $row->{self}{before}{samples} == 2000 && $row->{self}{after}{period} == 3e9;
	die "files" unless $diff->{files}[1]{samples} == 10000' "$tmp/diff.json"

# Default files, wrong usage.
(cd "$tmp" && cp 20.data perf.data.old && cp 30.data perf.data && "$xprof" diff -q) >"$tmp/default.txt"
like "$(cat "$tmp/default.txt")" "\+10\.00%" "without_names_perf_data_old_and_perf_data_are_compared"
status_is 2 "what_cannot_be_compared_is_wrong_usage" "$xprof" diff -s pid "$tmp/20.data" "$tmp/30.data"
status_is 2 "work_of_nothing_is_wrong_usage" "$xprof" diff --normalize=work "$tmp/20.data" "$tmp/30.data"
status_is 1 "a_file_that_is_not_there_is_an_error" "$xprof" diff "$tmp/20.data" "$tmp/nothing.data"
like "$output" "nothing\.data.*No such file" "and_it_is_named"
odd=$tmp/of%s%n%s.data
cp "$tmp/20.data" "$odd"
for option in --event --work; do
	status_is 1 "an_event_that_was_not_recorded_is_an_error_with_$option" "$xprof" diff "$option=nosuch" "$odd" "$odd"
	like "$output" "of%s%n%s\.data: .*'nosuch'" "and_the_file_is_named_as_it_is_called_with_$option"
done
: | write_recording "$tmp/empty.data"
status_is 1 "no_samples_are_nothing_to_compare" "$xprof" diff "$tmp/20.data" "$tmp/empty.data"

# A renamed program counts as the same one if the option says so.
cp "$demo" "$tmp/renamed"
(demo=$tmp/renamed; printf '%s\n' '3000 1000000 shallow_c' '7000 1000000 deep_c_leaf' | write_recording "$tmp/renamed.data")
out=$("$xprof" diff "$tmp/20.data" "$tmp/renamed.data")
like "$out" "# workload before and renamed after are compared as the same" "one_program_of_each_that_the_other_has_not_is_the_same"
like "$out" "20\.00% +\+10\.00% .* workload +\[\.\] shallow_c" "and_compared"
like "$("$xprof" diff --rename x=y "$tmp/20.data" "$tmp/renamed.data")" "# beware: if these are the same program: --rename workload=renamed" \
	"unless_names_are_said_then_it_is_told"
like "$("$xprof" diff --rename workload=renamed "$tmp/20.data" "$tmp/renamed.data")" "20\.00% +\+10\.00% .* workload +\[\.\] shallow_c" \
	"and_can_be_said_to_be_the_other"

done_testing
