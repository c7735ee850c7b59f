#!/usr/bin/env bash
# Swift names are shown as Swift's own library demangles them if there is one, else unchanged. The libraries here are stand-ins
# with the interfaces of SwiftDemangle.h and swift/Demangling/Demangle.h: no distribution packages the real ones.
# shellcheck disable=SC2016 # names begin with a dollar
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
command -v gcc >/dev/null || skip_all "there is no compiler"
cd "$tmp" || exit

name='$s4main3fooyyF'
{
	printf '.text\n'
	for symbol in "$name" '$sunknown' plain; do
		printf '.globl "%s"\n.type "%s", @function\n"%s": .fill 32, 1, 0x90\n.size "%s", 32\n' "$symbol" "$symbol" "$symbol" "$symbol"
	done
} >names.s
gcc -shared -nostdlib -o libnames.so names.s 2>gcc.log || skip_all "cannot be built here: $(tail -1 gcc.log)"
mkdir tools run_time
cat >tools.c <<'C'
#include <stdio.h>
#include <string.h>
static size_t answer(const char *mangled, char *out, size_t size, const char *text)
{
	if (strcmp(mangled, "$s4main3fooyyF"))
		return 0;
	snprintf(out, size, "%s", text);
	return strlen(text);
}
size_t swift_demangle_getDemangledName(const char *mangled, char *out, size_t size)
{
	return answer(mangled, out, size, "main.foo() -> ()");
}
size_t swift_demangle_getSimplifiedDemangledName(const char *mangled, char *out, size_t size)
{
	return answer(mangled, out, size, "foo()");
}
C
cat >run_time.c <<'C'
#include <stdint.h>
#include <string.h>
char *swift_demangle(const char *mangled, size_t length, char *out, size_t *size, uint32_t flags)
{
	return !out && !size && !flags && length == 14 && !memcmp(mangled, "$s4main3fooyyF", 14) ? strdup("main.foo() -> ()") : 0;
}
C
gcc -shared -fPIC -o tools/libswiftDemangle.so tools.c
gcc -shared -fPIC -o run_time/libswiftCore.so run_time.c
{
	printf 'host %s\nrelease %s\ncomm 7 names\n' "$(uname -n)" "$(uname -r)"
	printf 'map 7 10000000 10000 0 %s/libnames.so\n' "$tmp"
	nm libnames.so | perl -ne 'no warnings "portable"; printf "sample 7 %x\n", 0x10000004 + hex $1 if /^([0-9a-f]+) T /'
} | "$source_root/test/lib/perf_data.pl" names.data

names() { # DIRECTORY OPTION...
	local directory=$1
	shift
	LD_LIBRARY_PATH=$directory "$xprof" script -i names.data -F ip,sym "$@" 2>err | sed -E 's/^ *[0-9a-f]+ //' | LC_ALL=C sort | xargs -d '\n'
}
is "$(names "$tmp/tools")" '$sunknown foo() plain' "the tool chain's library names what it knows"
is "$(names "$tmp/run_time")" '$sunknown main.foo() -> () plain' "the run time's library does"
is "$(names "$tmp/tools" --no-demangle)" "\$s4main3fooyyF \$sunknown plain" "names as they stand, where that is asked for"
if ! ldconfig -p 2>/dev/null | grep -q libswift; then
	is "$(names "$tmp")" "\$s4main3fooyyF \$sunknown plain" "without either, names stay as they are"
fi
done_testing
