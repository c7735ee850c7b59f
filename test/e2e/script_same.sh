# shellcheck shell=bash
# `xprof script` beside `perf script`, for the tests that source it after lib.sh.
#
# perf is told not to add inlined functions. Three kinds of lines may differ:
# - names of PLT entries, which perf 6.1 does not know or calls "@plt", if the text before and after the name is the same;
# - callers that are not addresses at all (code without frame pointers leaves anything there) but by chance lie where the
# program that called exec was mapped: perf goes on naming them by that program. xprof shows an address in the file then, with
# the same place in the page;
# - if the whole system is recorded, functions of programs outside of /usr, which may have names that perf does not find (it
# finds no names in files that BOLT has rearranged).

: "${tmp:?}" "${xprof:?}"

# The lines that differ for no known reason: the first pairs, or the surplus lines of either side.
unexplained() {
	if [ "$(wc -l <"$tmp/perf.txt")" -ne "$(wc -l <"$tmp/xprof.txt")" ]; then
		wc -l "$tmp/perf.txt" "$tmp/xprof.txt"
		diff "$tmp/perf.txt" "$tmp/xprof.txt" | head -n 12
		return
	fi
	awk -v other="$tmp/xprof.txt" '
		function is_plt(ours, perfs,  front, back) {
			if (!match(ours, / [^ ]*(@plt|\.plt[.a-z]*)(\+0x[0-9a-f]+)?/))
				return 0
			front = substr(ours, 1, RSTART)
			back = substr(ours, RSTART + RLENGTH)
			return substr(perfs, 1, RSTART) == front && substr(perfs, length(perfs) - length(back) + 1) == back
		}
		function is_of_replaced_program(ours, perfs) {
			return ours ~ /^\t *[0-9a-f]+ \[unknown\] \(\[unknown\]\)$/ && perfs ~ /^\t.* \(\/.*\)$/ &&
				in_page(ours) == in_page(perfs)
		}
		function is_foreign(ours, perfs,  at, front, back) {
			at = index(perfs, " [unknown] (/")
			if (!at || perfs ~ /\(\/(usr|lib|bin|sbin)/)
				return 0
			front = substr(perfs, 1, at)
			back = substr(perfs, at + length(" [unknown]"))
			return substr(ours, 1, at) == front && substr(ours, length(ours) - length(back) + 1) == back
		}
		function in_page(line,  fields) {
			split(line, fields)
			return substr("000" fields[1], length(fields[1]) + 1)
		}
		{ if ((getline line <other) <= 0) line = "" }
		$0 == line || is_plt(line, $0) || is_of_replaced_program(line, $0) || is_foreign(line, $0) { next }
		{ print "< " $0; print "> " line; if (++count == 6) exit }' "$tmp/perf.txt"
}

same() { # NAME FILE OPTION...
	local name=$1 file=$tmp/$2 rest
	shift 2
	if [ ! -e "$file" ]; then
		skip "cannot be recorded here: $(head -1 "$file.err")" "$name"
		return
	fi
	if ! perf_quietly script --no-inline -i "$file" "$@" >"$tmp/perf.txt"; then
		skip "perf cannot read what it recorded" "$name"
		return
	fi
	"$xprof" script --no-inline -i "$file" "$@" >"$tmp/xprof.txt" 2>"$tmp/xprof.err"
	rest=$(unexplained)
	[ -s "$tmp/perf.txt" ] || [ -n "${may_be_empty-}" ] || rest="perf prints nothing"
	[ -z "$rest" ]
	tap_result $? "$name ($(wc -l <"$tmp/perf.txt") lines)" "$rest"$'\n'"$(cat "$tmp/xprof.err")"
}
