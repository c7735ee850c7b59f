# shellcheck shell=bash
# For tests that compare the names of a whole recording with perf's. Source test/e2e/lib.sh first.

name_fields=comm,pid,ip,sym,symoff,dso

# NAME FILE [--foreign] [--unwound]: every difference between perf's names and xprof's is of a known and explained kind
# (test/lib/name_equality.pl); prints the count of each kind. The kinds add up in $tmp/kinds.
# shellcheck disable=SC2154 # $tmp, $xprof and $source_root are those of test/e2e/lib.sh
names_are_equal() {
	local name=$1 file=$2 status
	shift 2
	perf_quietly script -i "$file" --no-inline --no-itrace -F "$name_fields" >"$tmp/perf.txt"
	[ -s "$tmp/perf.txt" ] || return 2 # perf cannot read it
	"$xprof" script -i "$file" --no-inline -F "$name_fields" >"$tmp/xprof.txt" 2>/dev/null
	"$source_root/test/lib/name_equality.pl" "$@" "$tmp/perf.txt" "$tmp/xprof.txt" >"$tmp/kinds.$name"
	status=$?
	grep -v '^!' "$tmp/kinds.$name" >>"$tmp/kinds"
	return $status
}

# NAME FILE OPTION...: as a test of its own
test_names() {
	local what="$1: differences from perf's names are explained"
	names_are_equal "$@"
	case $? in
	0) ok "$what" true ;;
	1) ok "$what" false ;;
	*)
		skip "perf cannot read what it recorded" "$what"
		return
		;;
	esac
	diag "$1: $(tr '\t\n' ' ;' <"$tmp/kinds.$1")"
}
