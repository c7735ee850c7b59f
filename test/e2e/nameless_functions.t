#!/usr/bin/env bash
# A function of a stripped file is one function in every view, known by its file and by the beginning that its unwind
# information gives; script prints each address as it was sampled.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
command -v gcc >/dev/null || skip_all "there is no compiler"
cd "$tmp" || exit

# Many instructions in a loop, so that samples lie at many addresses. PAD moves the code after it to other offsets.
cat >work.c <<'END'
#define LOOP(name, factor)                                                   \
	static __attribute__((noinline, used)) unsigned name(unsigned n)     \
	{                                                                    \
		unsigned x = n, y = 1, z = factor;                           \
		for (unsigned i = 0; i < n; i++) {                           \
			x ^= i * factor; y += x >> 3; z ^= y << 2;           \
			x += z * 5; y ^= x; z += i ^ y; x ^= z >> 7;         \
		}                                                            \
		return x ^ y ^ z;                                            \
	}
#ifdef PAD
LOOP(pad, 3)
#endif
LOOP(first, 7)
LOOP(second, 9)
unsigned work(unsigned n)
{
	return first(n) + second(n / 4);
}
END
cat >main.c <<'END'
unsigned work(unsigned n);
int main(int argc, char **argv)
{
	unsigned sum = 0;
	(void)argv;
	for (int i = 0; i < 60; i++)
		sum += work(1000000 + (unsigned)argc);
	return sum == 1;
}
END
{
	gcc -O1 -fPIC -fasynchronous-unwind-tables -shared -Wl,--build-id -o libwork.so work.c &&
		gcc -O1 -fPIC -fasynchronous-unwind-tables -DPAD -shared -Wl,--build-id -o libother.so work.c &&
		gcc -O1 -fasynchronous-unwind-tables -Wl,--build-id -o whole main.c work.c
} 2>gcc.log || skip_all "cannot be built here: $(tail -1 gcc.log)"
# FILE FUNCTION: its address; because of how gcc links, it is the offset in the file, too, for code that is mapped from 0 on.
address() { nm "$1" | sed -n "s/^0*\([0-9a-f]*\) t $2\$/\1/p"; }
first=$(address libwork.so first) second=$(address libwork.so second)
program_first=$(address whole first)
mkdir -p one two
{
	strip -o one/libwork.so libwork.so
	strip -o two/libwork.so libother.so
	strip -o program whole
	strip -R .eh_frame -R .eh_frame_hdr -o bare.so libwork.so
} 2>strip.log # warns of the empty segment

# --- samples at known addresses --------------------------------------------------------------------------

# NAME LIBRARY FIRST SECOND: a recording with three samples in the one and one in the other; with the build-id, if FILE has one
recording() {
	local id
	id=$(readelf -n "$2" 2>/dev/null | sed -n 's/.*Build ID: //p')
	{
		printf 'host %s\nrelease %s\ncomm 7 names\n' "$(uname -n)" "$(uname -r)"
		printf 'build-id user %s %s\n' "$id" "$tmp/$2"
		printf 'map 7 10000000 10000 0 %s\n' "$tmp/$2"
		printf 'sample 7 %x\n' $((16#10000000 + 16#$3)) $((16#10000000 + 16#$3 + 2)) \
			$((16#10000000 + 16#$3 + 4)) $((16#10000000 + 16#$4 + 3))
	} | "$source_root/test/lib/perf_data.pl" "$1.data"
}
recording one one/libwork.so "$first" "$second"
recording two two/libwork.so "$(address libother.so first)" "$(address libother.so second)"
recording bare bare.so "$first" "$second"

# RECORDING OPTIONS...: samples and symbol of each row
rows() {
	"$xprof" report --no-pager --no-header -n -s dso,symbol -i "$@" 2>err | awk '!/^#/ && NF { print $2, $5 }'
}
is "$(rows one.data)" "3 libwork.so+0x$first
1 libwork.so+0x$second" "report: one row for each function, by its file and where it begins"
is "$(rows bare.data | grep -c ' 0x')" 4 "without unwind information each address is a row"
is "$(rows one.data --symbols "libwork.so+0x$second")" "1 " "a filter takes that name"
is "$(rows one.data -U)" "" "to --hide-unresolved they have no names"
like "$("$xprof" report --no-pager -i one.data 2>err)" '100.0% of the samples are in functions without a name' \
	"nor to the header"
like "$("$xprof" report --no-pager --no-header -s srcline -i one.data 2>err)" "libwork.so\[$first\]" "where no line is known there is the address, as in perf"
is "$("$xprof" report --folded -i one.data 2>err)" "names;libwork.so+0x$first 3
names;libwork.so+0x$second 1" "folded stacks: one line for each"
like "$("$xprof" report --json -i one.data 2>err)" "\"symbol\": \"libwork.so\+0x$first\", \"nameless\": true, \"address\": \"0x$first\"" \
	"JSON says that the function has no name"
"$xprof" flamegraph -q -i one.data -o page.html
ok "the flame graph has them" grep -q "libwork.so+0x$first" page.html
"$xprof" flamegraph -q -i one.data -o page.svg
is "$(grep -o "libwork.so+0x[0-9a-f]*" page.svg | sort -u | wc -l)" 2 "and as a picture"
is "$("$xprof" script -i one.data -F ip,sym 2>err | tr -s ' \n' ' ')" \
	"$(printf ' %x [unknown]' $((16#10000000 + 16#$first)) $((16#10000000 + 16#$first + 2)) $((16#10000000 + 16#$first + 4)) $((16#10000000 + 16#$second + 3))) " \
	"script has each address as it was sampled"

# --- two recordings --------------------------------------------------------------------------------------

differing() {
	"$xprof" diff --all --no-pager "$@" 2>err | awk '!/^#/ && NF { print $NF }' | sort
}
is "$(differing one.data one.data)" "libwork.so+0x$first
libwork.so+0x$second" "diff: functions of one build are matched by their offsets"
is "$(differing one.data two.data)" "[unknown]" "diff: all that has no name is one where the builds differ"
like "$("$xprof" diff --all --no-pager one.data two.data 2>err)" 'other builds of libwork.so: their functions are matched by name, and those without one are one row' \
	"which it says"
is "$("$xprof" diff --folded one.data two.data 2>err)" "names;[libwork.so] 4 4" "diff --folded likewise"
is "$("$xprof" diff --folded one.data one.data 2>err)" "names;libwork.so+0x$first 3 3
names;libwork.so+0x$second 1 1" "and of one build by offset"
"$xprof" flamegraph -q --diff one.data -i two.data -o diff.svg
is "$(grep -c 'libwork.so+0x' diff.svg)" 0 "flamegraph --diff: no function of one build is taken for one of the other"
"$xprof" flamegraph -q --diff one.data -i one.data -o diff.svg
ok "but those of one build are compared" grep -q "libwork.so+0x$first" diff.svg

# --- an archive, where the files are gone ------------------------------------------------------------------

if "$xprof" archive -q -i one.data -o one.tar 2>err && "$xprof" archive -q -i bare.data -o bare.tar 2>err; then
	rows one.data >expected
	"$xprof" script -i one.data >script.expected 2>err
	"$xprof" script -i one.data --unwind=fp >script_fp.expected 2>err
	rows bare.data >bare.expected
	mv one one.gone
	mv bare.so bare.gone
	is "$(rows one.tar)" "$(cat expected)" "a report of an archive has the same functions"
	is "$(rows bare.tar)" "$(cat bare.expected)" "and the same addresses, where nothing says where functions begin"
	is "$("$xprof" script -i one.tar 2>err)" "$(cat script.expected)" "and script the same lines"
	is "$("$xprof" script -i one.tar --unwind=fp 2>err)" "$(cat script_fp.expected)" "by frame pointers, too"
	mv one.gone one
else
	skip "$(cat err)" "a report of an archive has the same functions"
fi

# --- a stripped program that runs ----------------------------------------------------------------------------

if "$xprof" record -q -g -e cpu-clock:u -F 2000 -o live.data -- ./program 2>err; then
	"$xprof" report --no-pager --no-header --no-children -s dso,symbol -g none -n -i live.data 2>err >live
	like "$(grep -v '^#' live | grep -m1 .)" "program +\[\.\] program\+0x$program_first\$" \
		"the first row of a stripped program is its hot function"
	ok "with most samples, which lie at many addresses" [ "$(awk '/program\+0x/ { sub("%", ""); print int($1); exit }' live)" -ge 50 ]
	ok "that script has one by one" [ "$("$xprof" script -i live.data -F ip -G 2>err | sort -u | wc -l)" -ge 5 ]
	is "$(grep -c '0x0000' live)" 0 "no row is a bare address"
	like "$("$xprof" report --folded -i live.data 2>err | sort -t' ' -k2 -nr | head -1)" "program\+0x[0-9a-f]+;program\+0x$program_first [0-9]+\$" \
		"callers without names are functions, too"
else
	skip "$(cat err)" "the first row of a stripped program is its hot function"
fi
done_testing
