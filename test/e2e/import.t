#!/usr/bin/env bash
# Profiles of other tools as input: each format is recognised by its content and read with its numbers, missing values stay
# unknown, and damaged files give an error that says where.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$tmp" || exit

rows() { # FILE [OPTION...]: self weight and function of each row, sorted
	local file=$1
	shift
	"$xprof" report -q -i "$file" --no-children --top 0 -F overhead,period,sym "$@" 2>/dev/null |
		awk '/%/ { sub(/^ *[0-9.]+% */, ""); period = $1; sub(/^[0-9]+ +\[.\] */, ""); print period, $0 }' | LC_ALL=C sort
}

# --- folded stacks -------------------------------------------------------------------------------------

printf '# a comment\nmain;parse;read 12\nmain;parse 3\n\nmain;draw;vfs_write_[k] 5\nmain;f(int, char *) 2.6\n' >folded
is "$("$xprof" report -q -i folded --folded | LC_ALL=C sort)" "$(printf 'main;draw;vfs_write 5\nmain;f(int, char *) 3\nmain;parse 3\nmain;parse;read 12')" "folded_stacks_come_back"
like "$("$xprof" report -i folded --no-children 2>&1)" '21\.74%|52\.17%.*read' "shares_are_of_the_sum"
like "$("$xprof" report -i folded --no-children 2>&1)" '\[k\] vfs_write' "the_kernel_is_told_apart"
like "$("$xprof" report -i folded 2>&1)" 'a profile of another tool: folded stacks' "the_header_says_what_it_is"
like "$("$xprof" import folded)" 'not said: threads, CPUs, times, addresses, files' "import_says_what_is_unknown"
gzip -k folded
is "$("$xprof" report -q -i folded.gz --folded)" "$("$xprof" report -q -i folded --folded)" "gzip_is_unpacked"
is "$("$xprof" report -q -i - --folded <folded)" "$("$xprof" report -q -i folded --folded)" "standard_input_may_be_a_file"
is "$(cat folded | "$xprof" report -q --folded)" "$("$xprof" report -q -i folded --folded)" "or_a_pipe"
is "$(cat folded.gz | "$xprof" report -q --folded)" "$("$xprof" report -q -i folded --folded)" "of_which_the_content_may_be_compressed"
"$xprof" flamegraph -q -i folded -o folded.svg
like "$(cat folded.svg)" 'parse' "a_flame_graph_is_drawn_of_it"
like "$("$xprof" diff folded folded 2>&1)" 'no function|main|samples' "diff_takes_two"

# A recording's own folded stacks: the same again, byte for byte.
recording=$source_root/test/recordings/copied.tar.zst
"$xprof" report -q -i "$recording" --folded >own.folded 2>/dev/null
is "$("$xprof" report -q -i own.folded --folded | cmp - own.folded && echo same)" same "stacks_of_a_recording_come_back_byte_for_byte"

is "$(printf 'x 1/1   5 e: \n\t 10 f (/a)\n\n:7 7/7   6 e: \n\t 10 g (/a)\n\n' >timeless.script
	"$xprof" report -q -i timeless.script --folded | LC_ALL=C sort)" "$(printf 'g 6\nx;f 5')" "text_of_script_without_times_or_names_of_threads_is_read"

# --- perf script ---------------------------------------------------------------------------------------

"$xprof" script -i "$recording" >own.script 2>/dev/null
is "$(rows own.script)" "$(rows "$recording" --no-inline)" "text_of_script_has_the_recordings_numbers"
is "$("$xprof" report -q -i own.script --no-children -s comm,tid -F sample,comm,tid)" "$("$xprof" report -q -i "$recording" --no-children -s comm,tid -F sample,comm,tid)" "and_its_threads"
cat >odd.script <<'END'
# a comment
Web Content 1 2 10/11 [003]  5.000001:        250 cycles: 
	          4011a6 std::vector<int>::at(unsigned long)+0x6 (/opt/my (old) dir/app)
	          401100 inlined_one (inlined)
	          401100 main+0x10 (/opt/my (old) dir/app)

swapper     0 [001]  6.5:          1 cycles:  ffffffff81000000 native_safe_halt+0x2 ([kernel.kallsyms])
sh 12 7.25: cycles:
	    7f0000001234 [unknown] (/usr/lib/libx.so)

END
is "$("$xprof" report -q -i odd.script --folded)" "$(printf 'Web_Content_1_2;main;inlined_one;std::vector<int>::at(unsigned long) 250\nsh;[libx.so] 1\nswapper;native_safe_halt 1')" "names_with_blanks_and_parentheses_are_whole"
like "$("$xprof" report -q -i odd.script --no-children -s dso,sym)" '/opt|app +\[\.\] std::vector<int>::at' "a_path_may_have_parentheses"
like "$("$xprof" report -q -i odd.script --no-children -s cpu)" '003|3' "cpus_are_known"
is "$("$xprof" report -q -i odd.script --time 6,7 --folded 2>/dev/null)" "swapper;native_safe_halt 1" "times_choose"
is "$("$xprof" report -q -i odd.script --time 50%-100% --folded 2>/dev/null | sort | head -1)" "sh;[libx.so] 1" "so_do_shares_of_the_time"

# --- pprof ---------------------------------------------------------------------------------------------

# Protocol buffers, by hand: number(N VALUE), bytes(N TEXT).
cat >proto.pl <<'END'
sub varint { my ($v, $out) = (shift, ''); do { my $b = $v & 0x7f; $v >>= 7; $out .= chr($b | ($v ? 0x80 : 0)) } while ($v); $out }
sub number { varint($_[0] << 3) . varint($_[1]) }
sub bytes { varint($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
sub packed { bytes($_[0], join '', map { varint($_) } @_[1 .. $#_]) }
1;
END
cat >pprof.pl <<'END'
require './proto.pl';
my @texts = ('', 'samples', 'count', 'cpu', 'nanoseconds', '/usr/bin/app', 'abcdef0123', 'main', 'leaf', 'inner', 'a.c', 'comm', 'worker', 'tid', '[kernel.kallsyms]', 'vfs_read');
print bytes(1, number(1, 1) . number(2, 2)), bytes(1, number(1, 3) . number(2, 4));
print bytes(3, number(1, 7) . number(2, 0x400000) . number(3, 0x500000) . number(4, 0x1000) . number(5, 5) . number(6, 6));
print bytes(3, number(1, 9) . number(2, 1) . number(5, 14));
print bytes(4, number(1, 100) . number(2, 7) . number(3, 0x400100) . bytes(4, number(1, 1) . number(2, 5)));
print bytes(4, number(1, 200) . number(2, 7) . number(3, 0x400200) . bytes(4, number(1, 3) . number(2, 30)) . bytes(4, number(1, 2) . number(2, 20)));
print bytes(4, number(1, 300) . number(2, 9) . number(3, 0xffff0000) . bytes(4, number(1, 4)));
print bytes(5, number(1, 1) . number(2, 7) . number(4, 10)), bytes(5, number(1, 2) . number(2, 8) . number(4, 10));
print bytes(5, number(1, 3) . number(2, 9) . number(4, 10)), bytes(5, number(1, 4) . number(2, 15));
my $label = bytes(3, number(1, 11) . number(2, 12)) . bytes(3, number(1, 13) . number(3, 42));
print bytes(2, packed(1, 200, 100) . packed(2, 3, 3000) . $label);
print bytes(2, number(1, 300) . number(1, 100) . number(2, 1) . number(2, 1000));
print bytes(2, packed(1, 100, $ARGV[0] || 100) . packed(2, 2, 2000));
print map { bytes(6, $_) } @texts;
END
perl pprof.pl | gzip >cpu.pprof
is "$("$xprof" report -q -i cpu.pprof --folded)" "$(printf 'main;main 2000\nmain;vfs_read 1000\nworker;main;leaf;inner 3000')" "pprof_has_its_stacks_inlined_functions_and_labels"
like "$("$xprof" import cpu.pprof)" 'event cpu: 6 samples, weight 6000' "a_count_in_front_of_something_else_counts_it"
like "$("$xprof" report -q -i cpu.pprof --no-children -s dso,sym)" '\[kernel.kallsyms\] +\[k\] vfs_read' "the_kernels_functions_are_the_kernels"
like "$("$xprof" report -q -i cpu.pprof --no-children -s sym,srcline)" 'a\.c:30' "lines_are_known"
like "$("$xprof" report -q -i cpu.pprof --no-children -s tid)" '42' "thread_numbers_are_known"
leaves() { "$xprof" report -q -i "$1" --folded "${@:2}" 2>/dev/null | sed "s/.*;//; s/'2 / /" | LC_ALL=C sort; }
for format in pprof otlp speedscope firefox perf-script collapsed callgrind; do
	"$xprof" export -q --format=$format -i cpu.pprof -o again.$format
	is "$(leaves again.$format)" "$(printf 'inner 3000\nmain 2000\nvfs_read 1000')" "it_is_exported_as_${format}_and_comes_back"
done
for format in pprof otlp; do
	like "$("$xprof" import again.$format)" 'event cpu: 6 samples, weight 6000 nanoseconds' "${format}_has_samples_weight_and_unit_again"
	"$xprof" export -q --format=$format -i "$recording" -o cycles.$format 2>/dev/null
	is "$("$xprof" import cycles.$format | grep -c event)" 1 "samples_in_${format}_count_the_weight_beside_them"
done
is "$("$xprof" export -q --format=csv -i cpu.pprof -o - | awk -F, 'NR > 1 { print $3, $8, $11 }' | tr -d '\r' | LC_ALL=C sort)" \
	"$(printf ' 1000 main;vfs_read\n 2000 main;main\nworker 3000 main;leaf;inner')" "a_sample_is_a_row_of_a_table"
is "$("$xprof" export -q --format=chrome -i cpu.pprof -o - | grep -c '"ph":"B"')" 6 "and_spans_of_a_trace"
unlike "$(cat again.perf-script)" '\+0x' "how_far_into_a_function_is_not_said_where_its_beginning_is_not_known"
perl pprof.pl 777 >bad.pprof
status_is 1 "a_location_that_is_not_there_is_an_error" "$xprof" report -i bad.pprof
like "$output" 'bad.pprof: pprof: sample 3 has location 777, which the profile does not have' "which_is_named"
zcat cpu.pprof | head -c -3 >cut.pprof
status_is 1 "a_profile_that_is_cut_off_is_an_error" "$xprof" import cut.pprof
like "$output" 'cut.pprof' "which_names_the_file"
# --- OpenTelemetry -------------------------------------------------------------------------------------

cat >otlp.pl <<'END'
require './proto.pl';
my @texts = ('', 'cpu', 'nanoseconds', 'main', 'leaf', '/usr/bin/app', 'thread.name', 'thread.id', 'profile.frame.type');
my $dictionary = bytes(1, '') . bytes(1, number(1, 0x1000) . number(2, 0x9000) . number(4, 5))
	. bytes(3, '') . bytes(3, number(1, 3)) . bytes(3, number(1, 4))
	. bytes(2, '') . bytes(2, number(1, 1) . number(2, 0x1100) . bytes(3, number(1, 1)))
	. bytes(2, number(2, 0xffff) . bytes(3, number(1, 2)) . packed(4, 3))
	. bytes(6, '') . bytes(6, number(1, 6) . bytes(2, bytes(1, 'worker'))) . bytes(6, number(1, 7) . bytes(2, number(3, 42)))
	. bytes(6, number(1, 8) . bytes(2, bytes(1, 'kernel')))
	. bytes(7, '') . bytes(7, packed(1, 2, 1)) . join('', map { bytes(5, $_) } @texts);
my $times = bytes(5, pack('Q<2', 5_000_000_000, 6_000_000_000));
my $profile = bytes(1, number(1, 1) . number(2, 2)) . bytes(2, number(1, 1) . packed(2, 1, 2) . packed(4, 100, 200) . $times);
print bytes(1, bytes(1, bytes(1, bytes(1, 'process.pid') . bytes(2, number(3, 7)))) . bytes(2, bytes(2, $profile))), bytes(2, $dictionary);
END
perl otlp.pl >profile.otlp
is "$("$xprof" report -q -i profile.otlp --folded)" "worker;main;leaf 300" "otlp_has_its_stacks_and_attributes"
like "$("$xprof" report -q -i profile.otlp --no-children -s pid,tid,sym)" '42.*\[k\] leaf' "its_frames_of_the_kernel_are_that"
is "$("$xprof" report -q -i profile.otlp --time 5.5, --folded 2>/dev/null)" "worker;main;leaf 200" "its_values_have_times"

# --- speedscope ----------------------------------------------------------------------------------------

cat >sampled.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main","file":"a.c","line":3},{"name":"l\u00e9af \"x\""}]},
"profiles":[{"type":"sampled","name":"thread 1","unit":"milliseconds","startValue":0,"endValue":4,"samples":[[0,1],[0],[]],"weights":[2.5,1,0.5]}]}
END
is "$("$xprof" report -q -i sampled.json --folded)" "$(printf 'thread_1;[unknown] 500000\nthread_1;main 1000000\nthread_1;main;léaf "x" 2500000')" "speedscopes_samples_are_read"
cat >evented.json <<'END'
{"shared":{"frames":[{"name":"main"},{"name":"leaf"}]},"profiles":[{"type":"evented","name":"t","unit":"none","startValue":0,"endValue":10,
"events":[{"type":"O","frame":0,"at":1},{"type":"O","frame":1,"at":3},{"type":"C","frame":1,"at":7},{"type":"C","frame":0,"at":8},{"type":"O","frame":1,"at":9},{"type":"C","frame":1,"at":10}]}],
"$schema":"https://www.speedscope.app/file-format-schema.json"}
END
is "$("$xprof" report -q -i evented.json --folded)" "$(printf 't;leaf 1\nt;main 3\nt;main;leaf 4')" "what_was_open_has_the_time_between"
sed 's/"frame":1,"at":7/"frame":1,"at":2/' evented.json >bad.json
"$xprof" report -i bad.json >out 2>err
like "$(cat err)" 'bad.json: speedscope: an event is at 2, earlier than the event before it' "time_does_not_run_backwards"
head -c 200 sampled.json >cut.json
"$xprof" report -i cut.json >out 2>err
like "$(cat err)" 'cut.json: speedscope: at byte [0-9]+: .*(cut off|does not end)' "json_that_is_cut_off_says_where"

# --- Firefox -------------------------------------------------------------------------------------------

cat >firefox.json <<'END'
{"meta":{"preprocessedProfileVersion":49,"interval":1,"categories":[{"name":"User"},{"name":"Kernel"}]},
"libs":[{"name":"app","path":"/usr/bin/app","codeId":"abcdef"}],
"threads":[{"name":"main thread","pid":"12","tid":34,"stringArray":["main","leaf","app"],
"funcTable":{"length":2,"name":[0,1],"fileName":[null,null],"resource":[0,-1]},
"resourceTable":{"length":1,"lib":[0],"name":[2]},
"frameTable":{"length":2,"func":[0,1],"address":[16,-1],"line":[null,7],"inlineDepth":[0,0],"category":[0,1]},
"stackTable":{"length":2,"frame":[0,1],"prefix":[null,0]},
"samples":{"length":3,"stack":[1,0,null],"timeDeltas":[10,5,5],"weight":[2,1,4],"weightType":"samples"}}]}
END
is "$("$xprof" report -q -i firefox.json --folded)" "$(printf 'main_thread;main 1\nmain_thread;main;leaf 2')" "firefox_profiles_are_read"
like "$("$xprof" report -q -i firefox.json --no-children -s tid,dso,sym)" '34:main thread +app +\[\.\] main' "with_their_libraries"
like "$("$xprof" report -q -i firefox.json --no-children -s sym)" '\[k\] leaf' "and_their_categories"
is "$("$xprof" report -q -i firefox.json --time 0.012, --folded 2>/dev/null)" "main_thread;main 1" "and_their_times"
sed -e 's/"threads":\[{/"shared":{"stringArray":["main","leaf","app"]},&/' -e 's/"tid":34,"stringArray":\["main","leaf","app"\]/"tid":34/' firefox.json >shared.json
is "$("$xprof" report -q -i shared.json --folded)" "$("$xprof" report -q -i firefox.json --folded)" "tables_that_threads_share_are_found"
sed 's/"prefix":\[null,0\]/"prefix":[1,0]/' firefox.json >bad.json
"$xprof" report -i bad.json >out 2>err
like "$(cat err)" 'firefox: stack 0 has a frame or caller that does not exist' "a_caller_that_comes_later_is_refused"

# --- callgrind -----------------------------------------------------------------------------------------

cat >callgrind.out <<'END'
# callgrind format
version: 1
pid: 99
positions: line
events: Ir Dr
ob=(1) /usr/bin/app
fl=(1) a.c
fn=(1) main
16 400 10
cfn=(2) leaf
calls=3 50
16 1200
+1 5

fn=(2)
51 1200 7
END
is "$("$xprof" report -q -i callgrind.out --no-children -s sym -F period,sym 2>/dev/null | awk 'NF && !/^#/ && /main|leaf/ {print $1, $NF}' | sort)" "$(printf '10 main\n1200 leaf\n405 main\n7 leaf')" "callgrinds_own_costs_are_read"
is "$("$xprof" report -q -i callgrind.out --children -s sym --folded | sort | head -1)" "leaf 1200" "no_stacks_are_made_up"

# --- units ---------------------------------------------------------------------------------------------

like "$("$xprof" report -i cpu.pprof 2>&1)" "# Samples: 6  of event 'cpu'"$'\n# Weight: 6000 nanoseconds' "report_says_the_unit_of_a_profile"
unlike "$("$xprof" report -i cpu.pprof 2>&1)" 'Event count' "instead_of_a_count"
like "$("$xprof" report -i callgrind.out 2>&1)" "# Weights of event 'Ir'"$'\n# Weight: 1605 Ir .unit unknown' "where_there_is_none_it_says_so"
like "$("$xprof" import callgrind.out)" 'event Ir: weight 1605.*not said:.* units' "import_does_too"
sed 's/"unit":"none"/"unit":"bytes"/' evented.json >bytes.json
like "$("$xprof" report -i bytes.json 2>&1)" '# Weight: 8 bytes' "bytes_are_bytes"
like "$("$xprof" report -i evented.json 2>&1)" '# Weight: 8 weight .unit unknown' "none_is_unknown"
for format in speedscope firefox pprof otlp; do
	"$xprof" export -q --format=$format -i bytes.json -o bytes.$format
	like "$("$xprof" import bytes.$format)" 'weight 8 bytes' "${format}_keeps_them"
done
"$xprof" flamegraph -q -i cpu.pprof -o units.svg
like "$(cat units.svg)" '<title>main: 33\.33%|3 samples, 3 µs' "a_picture_shows_nanoseconds_as_time"
"$xprof" flamegraph -q -i bytes.json -o units.html
like "$(cat units.html)" '"measures":\{"bytes":"bytes"\}' "a_page_knows_the_unit"
"$xprof" flamegraph -q -i "$recording" -o units.html 2>/dev/null
unlike "$(cat units.html)" '"measures":' "a_recordings_page_needs_none"
sed "s/'cpu', 'nanoseconds'/'objects', 'count'/" pprof.pl >objects.pl
perl objects.pl >objects.pprof
like "$("$xprof" import objects.pprof)" 'event objects: 6 samples, weight 6000' "samples_count_what_comes_next_even_if_that_is_a_count"

# --- no known format -----------------------------------------------------------------------------------

printf 'Dear diary,\nnothing happened today\n' >text
status_is 1 "a_text_that_is_no_profile_is_refused" "$xprof" report -i text
unlike "$output" 'Overhead' "and_prints_no_table"
"$xprof" import text >out 2>err
like "$(cat err)" 'text is not in a known format of another tool' "import_says_so"
"$xprof" import none 2>err
is "$?: $(cat err)" '1: xprof: cannot open none: No such file or directory' "import_says_that_there_is_no_file"
printf 'Dear diary,\nnothing happened today\n' | "$xprof" report >out 2>err
like "$(cat err)" 'standard input is neither a recording nor a profile' "of_a_pipe_too"
"$xprof" import "$recording" >out 2>err
like "$(cat err)" "'xprof report -i FILE' reads recordings" "a_recording_is_for_report"

done_testing
