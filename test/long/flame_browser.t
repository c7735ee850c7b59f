#!/usr/bin/env bash
# Flame graphs in a browser: a driver behind the page's own script searches, walks, zooms and
# changes views, and what the browser then shows is read back.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	skip_all "chromium is not installed"

# URL [OPTION...]: the document after its scripts ran; what they said goes to $tmp/console.txt.
dom_of() {
	local url=$1
	shift
	timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" \
		--enable-logging=stderr --virtual-time-budget=8000 "$@" --dump-dom "$url" 2>"$tmp/console.txt"
}

# PAGE: a copy with the driver behind the page's script.
with_driver() {
	{
		sed '/^<\/body>$/,$d' "$1"
		echo '<script>'
		cat "$source_root/test/web/page_driver.js"
		printf '</script>\n</body>\n</html>\n'
	} >"$1.driven.html"
}

# PREFIX PAGE [OPTION...]: the driver's results as tests of this file.
drive() {
	local prefix=$1 page=$2 line name results
	shift 2
	with_driver "$page"
	dom_of "file://$page.driven.html" "$@" >"$tmp/dom.txt"
	results=$(sed -n '/<pre id="tap">/,/<\/pre>/p' "$tmp/dom.txt" | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g')
	while IFS= read -r line; do
		name=${prefix}_${line##* - }
		case $line in
		ok\ *) tap_result 0 "$name" "" ;;
		not\ ok\ *) tap_result 1 "$name" "$(grep -A 1 -F -- "$line" <<<"$results")" ;;
		esac
	done <<<"$results"
	is "$(grep -cE '^1\.\.[0-9]+$' <<<"$results")" 1 "${prefix}_driver_came_to_its_end"
	unlike "$(grep CONSOLE "$tmp/console.txt")" . "${prefix}_console_is_silent"
}

cat >"$tmp/flames.txt" <<'END'
sh;main;parse;read_line 30
sh;main;parse 10
sh;main;work;parse;read_line 20
sh;main;idle_[k] 25
sh;main;[libx.so] 15
END
"$xprof" flamegraph -q --folded "$tmp/flames.txt" --title flames -o "$tmp/flames.html"
drive desktop "$tmp/flames.html" --window-size=1200,900
drive phone "$tmp/flames.html" --window-size=500,800

{
	printf 'sh;<script>alert(1)</script>;</title></svg>;main 10\n'
	printf 'sh;]]>;a"b'"'"'c&d;<!--;<img src=x onerror=alert(1)> 7\n'
	printf 'sh;bidi\342\200\256evil;bad\377utf8;%s 3\n' "$(printf 'x%.0s' $(seq 10240))"
} >"$tmp/hostile.txt"
"$xprof" flamegraph -q --folded "$tmp/hostile.txt" --title hostile -o "$tmp/hostile.html"
drive hostile "$tmp/hostile.html" --window-size=1200,900

printf 'sh;a 50\nsh;b 50\n' >"$tmp/before.txt"
printf 'sh;a 90\nsh;c 10\n' >"$tmp/after.txt"
"$xprof" flamegraph -q --title changes --diff "$tmp/before.txt" --folded "$tmp/after.txt" -o "$tmp/diff.html"
drive diff "$tmp/diff.html" --window-size=1200,900

# --- the picture, by its address ---------------------------------------------------------------------------

"$xprof" flamegraph -q --folded "$tmp/flames.txt" -o "$tmp/flames.svg"
dom_of "file://$tmp/flames.svg#n=3&q=read" >"$tmp/dom.txt"
like "$(cat "$tmp/dom.txt")" 'Matched: 50\.00% in 2 frames' "an_svg_searches"
is "$(grep -c 'class="k[0-3] hide"' "$tmp/dom.txt")" 1 "an_svg_zooms"
is "$(grep -c 'class="u[0-3] above"' "$tmp/dom.txt")" 2 "an_svg_keeps_the_callers_of_what_is_zoomed"
unlike "$(grep CONSOLE "$tmp/console.txt")" . "the_console_of_an_svg_is_silent"
"$xprof" flamegraph -q --min-width 0 --folded "$tmp/hostile.txt" -o "$tmp/hostile.svg"
dom_of "file://$tmp/hostile.svg#q=%2F%5Bx%5D%2F" >"$tmp/dom.txt"
is "$(grep -c '<script' "$tmp/dom.txt")" 1 "a_hostile_svg_has_one_script"
unlike "$(grep CONSOLE "$tmp/console.txt")" . "the_console_of_a_hostile_svg_is_silent"

done_testing
