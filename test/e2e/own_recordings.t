#!/usr/bin/env bash
# The ten recordings of test/recordings, which any machine can read: rows as perf printed them on the machine where they were
# made, stacks as a person checked them then.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
recordings=$source_root/test/recordings
# shellcheck source=test/recordings/lib.sh
. "$recordings/lib.sh"
"$xprof" version --build-options | grep -q '^ *libarchive *on' || skip_all "xprof was built without libarchive"

# TEXT FILE NAME: they are the same; else shows the difference.
is_as_written() {
	local difference status=0
	difference=$(diff <(printf '%s\n' "$1") "$2") || status=1
	tap_result "$status" "$3" "$difference"
}

for archive in "$recordings"/*.tar.zst; do
	name=$(basename "$archive" .tar.zst)
	is_as_written "$("$xprof" report -i "$archive" --no-pager --stdio -g none --no-inline --no-children -F sample,comm,dso,symbol -t '|' 2>"$tmp/err" | rows)" \
		"$recordings/$name.perf" "$name: the rows are perf's"
	unlike "$(cat "$tmp/err")" '(error|cannot)' "$name: without an error"
	is_as_written "$(stacks "$archive")" "$recordings/$name.folded" "$name: the stacks are what they were"
	if command -v perf >/dev/null && command -v tar >/dev/null && command -v zstd >/dev/null; then
		mkdir "$tmp/$name" && zstd -qdc "$archive" | tar -x -C "$tmp/$name"
		data=$(find "$tmp/$name" -name '*.data' | head -1)
		is "$(perf_samples "$data")" "$(awk -F'|' '{ n += $2 } END { print n }' "$recordings/$name.perf")" "$name: perf counts as many samples"
	else
		skip "perf or zstd is not installed" "$name: perf counts as many samples"
	fi
done
is "$(find "$recordings" -name '*.tar.zst' | wc -l)" 10 "there are ten of them"
done_testing
