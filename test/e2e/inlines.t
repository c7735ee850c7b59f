#!/usr/bin/env bash
# Functions that a compiler inlined, and source lines, in every view of a recording. The sampled program is an endless sum in a
# function that is inlined into a function that is inlined into a third.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording
command -v gcc >/dev/null || skip_all "there is no gcc"

cat >"$tmp/sums.c" <<'END'
static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 1664525u + (x >> 7); /* line 4 */
	return x;
}

static inline __attribute__((always_inline)) unsigned twice(unsigned x)
{
	return mix(mix(x)); /* line 10 */
}

__attribute__((noinline, noclone)) unsigned work(unsigned x)
{
	return twice(x) + 1; /* line 15 */
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < 100000; i++)
		x = work(x);
	return x == 42;
}
END
(cd "$tmp" && gcc -g -O1 -fno-omit-frame-pointer -o sums sums.c) || skip_all "gcc does not work"
data=$tmp/data
"$xprof" record -q -g -e cpu-clock:u -F 2000 -o "$data" "$tmp/sums" || skip_all "cannot record call stacks"

report() {
	"$xprof" report -q --no-pager -i "$data" --comms sums -d sums "$@" 2>&1
}

# SHARE of the first row that matches; whole percents, 0 when there is none
share() {
	report --no-children "${@:2}" | awk -v what="$1" 'index($0, what) { print int($1); found = 1; exit } END { if (!found) print 0 }'
}

# As in perf: an inlined function has no symbol, so it is called, and never sampled.
ok "what_is_sampled_in_an_inlined_function_is_of_what_was_compiled" test "$(share ' work')" -ge 90
ok "an_inlined_function_is_called" test "$(report --children | awk '/mix \(inlined\)/ { print int($1) * ($2 == "0.00%") }')" -ge 90
ok "functions_are_chosen_by_what_was_compiled" test "$(share ' work' -S work)" -ge 90
ok "without_inlines_it_is_the_function_that_was_compiled" test "$(share ' work' --no-inline)" -ge 90
unlike "$(report --no-inline)" 'inlined' "nothing_is_inlined_when_nobody_wants_it"
like "$(report --folded)" ';work;twice;mix [0-9]+' "folded_stacks_have_inlined_functions"
unlike "$(report --folded --no-inline)" 'mix' "folded_stacks_without_inlines_have_none"
like "$(report --folded --annotate)" ';work;twice_\[i\];mix_\[i\] ' "folded_inlined_functions_are_annotated"
like "$(report --no-children -g)" $'-mix \\(inlined\\)\n +twice \\(inlined\\)\n +work' "call_graphs_have_inlined_functions"
like "$(report --json)" '"symbol": ?"mix".*"inlined": ?true' "json_marks_inlined_functions"
"$xprof" flamegraph -q --format=svg -i "$data" -o "$tmp/flame.svg"
like "$(cat "$tmp/flame.svg")" 'class="i[0-3]"' "flame_graphs_draw_inlined_functions"
"$xprof" flamegraph -q --no-inline --format=svg -i "$data" -o "$tmp/flame.svg"
unlike "$(cat "$tmp/flame.svg")" 'class="i[0-3]"' "flame_graphs_without_inlines_draw_none"

ok "source_lines_are_those_of_the_inlined_function" test "$(($(share sums.c:4 -s srcline) + $(share sums.c:3 -s srcline)))" -ge 90
is "$(share sums.c:4 -s srcline --full-source-path)" "$(share "$tmp/sums.c:4" -s srcline --full-source-path)" \
	"whole_paths_are_shown_where_wanted"
ok "source_files_add_up" test "$(share sums.c -s srcfile)" -ge 90
is "$(share sums.c:4 -s srcline --no-inline)" "$(share sums.c:4 -s srcline)" "lines_do_not_depend_on_inlines"

script() {
	"$xprof" script --no-pager -i "$data" -c sums "$@" 2>&1
}
like "$(script)" $'mix\\+0x[0-9a-f]+ \\(inlined\\)\n\t +[0-9a-f]+ twice\\+0x[0-9a-f]+ \\(inlined\\)\n\t +[0-9a-f]+ work\\+0x[0-9a-f]+ \\(.*/sums\\)' \
	"script_has_inlined_functions_in_call_chains"
unlike "$(script --no-inline)" 'inlined' "script_without_inlines_has_none"
like "$(script -F ip,sym,srcline)" $' twice\n  sums.c:10 \\(inlined\\)\n\t +[0-9a-f]+ work\n  sums.c:15\n' \
	"script_says_where_inlined_functions_were_called"
like "$(script -F ip,sym,srcline --full-source-path)" "$tmp/sums.c:15" "script_has_whole_paths_where_wanted"

# Between two builds, one of which inlines: a function's time is compared whether it was inlined or not.
diff() {
	"$xprof" diff --no-pager --comms sums -d sums --all "$@" 2>&1
}
(mkdir -p "$tmp/plain" && cd "$tmp/plain" && sed 's/always_inline/noinline/' ../sums.c >sums.c &&
	gcc -g -O1 -fno-omit-frame-pointer -w -o sums sums.c)
if "$xprof" record -q -g -e cpu-clock:u -F 2000 -o "$tmp/plain.data" "$tmp/plain/sums"; then
	like "$(diff "$data" "$tmp/plain.data")" '[0-9.]+% +[-+][0-9.]+%~.* twice' "diff_finds_functions_that_one_build_inlines"
	unlike "$(diff --no-inline "$data" "$data")" 'twice' "diff_without_inlines_has_none"
else
	skip "cannot record" "diff_finds_functions_that_one_build_inlines"
fi

# Functions without a symbol have a name in the debug information.
if command -v objcopy >/dev/null; then
	before=$(report --folded)
	(cd "$tmp" && cp -p sums sums.kept && objcopy --strip-symbol=work --strip-symbol=main sums)
	is "$(report --folded)" "$before" "functions_that_have_lost_their_symbols_keep_their_names"
	like "$(script -F ip,sym,symoff --no-inline)" ' work\+0x[0-9a-f]+' "and_offsets_count_from_their_beginnings"
	"$xprof" archive -q -i "$data" -o "$tmp/data.tar"
	rm "$tmp/sums"
	is "$("$xprof" report -q --no-pager -i "$tmp/data.tar" --comms sums -d sums --folded)" "$before" "archives_have_such_names"
	(cd "$tmp" && cp -p sums.kept sums)
fi

# The same from a separate debug file, and from a compressed one.
if command -v objcopy >/dev/null; then
	before=$(report --folded)
	(cd "$tmp" && objcopy --only-keep-debug sums sums.debug && objcopy --strip-debug --add-gnu-debuglink=sums.debug sums)
	is "$(report --folded)" "$before" "a_debug_link_leads_to_inlined_functions"
	(cd "$tmp" && objcopy --compress-debug-sections=zlib sums.debug &&
		objcopy --remove-section=.gnu_debuglink sums && objcopy --add-gnu-debuglink=sums.debug sums)
	is "$(report --folded)" "$before" "compressed_debug_sections_are_read"
	if (cd "$tmp" && objcopy --decompress-debug-sections sums.debug && objcopy --compress-debug-sections=zstd sums.debug &&
		objcopy --remove-section=.gnu_debuglink sums && objcopy --add-gnu-debuglink=sums.debug sums) 2>"$tmp/zstd.err" &&
		"$xprof" version --build-options | grep -q '^ *libzstd *on '; then
		is "$(report --folded)" "$before" "debug_sections_compressed_with_zstd_are_read"
	else
		skip "objcopy or xprof cannot do that: $(cat "$tmp/zstd.err")" "debug_sections_compressed_with_zstd_are_read"
	fi
	mkdir -p "$tmp/elsewhere/$tmp" && mv "$tmp/sums.debug" "$tmp/elsewhere/$tmp/"
	is "$(report --folded --debug-dir "$tmp/elsewhere,/usr/lib/debug")" "$before" "debug_files_may_lie_elsewhere"
	rm -r "$tmp/elsewhere"
	unlike "$(report --folded)" 'mix' "without_the_debug_file_there_are_none"
fi

done_testing
