#!/usr/bin/env bash
# Functions of simpleperf recordings get the names that these contain, for machines without any other file here.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
corpus=${CORPUS:-$source_root/../shared/corpus}
[ -d "$corpus/simpleperf" ] || skip_all "no corpus in $corpus (CORPUS names another folder)"

# FILE: "SHARE DSO SYMBOL" of the largest row
largest() {
	"$xprof" report -i "$corpus/simpleperf/$1" --stdio -g none --no-children -F overhead,dso,symbol 2>"$tmp/err" |
		grep -v '^#' | awk 'NF { $1 = $1; print; exit }'
}
is "$(largest perf_with_symbols.data)" "61.17% t2 [.] main" "a program"
is "$(largest perf_with_symbols_for_nonzero_minvaddr_dso.data)" "99.69% libc.so [.] memcpy" \
	"a library whose code begins at a vaddr of its own"
is "$(largest perf_with_jit_symbol.data)" \
	"93.04% perf.data_jit_app_cache:15480-17544 [.] com.android.simpleperf.debuggable.MainActivity\$1.run" \
	"code made at run time, by its address"
like "$("$xprof" script -i "$corpus/simpleperf/perf_need_proguard_mapping.data" 2>"$tmp/err")" \
	'4f130 a\.h\.a\.c\.startActivityForResult\+0x14 .*base\.apk!/classes\.dex' "methods in DEX files"
like "$("$xprof" report -i "$corpus/simpleperf/perf_with_kernel_symbols_available_true.data" --stdio -g none --no-children 2>"$tmp/err")" \
	'\[kernel.kallsyms\] +\[k\] seccomp_phase1' "another machine's kernel"
# A thread of Android begins in __start_thread, a program in __libc_init, its linker in _start with a prefix.
like "$("$xprof" report --stacks -i "$corpus/simpleperf/perf_with_kernel_symbols_available_true.data" 2>"$tmp/err")" \
	'228 \(100.0+%\)' "stacks that end there are complete"
done_testing
