#!/usr/bin/env bash
# The page of a flame graph of recorded branches has the basic blocks of the selected function, with the figures of
# `xprof report --blocks`: test/web/blocks_page_test.js reads it in a browser.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_browser
# shellcheck source=test/e2e/followed.sh
. "$(dirname "$0")/followed.sh"

"$xprof" report --blocks -q -i work.data >blocks || exit 1
sed 's/ .*//' lines >plain
python3 "$here/branch_data.py" plain.data work <plain || exit 1
draw() {
	"$xprof" flamegraph -q -i "$1" -o "$2.html" "${@:3}" || exit 1
}
draw work.data work
draw work.data odd --symbols=odd
draw plain.data plain
draw - piped <work.data
timeout 300 node "$source_root/test/web/blocks_page_test.js" "$browser" "$tmp" "$source_root"
