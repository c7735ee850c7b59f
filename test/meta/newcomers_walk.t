#!/usr/bin/env bash
# The path of one sample through the code, as doc/architecture.md lists it: each function is in the file that the table names.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"
cd "$root" || exit 1

steps=$(sed -nE 's/^\| [0-9]+ \| `([a-z0-9_]+)` \| `([^`]+)` \|.*/\1 \2/p' doc/architecture.md)

ok "the way has steps" test -n "$steps"
ok "there are at most twelve of them" test "$(wc -l <<<"$steps")" -le 12
while read -r function file; do
	ok "$function is in $file" grep -qE "^[a-z].*[ *]$function\(" "$file"
done <<<"$steps"

done_testing
