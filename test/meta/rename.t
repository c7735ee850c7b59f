#!/usr/bin/env bash
# The rule for names that already exist: base/file_place.c implements it, and nothing else renames a file.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"

is "$(cd "$root/src" && grep -rlE '\brename(at2?)?\(' --include='*.c' .)" "./base/file_place.c" \
	"files_are_renamed_by_one_rule"

done_testing
