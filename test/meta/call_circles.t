#!/usr/bin/env bash
# No two files of the program call each other, not even through a third, and the checker of this rule detects violations.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
# FILE CODE
compile() {
	mkdir -p "$tree/room"
	printf '%s\n' "$2" | cc -x c -c -o "$tree/room/$1.o" -
}

compile top 'int middle(void); int top(void) { return middle(); }'
compile middle 'int bottom(void); int middle(void) { return bottom(); }'
compile bottom 'static int top(void) { return 1; } int bottom(void) { return top(); }'
is "$("$root/scripts/call_circles.sh" "$tree")" "" "calls_downwards_pass"

compile bottom 'int top(void); int bottom(void) { return top(); }'
is "$("$root/scripts/call_circles.sh" "$tree" | tr ' ' '\n' | grep -c room/)" 3 "the_files_of_a_circle_are_named"

objects=${BUILD:-$root/build}/obj/src
is "$(find "$objects" -name '*.o' | head -n 100 | wc -l)" 100 "the_build_has_the_objects_of_the_program"
is "$("$root/scripts/call_circles.sh" "$objects")" "" "no_files_of_the_program_call_each_other_in_a_circle"
done_testing
