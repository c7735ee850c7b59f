#!/usr/bin/env bash
# A function without a symbol, after a label without a size, gets its name from the debug information that is left.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
command -v gcc >/dev/null || skip_all "there is no compiler"
cd "$tmp" || exit

cat >hidden.c <<'END'
__asm__(".text\n.globl label\nlabel: nop\nnop\nnop\nnop\n");
static __attribute__((noinline, used)) int hidden(int x)
{
	return x * 7 + 1;
}
END
gcc -g -O1 -fPIC -fno-toplevel-reorder -shared -nostdlib -o whole.so hidden.c 2>gcc.log ||
	skip_all "cannot be built here: $(tail -1 gcc.log)"
label=$(nm whole.so | sed -n 's/ [Tt] label$//p')
hidden=$(nm whole.so | sed -n 's/ t hidden$//p')
objcopy --strip-symbol=hidden whole.so stripped.so
is "$(nm stripped.so | grep -c ' t ')" 0 "the function is none of the stripped file's symbols"
ok "the label is in front of it" [ $((16#$label)) -lt $((16#$hidden)) ]

for library in whole stripped; do
	{
		printf 'host %s\nrelease %s\ncomm 7 names\n' "$(uname -n)" "$(uname -r)"
		printf 'map 7 10000000 10000 0 %s/%s.so\n' "$tmp" $library
		printf 'sample 7 %x\n' $((16#10000000 + 16#$label + 1)) $((16#10000000 + 16#$hidden + 1))
	} | "$source_root/test/lib/perf_data.pl" $library.data
	is "$("$xprof" script -i $library.data --no-inline -F ip,sym,symoff 2>err | sed "s,[0-9a-f]* ,,; s,^ *[0-9a-f]* ,," | tr -s ' \n' ' ')" "label+0x1 hidden+0x1 " \
		"$library: the label and the function are told apart"
done
done_testing
