#!/usr/bin/env bash
# xprof guesses callers of code without unwind information only if asked to, and marks them in every view.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "the test's assembly is for x86-64"
need_recording -e cpu-clock --call-graph dwarf

cat >"$tmp/undescribed.s" <<'EOS'
	.text
	.globl undescribed
	.type undescribed, @function
undescribed:
	# The instructions do not tell where its caller is either.
	mov %rsp, place(%rip)
	and $-64, %rsp
	call spin
	mov place(%rip), %rsp
	ret
	.size undescribed, .-undescribed
	.local place
	.comm place, 8, 8
	.section .note.GNU-stack, "", @progbits
EOS
cat >"$tmp/main.c" <<'EOC'
void undescribed(void);
void spin(void);
static volatile unsigned long sum;

void spin(void)
{
	for (int i = 0; i < 400000; i++)
		sum += (unsigned long)i;
}

int main(void)
{
	for (int i = 0; i < 1000; i++)
		undescribed();
	return (int)(sum & 0);
}
EOC
"${CC:-cc}" -O1 -fomit-frame-pointer -o "$tmp/guess" "$tmp/main.c" "$tmp/undescribed.s" 2>/dev/null ||
	skip_all "no C compiler that knows assembly"
"$xprof" record -q -e cpu-clock:u -F 999 --call-graph dwarf -o "$tmp/guess.data" -- "$tmp/guess" >/dev/null

like "$("$xprof" report -i "$tmp/guess.data" --folded)" 'guess;undescribed;spin [0-9]' "nothing is guessed unless it is asked for"
like "$("$xprof" report --header -i "$tmp/guess.data" --top 1)" 'code has no unwind information' "and the header says where stacks end"
guessed=' \[guessed\]'
like "$("$xprof" report -i "$tmp/guess.data" --guess --folded)" "main$guessed;undescribed;spin [0-9]" "folded stacks have the mark"
like "$("$xprof" report -i "$tmp/guess.data" --guess)" "\[\.\] main$guessed" "the table has it"
like "$("$xprof" report --header -i "$tmp/guess.data" --guess)" 'callers that were guessed' "and its header says how many"
like "$("$xprof" report -i "$tmp/guess.data" --guess --stacks)" 'have guessed callers' "the table of stacks says so, too"
like "$("$xprof" report -i "$tmp/guess.data" --guess --json)" '"symbol": ?"main"[^}]*"guessed": ?true' "JSON has it"
like "$("$xprof" script -i "$tmp/guess.data" --guess -F ip,sym)" $'\n''# \[guessed\]'$'\n\t''[ 0-9a-f]* main'$'\n' "the script has it on a line of its own, in front of the frame"
unlike "$("$xprof" script -i "$tmp/guess.data" -F ip,sym)" "$guessed" "and guesses only if it is asked to"
"$xprof" flamegraph -q -i "$tmp/guess.data" --guess -o "$tmp/guess.svg" 2>/dev/null
like "$(cat "$tmp/guess.svg" 2>/dev/null)" "main$guessed" "the flame graph has it"
done_testing
