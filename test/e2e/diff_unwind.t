#!/usr/bin/env bash
# xprof diff --unwind: how often frame pointers and call frame information agree, counted again from the stacks that xprof
# script prints for the same samples, unwound in each of the two ways.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock --call-graph dwarf

# FILE fp|dwarf: a line a sample: its user frames, leaf first, each "address function".
user_stacks() {
	"$xprof" script --no-inline -i "$1" --unwind="$2" -F comm,ip,sym 2>/dev/null | awk '
		/^[^ \t]/ { line = "|"; next }
		NF == 0 { if (line != "") print line; line = ""; next }
		length($1) == 16 && $1 ~ /^f/ { next }
		{ sub(/^[ \t]+/, ""); line = line $0 "|" }
		END { if (line != "") print line }'
}

# FILE: "agree skip end stray" of its samples that have user frames. The text alone does not tell whether a stack that agrees is
# whole: one that ends in clone3 may be that of the thread that calls it.
recount() {
	paste -d '\t' <(user_stacks "$1" dwarf) <(user_stacks "$1" fp) | perl -ne '
		chomp; my @both = map { s/^\||\|$//g; [split /\|/] } split /\t/, $_, -1;
		my ($whole, $chain) = @both;
		next unless @$whole;
		my ($next, $i, $fault, $start) = (0, 0, "", qr/ (_start|__libc_start_call_main|start_thread|clone3|__clone3)$/);
		for ($i = 0; $i < @$chain; $i++) {
			my $found = $next;
			$found++ while $found < @$whole && $whole->[$found] ne $chain->[$i];
			last if $found == @$whole;
			$fault ||= "skip" if $found > $next && $next;
			$next = $found + 1;
		}
		if ($i < @$chain) { $fault ||= $next < @$whole ? "stray" : "agree" }
		elsif ($next < @$whole) {
			$fault ||= "end" unless $whole->[-1] =~ $start && $next && $whole->[$next - 1] =~ $start
		}
		$n{$fault || "agree"}++;
		END { print join(" ", map { $n{$_} || 0 } qw(agree skip end stray)), "\n" }'
}

# FILE: the same, as xprof diff --unwind has it.
counted() {
	"$xprof" diff --unwind --json "$1" | perl -MJSON::PP -e '
		local $/; my $total = JSON::PP->new->decode(<STDIN>)->{total};
		die "sum" unless $total->{samples} == eval join "+", map { $total->{$_} } qw(agree skip end stray agree_without_start);
		$total->{agree} += $total->{agree_without_start};
		print join(" ", map { $total->{$_} } qw(agree skip end stray)), "\n"'
}

"$xprof" record -q -e cpu-clock -F 999 --call-graph dwarf,32768 -o "$tmp/demo.data" -- "$demo" 1 >/dev/null
is "$(counted "$tmp/demo.data")" "$(recount "$tmp/demo.data")" "counts_are_those_of_the_stacks_that_script_prints"
out=$("$xprof" diff --unwind "$tmp/demo.data")
like "$out" "deep_c_leaf \(workload\) <- deep_c" "the_caller_that_is_skipped_has_a_name"
like "$out" "workload"$'\n' "commands_are_counted"

# A program whose functions all keep their frame pointer, in code that a compiler cannot move away.
if command -v "${CC:-cc}" >/dev/null; then
	cat >"$tmp/kept.c" <<-'EOF'
		#include <stdint.h>
		__attribute__((noinline)) static uint64_t leaf(uint64_t seed)
		{
			volatile uint64_t state[4] = { seed };
			for (int i = 0; i < 20000; i++)
				state[i & 3] = state[(i + 1) & 3] * 6364136223846793005u + 1;
			return state[0];
		}
		__attribute__((noinline)) static uint64_t caller(uint64_t seed)
		{
			seed = leaf(seed);
			__asm__ volatile("" : "+r"(seed));
			return seed;
		}
		int main(void)
		{
			uint64_t seed = 1;
			for (int i = 0; i < 8000; i++)
				seed = caller(seed);
			return seed == 0;
		}
	EOF
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -o "$tmp/kept" "$tmp/kept.c"
	"$xprof" record -q -e cpu-clock:u -F 999 --call-graph dwarf -o "$tmp/kept.data" -- "$tmp/kept" >/dev/null
	is "$(counted "$tmp/kept.data")" "$(recount "$tmp/kept.data")" "so_they_are_of_code_with_frame_pointers"
	read -r agree rest <<<"$(counted "$tmp/kept.data")"
	ok "which_agree_but_for_the_start_of_the_program ($agree, $rest)" test "$agree" -gt 0
else
	skip "no compiler" so_they_are_of_code_with_frame_pointers
fi

"$xprof" record -q -e cpu-clock -F 999 --call-graph fp -o "$tmp/fp.data" -- "$demo" 1 >/dev/null
status_is 1 "without_dumps_there_is_nothing_to_compare" "$xprof" diff --unwind "$tmp/fp.data"
like "$output" "xprof record --call-graph dwarf" "and_it_is_said_how_to_record_them"
status_is 2 "one_file_is_enough" "$xprof" diff --unwind "$tmp/fp.data" "$tmp/demo.data"

done_testing
