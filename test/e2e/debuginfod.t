#!/usr/bin/env bash
# Names, source lines and inlined functions from a debuginfod server: the distribution's own, on this machine alone. The
# recorded programs are stripped, and some are gone when the report runs.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording
command -v gcc >/dev/null || skip_all "there is no gcc"
command -v debuginfod >/dev/null || skip_all "there is no debuginfod"

cat >"$tmp/hidden.c" <<'C'
static volatile unsigned long sink = VALUE;

static inline __attribute__((always_inline)) void mix(unsigned long x)
{
	sink = sink * 2862933555777941757u + x; /* line 5 */
}

static __attribute__((noinline, noclone)) void leaf(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		mix(i); /* line 11 */
	sink++;
}

static __attribute__((noinline, noclone)) void caller(void)
{
	for (int i = 0; i < 200; i++)
		leaf(1000000);
	sink++;
}

int main(void)
{
	caller();
	return 0;
}
C

# NAME OPTION...: makes the program, stripped; the server has its debug file and the whole program.
build_program() {
	(cd "$tmp" && gcc -g -O1 -Wl,--build-id "${@:2}" -o "$1" hidden.c &&
		objcopy --add-section .padding=padding --only-keep-debug "$1" "served/$1.debug" && objcopy --strip-all "$1")
}
mkdir -p "$tmp/served"
head -c 16M /dev/zero >"$tmp/padding" # so that the test can see a transfer, and stop it, on its way
{ build_program kept -fno-omit-frame-pointer -DVALUE=0 && build_program gone -fomit-frame-pointer -DVALUE=1; } ||
	skip_all "gcc or objcopy does not work"

"$xprof" record -q -g -e cpu-clock:u -F 1000 -o "$tmp/kept.data" "$tmp/kept" || skip_all "cannot record call stacks"
"$xprof" record -q --call-graph dwarf,4096 -e cpu-clock:u -F 200 -o "$tmp/gone.data" "$tmp/gone" ||
	skip_all "cannot record stack dumps"
mv "$tmp/gone" "$tmp/served/gone"

# Two debug files and a third with their common parts, which is known by its build-id alone.
if command -v dwz >/dev/null && build_program shared -fno-omit-frame-pointer -DVALUE=2 && build_program twin -DVALUE=3 &&
	(cd "$tmp/served" && mkdir dwz && dwz -m dwz/common -M /nowhere/common shared.debug twin.debug) 2>/dev/null; then
	"$xprof" record -q -g -e cpu-clock:u -F 200 -o "$tmp/shared.data" "$tmp/shared"
else
	rm -f "$tmp/shared"
fi

id_of() {
	readelf -n "$1" | awk '/Build ID:/ { print $3 }'
}
kept_id=$(id_of "$tmp/kept")

# PATH: does the server have it?
serves() (
	exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'GET /buildid/%s HTTP/1.0\r\n\r\n' "$1" >&3 && head -1 <&3 | grep -q ' 200 '
) 2>/dev/null

# A free port: the server ends if it cannot have it.
server_pid=
for _ in 1 2 3 4 5; do
	port=$((20000 + RANDOM % 20000))
	start debuginfod -F -d :memory: -p "$port" "$tmp/served" >"$tmp/server.log" 2>&1
	server_pid=$pid
	wait_until 20 serves "$kept_id/debuginfo" && break
	kill "$server_pid" 2>/dev/null
	server_pid=
done
[ -n "$server_pid" ] || skip_all "debuginfod does not start: $(tail -1 "$tmp/server.log")"
wait_until 20 serves "$(id_of "$tmp/served/gone")/executable"
served=http://127.0.0.1:$port

# URLS COMMAND...: with servers and an empty cache; standard error is in $tmp/err.
fresh() {
	rm -rf "$DEBUGINFOD_CACHE_PATH"
	again "$@"
}
again() {
	DEBUGINFOD_URLS=$1 "${@:2}" 2>"$tmp/err" </dev/null
}
# OPTION...: the report's rows of the program
report() {
	"$xprof" report -q --no-pager --comms kept -d kept -i "$tmp/kept.data" "$@"
}
err() {
	cat "$tmp/err"
}

# --- on and off ---
off=$(fresh "$served" report --debuginfod=off)
unlike "$off" 'leaf|caller|mix' "without_debug_files_there_are_no_names"
ok "off_downloads_nothing" test ! -e "$DEBUGINFOD_CACHE_PATH"

on=$(fresh "$served" report --debuginfod=on -g)
like "$on" 'leaf' "on_names_functions"
like "$on" 'mix \(inlined\)' "on_shows_inlined_functions"
like "$(again "$served" "$xprof" report --no-pager --debuginfod=on -i "$tmp/kept.data" >/dev/null; err)" '^$' \
	"what_is_in_the_cache_is_not_downloaded_again"
fresh "$served" "$xprof" report --no-pager --debuginfod=on -i "$tmp/kept.data" >/dev/null
like "$(err)" 'debuginfod: 1 file, 16.[0-9] MiB downloaded' "how_much_was_downloaded_is_said"
like "$(fresh "$served" report --debuginfod=on -s srcline)" 'hidden.c:(5|10)' "on_finds_source_lines"
like "$(fresh "$served" "$xprof" script -i "$tmp/kept.data" --debuginfod=on)" 'leaf\+0x' "script_has_the_names"
like "$(fresh "$served" "$xprof" flamegraph -q -i "$tmp/kept.data" --debuginfod=on -o -)" 'leaf' "flame_graphs_have_the_names"
like "$(fresh "$served" "$xprof" diff -q --all --no-pager --debuginfod=on "$tmp/kept.data" "$tmp/kept.data")" 'leaf' \
	"diff_has_the_names"

if fresh "$served" "$xprof" archive --debuginfod=on -i "$tmp/kept.data" -o "$tmp/kept.tar" >/dev/null; then
	like "$("$xprof" report -q --no-pager --debuginfod=off -i "$tmp/kept.tar")" '\] leaf' "archives_have_the_names"
else
	skip "$(err)" "archives_have_the_names"
fi

# --- asking ---
is "$(fresh "$served" report)" "$off" "nobody_is_asked_without_a_terminal"
ok "and_nothing_is_downloaded" test ! -e "$DEBUGINFOD_CACHE_PATH"

# ANSWER URLS: the report on a terminal, with that answer
on_terminal() {
	rm -rf "$DEBUGINFOD_CACHE_PATH"
	printf '%s\n' "$1" | DEBUGINFOD_URLS=$2 script -qec \
		"'$xprof' report --no-pager --color=never --comms kept -d kept -i '$tmp/kept.data'" /dev/null | tr -d '\r'
}
if command -v script >/dev/null; then
	said=$(on_terminal y "$served")
	like "$said" '1 file has debug information that is missing here: kept \([0-9.]+% of samples\)' "a_question_says_what_is_missing"
	like "$said" 'downloading 1 of 1: kept' "a_terminal_shows_what_is_downloaded"
	like "$said" '\] leaf' "yes_downloads_it"
	said=$(on_terminal n "$served")
	like "$said" 'Download it' "the_question_comes_again_without_the_file"
	unlike "$said" '\] leaf' "no_downloads_nothing"
	ok "no_leaves_no_file" test ! -e "$DEBUGINFOD_CACHE_PATH/$kept_id"
	unlike "$(on_terminal '' "$served")" '\] leaf' "saying_nothing_is_no"
	unlike "$(on_terminal y '')" 'Download it' "without_servers_there_is_no_question"
else
	skip "there is no script(1)" "questions"
fi

fresh "$served" report --debuginfod=on >/dev/null
like "$(again '' report)" 'leaf' "ask_finds_what_is_in_the_cache_without_a_server"
is "$(again '' report --debuginfod=off)" "$off" "off_does_not_look_into_the_cache"

# --- a program that is gone ---
stacks() {
	"$xprof" report -q --no-pager --folded --comms gone -i "$tmp/gone.data" "$@"
}
unlike "$(fresh "$served" stacks --debuginfod=off)" 'caller' "a_program_that_is_gone_cannot_be_unwound"
like "$(fresh "$served" stacks --debuginfod=on)" 'main;caller;leaf;mix ' "its_file_is_downloaded_and_unwound"

# --- a debug file whose parts dwz has moved to another one ---
if [ -x "$tmp/shared" ]; then
	fresh "$served" "$xprof" report --no-pager --debuginfod=on -s srcline --comms shared -i "$tmp/shared.data" >"$tmp/out"
	like "$(cat "$tmp/out")" 'hidden.c:(5|10)' "what_dwz_moved_is_downloaded_too"
	like "$(err)" 'debuginfod: 2 files, ' "as_a_second_file"
else
	skip "there is no dwz" "what dwz moved"
fi

# --- errors ---
fresh "" report --debuginfod=on >/dev/null
like "$(err)" 'DEBUGINFOD_URLS names no server' "on_without_servers_says_so"
fresh "http://127.0.0.1:1" report --debuginfod=on >"$tmp/out"
is "$?" 0 "without_a_connection_the_report_goes_on"
is "$(cat "$tmp/out")" "$off" "as_it_would_without"
like "$(err)" 'kept: .*refused' "what_went_wrong_is_said"

mkdir "$tmp/nothing" && touch "$tmp/nothing/libdebuginfod.so.1"
is "$(LD_LIBRARY_PATH=$tmp/nothing fresh "$served" report --debuginfod=on)" "$off" "without_the_library_the_report_goes_on"
like "$(err)" 'libdebuginfod.so.1 cannot be loaded: install libdebuginfod1' "which_package_brings_the_library_is_said"

is "$(fresh "$served" report --debuginfod=on --debuginfod-limit=1M)" "$off" "what_is_too_large_is_not_downloaded"
like "$(err)" 'kept: not downloaded: it has 16.[0-9] MiB, more than the 1.00 MiB that --debuginfod-limit leaves' "and_that_is_said"
like "$(again "$served" report --debuginfod=on)" 'leaf' "a_larger_limit_downloads_it"
is "$(DEBUGINFOD_MAXSIZE=1048576 fresh "$served" report --debuginfod=on)" "$off" "the_limit_of_the_environment_holds"
like "$(err)" 'more than the 1.00 MiB that DEBUGINFOD_MAXSIZE allows' "and_is_named"

rm "$tmp/served/kept.debug"
(cd "$tmp" && gcc -g -O1 -Wl,--build-id -DVALUE=4 -o other hidden.c && objcopy --strip-all other)
"$xprof" record -q -g -e cpu-clock:u -F 100 -o "$tmp/other.data" "$tmp/other"
fresh "$served" "$xprof" report --no-pager --debuginfod=on -i "$tmp/other.data" >/dev/null
like "$(err)" 'no server has [0-9]+ of the requested files' "what_no_server_has_is_said"

fresh "$served" sh -c "cat '$tmp/kept.data' | '$xprof' report -q --no-pager --debuginfod=on -i -" >"$tmp/out"
like "$(err)" 'nothing is downloaded for a recording from a pipe' "a_pipe_is_read_once"

fresh "$served" sh -c "cat '$tmp/kept.data' | '$xprof' script --debuginfod=on -i -" >"$tmp/out"
like "$(err)" 'for a recording from a pipe' "script_says_so_too"

# A server that accepts connections and sends nothing.
# shellcheck disable=SC2016 # the variables are perl's
start perl -MIO::Socket::INET -e '
	my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
	open my $out, ">", "$ARGV[0].new" or die; print $out $server->sockport; close $out; rename "$ARGV[0].new", $ARGV[0];
	my @clients;
	while (my $client = $server->accept) { push @clients, $client; open my $mark, ">", "$ARGV[0].asked"; }' "$tmp/silent"
silent_pid=$pid
wait_until 20 test -e "$tmp/silent"
silent=http://127.0.0.1:$(cat "$tmp/silent")
is "$(DEBUGINFOD_TIMEOUT=1 fresh "$silent" report --debuginfod=on)" "$off" "a_server_that_is_silent_is_given_up"
like "$(err)" 'no server answers in time' "and_that_it_is_silent_is_said"

rm -f "$tmp/silent.asked"
rm -rf "$DEBUGINFOD_CACHE_PATH"
DEBUGINFOD_URLS=$silent start "$xprof" report -q --no-pager --comms kept -d kept -i "$tmp/kept.data" --debuginfod=on \
	>"$tmp/out" 2>"$tmp/err"
wait_until 20 test -e "$tmp/silent.asked"
kill -INT "$pid"
wait "$pid"
is "$?" 0 "ctrl_c_ends_the_download_not_the_report"
is "$(cat "$tmp/out")" "$off" "which_goes_on_with_what_is_there"
like "$(err)" 'stopped: going on with what is there' "and_says_so"
kill "$server_pid" "$silent_pid"
wait "$server_pid" "$silent_pid" 2>/dev/null
started=()
done_testing
