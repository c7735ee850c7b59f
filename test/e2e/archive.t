#!/usr/bin/env bash
# xprof prints the same, to the byte, from an archive on a machine without the recorded files as from the recording on the
# machine that has them all. "Without" is a directory that xprof has for its root, with its own libraries and nothing else: no
# programs, no debug files, no /proc, no /tmp.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -g
"$xprof" version --build-options | grep -q '^ *libarchive *on' || skip_all "xprof was built without libarchive"
command -v g++ >/dev/null || skip_all "there is no g++"

programs=$(cd "$(dirname "$0")" && pwd)/programs
cat >"$tmp/sorter.cpp" <<'CPP'
#include <algorithm>
#include <map>
#include <string>
#include <vector>

static std::map<std::string, int> seen;

template <class T> static T work(T n)
{
	std::vector<T> numbers;

	for (int i = 0; i < 2000; i++)
		numbers.push_back((T)rand());
	std::sort(numbers.begin(), numbers.end());
	for (auto x : numbers)
		seen[std::to_string(x % 997)]++;
	return numbers[n % 2000];
}

int main()
{
	long sum = 0;

	for (int i = 0; i < 400; i++)
		sum += work<int>(i) + work<long>(i);
	return sum == VALUE;
}
CPP
cd "$tmp" || exit
g++ -O2 -g -DVALUE=1 -o sorter sorter.cpp || skip_all "g++ does not work"

# --- the other machine --------------------------------------------------------------------------------

# COMMAND...: runs xprof in the jail; sanitizers cannot work in one.
elsewhere() {
	"$xprof" "$@"
}
jail=$tmp/jail
make_jail() {
	local library
	mkdir -p "$jail/own" "$jail/dev" "$jail/var/tmp"
	: >"$jail/dev/null"
	cp "$xprof" "$jail/own/"
	while read -r library; do
		cp -L "$library" "$jail/own/"
	done < <(LD_PRELOAD=libarchive.so.13 ldd "$xprof" | grep -o '/[^ ]*') # which xprof loads when it needs it
	loader=$(cd "$jail/own" && echo ld-*)
	case $build in */asan | */ubsan | */tsan) return 1 ;; esac
	PATH=$PATH:/usr/sbin:/sbin
	if chroot "$jail" "/own/$loader" --library-path /own /own/xprof version >/dev/null 2>&1; then
		enter=(chroot "$jail")
	elif unshare -r chroot "$jail" "/own/$loader" --library-path /own /own/xprof version >/dev/null 2>&1; then
		enter=(unshare -r chroot "$jail")
	else
		return 1
	fi
}
if make_jail; then
	elsewhere() {
		env -i PATH="$PATH:/usr/sbin:/sbin" "${enter[@]}" "/own/$loader" --library-path /own /own/xprof "$@"
	}
	jailed=1
else
	jailed=
fi
# FILE: its name in the other machine's directory
there() {
	if [ -n "$jailed" ]; then
		cp -r "$1" "$jail/"
		echo "/$(basename "$1")"
	else
		echo "$1"
	fi
}

views=(
	"report"
	"report --names"
	"report -g --no-demangle"
	"report -g --no-children --no-inline"
	"report --unwind=fp -gcallee"
	"report --unwind=dwarf --guess --folded --annotate --addrs"
	"report --no-join-stacks --stacks"
	"report --json"
	"report -s srcline,sym --full-source-path --time 20%-80%"
	"script -F +srcline,+symoff"
	"script --unwind=fp --no-inline"
	"diff --unwind"
)
# The heading of diff names the given files.
without_names() {
	sed 's/^# [^ ]*: \([0-9]* samples unwound twice\)/# \1/'
}
# The views of a recording on this machine.
print_here() { # RECORDING DIRECTORY
	local i
	mkdir -p "$2"
	for i in "${!views[@]}"; do
		# shellcheck disable=SC2086 # words
		"$xprof" ${views[i]} "$1" 2>"$2/$i.err" | without_names >"$2/$i"
	done
}
# RECORDING'S-DIRECTORY ARCHIVE NAME: the views of the archive there are the same.
is_same_elsewhere() {
	local i different="" archive
	archive=$(there "$2")
	for i in "${!views[@]}"; do
		[ -s "$1/$i" ] || [ -s "$1/$i.err" ] || different+=" nothing:${views[i]}"
		# shellcheck disable=SC2086 # words
		elsewhere ${views[i]} "$archive" 2>"$tmp/there.err" | without_names >"$tmp/there"
		cmp -s "$1/$i" "$tmp/there" || {
			different+=" ${views[i]};"
			diag "$(diff "$1/$i" "$tmp/there" | head -6; head -2 "$tmp/there.err")"
		}
	done
	is "$different" "" "$3"
}
# ARCHIVE BYTES NAME
is_smaller() {
	local size
	size=$(stat -c %s "$1")
	ok "$3: $size bytes" [ "$size" -lt "$2" ]
}

# --- one program, with inlined functions ----------------------------------------------------------------

"$xprof" record -q --call-graph dwarf,16384 -e cpu-clock:u -F 2000 -o sorter.data ./sorter
print_here sorter.data sorter.here
ok "a recording is packed" "$xprof" archive -q -i sorter.data -o sorter.tar.zst
is_smaller sorter.tar.zst 1000000 "an archive is small"
ok "inlined functions are in it" grep -q '_\[i\]' sorter.here/5
mv sorter sorter.gone
is_same_elsewhere sorter.here sorter.tar.zst "all views print the same of it on a machine without the files"
mkdir unpacked && tar xf sorter.tar.zst -C unpacked
is_same_elsewhere sorter.here unpacked "and of the directory that tar unpacks it into"
mv sorter.gone sorter

for suffix in tar tar.gz tar.xz; do
	"$xprof" archive -q -i sorter.data -o "sorter.$suffix"
	"$xprof" report -i "sorter.$suffix" | cmp -s - sorter.here/0
	is $? 0 "$suffix is a suffix that is understood"
done
is "$(for f in sorter.tar.gz sorter.tar.xz; do od -An -tx1 -N2 $f; done | tr -d '\n')" " 1f 8b fd 37" "and is what the file is"
"$xprof" archive -q -i sorter.data -o again.tar.zst
ok "the same input gives the same bytes" cmp sorter.tar.zst again.tar.zst
"$xprof" convert -q sorter.data - 2>/dev/null | "$xprof" archive -q -i - -o piped.tar.zst
is "$("$xprof" report --no-pager -i piped.tar.zst | grep -v '^#')" "$(grep -v '^#' sorter.here/0)" "what comes through a pipe is packed, too"
"$xprof" convert -q sorter.tar.zst out.data && "$xprof" dump --records -i sorter.tar.zst >dumped
is "$("$xprof" report --no-pager -i out.data)" "$(cat sorter.here/0)" "convert takes the recording out of an archive"
is "$(cat dumped)" "$("$xprof" dump --records -i sorter.data)" "dump shows it"
"$xprof" archive -q -i sorter.data -o - >stream.tar
is "$("$xprof" report --no-pager -i - <stream.tar)" "$(cat sorter.here/0)" "standard output and input will do"
status_is 1 "an archive is not packed once more" "$xprof" archive -i sorter.tar.zst -o twice.tar

# --- without libarchive: its stand-in is not a library ---------------------------------------------------

mkdir broken && : >broken/libarchive.so.13
without_library() {
	LD_LIBRARY_PATH=$tmp/broken "$xprof" "$@"
}
install_it='libarchive.so.13 cannot be loaded: install libarchive13 or libarchive13t64 .Debian, Ubuntu., or libarchive .Fedora.'
is "$(without_library report --no-pager -i sorter.data)" "$(cat sorter.here/0)" "reports do without libarchive"
is "$(without_library report --no-pager -i unpacked)" "$(cat sorter.here/0)" "and so they do of an unpacked archive"
gzip -k sorter.data
is "$(without_library report --no-pager -i sorter.data.gz)" "$(cat sorter.here/0)" "and of a recording that gzip has packed"
is "$(without_library report --no-pager -i - <sorter.data.gz)" "$(cat sorter.here/0)" "likewise on standard input"
status_is 1 "an archive cannot be read" without_library report -i sorter.tar.zst
like "$output" "sorter.tar.zst: $install_it .*; or unpack the archive with tar, and name the directory" "that says what helps"
status_is 1 "nor one that is not compressed" without_library report -i sorter.tar
like "$output" "sorter.tar: $install_it" "likewise"
status_is 1 "nor one be made" without_library archive -i sorter.data -o none.tar
like "$output" "$install_it" "likewise"

# --- other tools -------------------------------------------------------------------------------------------

elf=$(find unpacked -path '*sorter/*/elf')
ok "excerpts are ELF files" readelf -WSlns "$elf"
is "$(readelf -Wn "$elf" | grep -o 'Build ID:.*')" "$(readelf -Wn sorter | grep -o 'Build ID:.*')" "with their build-id"
frames() { # FILE: vaddrs of its FDEs
	readelf -W --debug-dump=frames "$1" 2>/dev/null | grep -o 'FDE.*pc=[0-9a-f.]*' | sed 's/.*pc=//' | sort -u
}
is "$(comm -23 <(frames "$elf") <(frames sorter))" "" "and no FDE that the program has not"
ok "but those that were used" [ "$(frames "$elf" | wc -l)" -ge 3 ]
if command -v perf >/dev/null; then
	mv sorter sorter.gone
	HOME=$tmp/nobody perf_quietly --buildid-dir "$tmp/unpacked" report -f -i unpacked/perf.data --stdio --no-children \
		-g none -F sample,dso,symbol | grep -v '^#' >perf.names
	mv sorter.gone sorter
	like "$(cat perf.names)" ' sorter  *\[\.\] main' "perf --buildid-dir finds names in it"
else
	skip "no perf" "perf --buildid-dir finds names in it"
fi

# --- directories that perf archive packs ------------------------------------------------------------------

if command -v perf >/dev/null && command -v bzip2 >/dev/null; then
	mkdir home cache
	HOME=$tmp/home perf_quietly record -q -e cpu-clock:u -F 2000 -o perf.file -- ./sorter >/dev/null
	"$xprof" report --no-pager --no-children -i perf.file | grep -v '^#' >perf.here
	(HOME=$tmp/home PERF_CONFIG=/dev/null perf archive perf.file) >perf.archive 2>&1
	tar xf perf.file.tar.bz2 -C cache
	mv sorter sorter.gone
	"$xprof" report --no-pager --no-children -i perf.file --buildid-dir cache | grep -v '^#' >perf.cached
	mkdir "$tmp/nowhere"
	"$xprof" report --no-pager --no-children -i perf.file --buildid-dir "$tmp/nowhere" | grep -v '^#' >perf.nowhere
	mv sorter.gone sorter
	ok "perf archive packs something" [ -s perf.file.tar.bz2 ]
	is "$(cat perf.cached)" "$(cat perf.here)" "--buildid-dir finds what perf archive has packed"
	ok "and nothing else does" [ "$(grep -c main perf.nowhere)" = 0 ]
else
	skip "no perf, or no bzip2" "perf archive packs something"
	skip "likewise" "--buildid-dir finds what perf archive has packed"
	skip "likewise" "and nothing else does"
fi

# --- everything that runs -------------------------------------------------------------------------------

# Other programs of this machine may be rebuilt or end in between, and their files with them: then once more.
pack_system() {
	local tries
	for tries in 1 2 3; do
		"$xprof" record -q -a -g -F 499 --duration 1 -o system.data 2>system.err || return
		rm -rf system.here system.tar.zst
		print_here system.data system.here
		"$xprof" archive -q -i system.data -o system.tar.zst
		print_here system.data system.after
		diff -r system.here system.after >system.err && return
		diag "try $tries: files of the system changed"
	done
	return 1
}
if pack_system; then
	is_same_elsewhere system.here system.tar.zst "a whole system prints the same elsewhere"
	is_smaller system.tar.zst 30000000 "and takes megabytes"
else
	skip "cannot record a system that stays as it is: $(head -1 system.err)" "a whole system prints the same elsewhere"
	skip "likewise" "and takes megabytes"
fi

# --- run-time compilers -----------------------------------------------------------------------------------

if [ "$(uname -m)" = x86_64 ]; then
	gcc -O2 -o jit_workload "$programs/jit_workload.c"
	"$xprof" record -q -e cpu-clock:u -F 997 --call-graph dwarf,16384 -k monotonic -o jit.data ./jit_workload
	print_here jit.data jit.here
	"$xprof" archive -q -i jit.data -o jit.tar.zst
	rm -f jit_workload jit-*.dump
	is_same_elsewhere jit.here jit.tar.zst "code of jitdump files has its names and stacks elsewhere"
	ok "which it had here" grep -q jit_second jit.here/0
else
	skip "the code of the workload is for x86-64" "code of jitdump files has its names and stacks elsewhere"
	skip "likewise" "which it had here"
fi

# --- errors ------------------------------------------------------------------------------------------------

g++ -O2 -DVALUE=2 -o sorter sorter.cpp
said=$("$xprof" archive -i sorter.data -o replaced.tar.zst 2>&1)
like "$said" "left out: $tmp/sorter: .*the file was replaced after the recording" "what was replaced since is left out, and said"
print_here sorter.data replaced.here
is_same_elsewhere replaced.here replaced.tar.zst "the report says so elsewhere, too"

status_is 1 "an archive that is there is not written over" "$xprof" archive -i sorter.data -o sorter.tar.zst
like "$output" 'exists: overwrite it with -f' "unless it is asked for"
head -c 20000 sorter.tar.zst >cut.tar.zst
status_is 1 "an archive that was cut off is an error" "$xprof" report -i cut.tar.zst
like "$output" 'damaged archive, or cut short' "that says what it is"
tar cf other.tar sorter.cpp
status_is 1 "a tar of something else is an error" "$xprof" report -i other.tar
like "$output" "was not made by 'xprof archive'" "likewise"
rm -r unpacked/usr "$(dirname "$elf")"
status_is 0 "files that are missing are names that are missing" "$xprof" report -i unpacked
: >empty.data
status_is 1 "no recording, no archive" "$xprof" archive -i empty.data -o empty.tar
is "$(ls empty.tar* 2>/dev/null)" "" "and nothing is left"
(
	ulimit -f 20
	trap '' XFSZ
	"$xprof" archive -q -i sorter.data -o full.tar
) >full.out 2>&1
is $? 1 "a full disk is an error"
like "$(cat full.out)" 'cannot write full.tar' "that says where"
is "$(ls full.tar* 2>/dev/null)" "" "and leaves nothing behind"
done_testing
