#!/usr/bin/env bash
# Functions that compilers and linkers made from others, and functions with versions, have the same names as in perf.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
command -v gcc >/dev/null || skip_all "there is no compiler"
cd "$tmp" || exit

names=(plain local.0 part.part.0 "isra.isra.0.cold" constprop.constprop.1.isra.2 thin.llvm.1234567890123 hot.hot cold.cold
	_ZN3app4mainEi _ZN3app3runEi.part.0 _ZN3app3runEi.isra.0.cold _ZN3app3runEi.constprop.0 _ZN3app4thinEi.llvm.998877
	_ZZN3app4mainEiENKUlvE_clEv _ZN3app4mainEi.llvm.1.cold
	_ZN4core3fmt9Formatter3pad17h0123456789abcdefE _ZN4core3fmt5write17h0123456789abcdefE.llvm.4455
	_RNvC5crate4main _RNvC5crate3run.llvm.55 _RNvC5crate3run.cold.1 __pfx_plain _start_of_all)
{
	printf '.text\n'
	for name in "${names[@]}"; do
		printf '.globl "%s"\n.type "%s", @function\n"%s": .fill 32, 1, 0x90\n.size "%s", 32\n' "$name" "$name" "$name" "$name"
	done
	# two versions of one function, and one that is chosen when the program starts
	printf '.type old, @function\nold: .fill 32, 1, 0x90\n.size old, 32\n.symver old, versioned@OLD_1\n'
	printf '.type new, @function\nnew: .fill 32, 1, 0x90\n.size new, 32\n.symver new, versioned@@NEW_2\n'
	printf '.globl chosen\n.type chosen, @gnu_indirect_function\nchosen: .fill 32, 1, 0x90\n.size chosen, 32\n'
} >names.s
printf 'OLD_1 { };\nNEW_2 { } OLD_1;\n' >names.map
gcc -shared -nostdlib -Wl,--version-script=names.map -o libnames.so names.s 2>gcc.log || skip_all "cannot be built here: $(tail -1 gcc.log)"
cp libnames.so libdynamic.so
strip libdynamic.so # .dynsym alone

for library in libnames libdynamic; do
	{
		printf 'host %s\nrelease %s\ncomm 7 names\n' "$(uname -n)" "$(uname -r)"
		printf 'map 7 10000000 10000 0 %s/%s.so\n' "$tmp" $library
		nm libnames.so | perl -ne 'no warnings "portable"; printf "sample 7 %x\n", 0x10000004 + hex $1 if /^([0-9a-f]+) [TtiWD] /'
	} | "$source_root/test/lib/perf_data.pl" $library.data
	perf_quietly script -i $library.data --no-inline -F ip,sym,symoff >perf.txt
	"$xprof" script -i $library.data --no-inline -F ip,sym,symoff >xprof.txt 2>err
	ok "$library: there are names" [ "$(grep -c '[a-z]' xprof.txt)" -ge 20 ]
	is "$(diff perf.txt xprof.txt)" "" "$library: each as perf calls it"
done
done_testing
