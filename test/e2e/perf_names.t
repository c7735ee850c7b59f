#!/usr/bin/env bash
# xprof gives the same names as perf, to the byte: for a mixed workload that perf recorded with frame pointers and with stack
# dumps, the kernel included, for the demo, and for the corpus. Differences are counted by kind, and every kind has a reason.
# test/long/perf_names.t does the same with more programs.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/names.sh
. "$(dirname "$0")/../lib/names.sh"
need_perf

if perf_quietly record -q -e cpu-clock -g -o "$tmp/probe.data" true >/dev/null; then
	cat >"$tmp/mixed.sh" <<'END'
python3 -c 'import json, re
text = json.dumps([{"a": i, "b": str(i) * 3} for i in range(8000)])
json.loads(text); re.findall(r"\d+", text)'
perl -e 'my %h; $h{$_ % 777} .= "x" for 1 .. 100000; print scalar(keys %h)'
cat /usr/include/*.h | gzip -c | gzip -dc | sort | md5sum
echo 'int main(void) { return 0; }' | gcc -O2 -x c -o /dev/null -
END
	for graph in fp dwarf; do
		perf_quietly record -q -e cpu-clock -F 997 --call-graph $graph -o "$tmp/$graph.data" sh "$tmp/mixed.sh" >/dev/null
		perf_quietly record -q -e cpu-clock -F 997 --call-graph $graph -o "$tmp/demo_$graph.data" "$demo" 1 >/dev/null
	done
	test_names mixed_fp "$tmp/fp.data"
	test_names mixed_dwarf "$tmp/dwarf.data" --unwound
	test_names demo_fp "$tmp/demo_fp.data"
	test_names demo_dwarf "$tmp/demo_dwarf.data" --unwound
else
	skip "perf cannot record here" "names of a mixed workload"
fi

corpus=${CORPUS:-$source_root/../shared/corpus}
if [ -r "$corpus/INDEX.tsv" ]; then
	differ='' compared=0
	while read -r file; do
		name=${file//\//__}
		names_are_equal "$name" "$corpus/$file" --foreign --unwound
		case $? in
		0) compared=$((compared + 1)) ;;
		1) differ+="$file: $(grep '^!' "$tmp/kinds.$name" | head -2)"$'\n' ;;
		esac
	done < <(tail -n +2 "$corpus/INDEX.tsv" | cut -f1)
	is "$differ" "" "differences from perf's names are explained in $compared files of the corpus"
else
	skip "no corpus at $corpus" "names of the corpus"
fi

sort -k2 -t$'\t' "$tmp/kinds" | awk -F'\t' '{ sum[$2] += $1 } END { for (kind in sum) printf "%8d  %s\n", sum[kind], kind }' |
	sort -nr | while read -r line; do diag "$line"; done
done_testing
