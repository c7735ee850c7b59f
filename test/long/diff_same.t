#!/usr/bin/env bash
# xprof diff between recordings of one and the same program: 100 pairs, recorded live one after the other while other programs
# come and go on the machine. diff may report a difference for at most one pair in twenty: for shares with one recording of each
# side, for shares and for work with three of each.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_recording -e cpu-clock

pairs=${PAIRS:-100}

cat >"$tmp/words.pl" <<'END'
my %h;
for my $i (1 .. 150000) { my $k = "ab" x ($i % 7) . ($i * 7919 % 1000); $h{$k}++ }
my $t = join " ", sort keys %h;
for (1 .. 10) { my $n = () = $t =~ /b(\d+)/g; (my $u = $t) =~ s/(\w)(\d)/$2$1/g }
END
perl -e 'print $_ * 7919 % 1000003, "\n" for 1 .. 200000' >"$tmp/numbers"
cat "$tmp/numbers" "$tmp/numbers" >"$tmp/text"
programs=("perl $tmp/words.pl" "sort $tmp/numbers" "xz -T1 -2 -k -c $tmp/text"
	"gcc -O2 -D_GNU_SOURCE -I$source_root/src -c -o /dev/null $source_root/src/base/str_pool.c"
	"awk {n[\$1%1000]+=\$1}END{for(i=0;i<1000;i++)print(n[i])} $tmp/numbers")

# Other work for a while, then none for a while, until the test ends.
# shellcheck disable=SC2317 # it is started
make_noise() {
	while :; do
		timeout 0.$((RANDOM % 9 + 1)) sh -c 'while :; do :; done'
		timeout 0.$((RANDOM % 9 + 1)) cat /dev/zero | timeout 0.5 tr '\0' x >/dev/null
		sleep 0.$((RANDOM % 9 + 1))
	done
}
start make_noise 2>/dev/null

# FILE PROGRAM
record_program() {
	local words
	read -r -a words <<<"$2"
	LC_ALL=C "$xprof" record -q -e cpu-clock -F 1999 -o "$1" -- "${words[@]}" >/dev/null 2>&1
}

# OLD NEW OPTION...: does it report a row, or a difference of the whole?
claims() {
	"$xprof" diff --json "${@:3}" "$1" "$2" 2>/dev/null | perl -MJSON::PP -e '
		local $/; my $event = JSON::PP->new->decode(<STDIN>)->{events}[0];
		exit 0 if grep { $_->{self}{differs} } @{$event->{rows}};
		my $whole = $event->{total};
		exit 0 if $event->{between_runs} && ($whole->{delta_low} > 0 || $whole->{delta_high} < 0);
		exit 1'
}

# For each program the last three recordings of each side are kept, so that neighbouring pairs of three share two recordings.
single=0 single_work=0 several=0 several_work=0 interval=0
for number in $(seq 0 $((pairs + 2 * ${#programs[@]} - 1))); do
	program=$((number % ${#programs[@]})) round=$((number / ${#programs[@]}))
	prefix=$tmp/$program newest=$((round % 3))
	for side in old new; do
		record_program "$prefix.$side.$newest" "${programs[program]}"
	done
	[ "$round" -ge 2 ] || continue
	one=("$prefix.old.$newest" "$prefix.new.$newest")
	three=("$prefix.old.0,$prefix.old.1,$prefix.old.2" "$prefix.new.0,$prefix.new.1,$prefix.new.2")
	claims "${one[@]}" && single=$((single + 1))
	claims "${one[@]}" --work 1:1 && single_work=$((single_work + 1))
	claims "${three[@]}" && several=$((several + 1))
	claims "${three[@]}" --work 1:1 && several_work=$((several_work + 1))
	"$xprof" diff --work 1:1 "${one[@]}" | grep -q '^# in all: .*alone [+].* [.][.] [+]\|alone -.* [.][.] -' &&
		interval=$((interval + 1))
done
figure "of $pairs pairs differ: by share $single, by work $single_work; three of each: by share $several, by work $several_work"
diag "sampling error alone would have been taken for a difference of the whole in $interval"

# One in twenty, plus the excess that a count of so many may have by chance (two deviations).
limit=$(perl -e 'my $n = shift; printf "%d", $n * 0.05 + 2 * sqrt($n * 0.05 * 0.95)' "$pairs")
ok "shares_of_the_same_program_do_not_differ ($single)" test "$single" -le "$limit"
is "$single_work" 0 "nor_does_the_work_of_one_recording_of_each"
ok "nor_do_shares_of_three_of_each ($several)" test "$several" -le "$limit"
ok "nor_does_their_work ($several_work)" test "$several_work" -le "$limit"

done_testing
