# shellcheck shell=bash
# For test/tsan/*.t: source it after test/e2e/lib.sh. Runs the whole program under the thread sanitizer, whose reports fail the
# check.

case ${build:?} in
*/tsan) ;;
*) skip_all "xprof is not built with the thread sanitizer: make check-tsan" ;;
esac
export TSAN_OPTIONS="exitcode=66 log_path=${tmp:?}/race"

# NAME COMMAND...: it succeeds, and no two of its threads race. Its output is in $tmp/out.
races_not() {
	local name=$1 status=0 reports
	shift
	"$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	reports=$(cat "$tmp"/race.* 2>/dev/null)
	rm -f "$tmp"/race.*
	[ -z "$reports" ] || status=66
	tap_result $status "$name" "$* -> status $status"$'\n'"$(tail -5 "$tmp/err")"$'\n'"$(head -60 <<<"$reports")"
}
