#!/usr/bin/env bash
# MIXTURES (200) programs that wait in five functions, mostly for less than the millisecond for which a stack is taken: the share
# that each function has of the time off the CPU is, on the average, within one percent of all time of what the program measured.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
mixtures=${MIXTURES:-200}
cd "$tmp" || exit

"$xprof" record -q --off-cpu -e dummy -o probe.data -- true 2>probe.err || skip_all "no waits here: $(head -1 probe.err)"
gcc -O2 -fomit-frame-pointer -o mixture "$source_root/test/e2e/programs/wait_mixture.c" -lm || exit

# Lines "MIXTURE FUNCTION RECORDED MEASURED" of shares.
for ((i = 1; i <= mixtures; i++)); do
	"$xprof" record -q --off-cpu -e dummy -o waits.data -- ./mixture $i >waits.txt
	"$xprof" report -i waits.data --no-inline --folded --weight period 2>/dev/null |
		awk -v number=$i '
			FNR == NR { measured[$1] = $2; all_measured += $2; next }
			match($0, /;wait_[a-e]/) { recorded[substr($0, RSTART + 1, RLENGTH - 1)] += $NF; all_recorded += $NF }
			END { for (name in measured) print number, name, recorded[name] / (all_recorded + !all_recorded), measured[name] / all_measured }
		' waits.txt -
done >shares

read -r count mean bias largest <<<"$(awk '
	{ d = $3 - $4; sum += d < 0 ? -d : d; signed[$2] += d; if (d < 0) d = -d; if (d > largest) largest = d; count++ }
	END {
		for (name in signed) { b = signed[name] < 0 ? -signed[name] : signed[name]; if (b > bias) bias = b }
		print count, sum / count, bias / (count / 5), largest
	}' shares)"
figure "$count shares: error $mean on the average, $largest at most; the average of a function is off by $bias at most"
is "$count" $((5 * mixtures)) "each_mixture_was_recorded"
ok "shares_are_right_on_the_average" awk -v mean="$mean" 'BEGIN { exit !(mean <= 0.01) }'
ok "errors_cancel_out" awk -v bias="$bias" 'BEGIN { exit !(bias <= 0.003) }'
done_testing
