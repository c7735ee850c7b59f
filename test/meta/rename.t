#!/usr/bin/env bash
# One rule for names that exist already: base/file_place.c keeps it, and nothing else renames a file.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"

is "$(cd "$root/src" && grep -rlE '\brename(at2?)?\(' --include='*.c' .)" "./base/file_place.c" \
	"files_are_renamed_by_one_rule"

done_testing
