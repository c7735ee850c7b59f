#!/usr/bin/env bash
# Readers of perf script's text understand that of `xprof script`: a typical reader (like stackcollapse-perf.pl, the Firefox
# Profiler) recognizes every line, and finds the stacks of `xprof report`.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock -g

# A line is a sample's first, a frame, empty after the last frame, or a comment. Prints the frames as the folded line of each
# sample, leaf first, with its weight; at the end the number of unknown lines.
# shellcheck disable=SC2016 # the variables are Perl's
reader='
	if (/^#/) { next }
	elsif (/^$/) { print join(";", @stack), " $period\n" if @stack; @stack = () }
	elsif (/^(\S.*?)\s+(?:\d+\/)?\d+\s+(?:\[\d+\]\s+)?[\d.]+:\s+(\d+) \S+: *$/) { ($comm, $period) = ($1, $2) }
	elsif (/^\s*(\w+)\s*(.+) \((.*)\)$/) { my $name = $2; $name =~ s/\+0x[\da-f]+$//; push @stack, $name }
	else { $unknown++; print STDERR "not understood: $_\n" }
	END { print "unknown ", $unknown || 0, "\n" }'

read_samples() { # FILE [OPTION...]
	local file=$1
	shift
	"$xprof" script --no-inline -i "$file" "$@" 2>"$tmp/err" | perl -lne "BEGIN { \$\\ = '' } $reader" 2>>"$tmp/err"
}

"$xprof" record -q -g -e cpu-clock -c 250000 -o "$tmp/data" -- sh -c 'ls -lR /usr/include >/dev/null' 2>"$tmp/record.err"
"$xprof" report --no-inline --folded --weight=samples -i "$tmp/data" >"$tmp/folded" 2>/dev/null
total=$(awk '{ sum += $NF } END { print sum }' "$tmp/folded")

for way in "" "-F +pid" "-F comm,pid,tid,time,event,ip,sym,dso,period"; do
	# shellcheck disable=SC2086 # words
	read_samples "$tmp/data" $way >"$tmp/read"
	is "$(tail -n 1 "$tmp/read")" "unknown 0" "every line is understood: ${way:-the default}"
	is "$(grep -c ' 250000$' "$tmp/read")" "$total" "as many stacks as the report has samples: ${way:-the default}"
done

# By name of the function that ran, if it has one: a function that the report names by its start (ls+0x14cb0) has none. A name
# may have blanks; a weight stands after the last one.
leaves_read=$(sed '$d' "$tmp/read" | sed -E 's/;.*//; s/ [0-9]+$//' | grep -v '^\[' | sort | uniq -c | sed 's/^ *//')
leaves_reported=$(sed -E 's/.*;([^;]*) ([0-9]+)$/\2 \1/' "$tmp/folded" | grep -vE '^[0-9]* \[|\+0x[0-9a-f]+$' |
	awk '{ n = $1; sub(/^[0-9]+ /, ""); sum[$0] += n } END { for (name in sum) print sum[name], name }')
ok "functions have names" test "$(wc -l <<<"$leaves_read")" -gt 3
is "$(sort <<<"$leaves_read")" "$(sort <<<"$leaves_reported")" "each function ran as often as the report says"
done_testing
