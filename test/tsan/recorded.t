#!/usr/bin/env bash
# The project's own recordings, and the available ones of other tools: reports, stacks and pictures of them.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
# shellcheck source=test/tsan/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

for archive in "$source_root"/test/recordings/*.tar.zst; do
	name=$(basename "$archive" .tar.zst)
	races_not "report of $name" "$xprof" report -i "$archive" --stdio
	races_not "script of $name" "$xprof" script -i "$archive"
	races_not "flamegraph of $name" "$xprof" flamegraph -i "$archive" -o flame.html
done

# The files of the corpus that have many samples for their size: thread pools have work then.
corpus=${CORPUS:-$source_root/../shared/corpus}
if [ -f "$corpus/INDEX.tsv" ]; then
	while IFS=$'\t' read -r path _; do
		races_not "report of $path" "$xprof" report -i "$corpus/$path" --stdio
		races_not "script of $path" "$xprof" script -i "$corpus/$path"
	done < <(awk -F'\t' '$2 < 2000000 && $11 > 1000' "$corpus/INDEX.tsv")
else
	skip "no corpus in $corpus" "recordings of other tools"
fi
done_testing
