#!/usr/bin/env bash
# Libraries that Android maps right out of an APK: found by the name that simpleperf gives them, and by the place in the APK.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
for tool in gcc python3 perl objdump; do
	command -v "$tool" >/dev/null || skip_all "$tool is not installed"
done
cd "$tmp" || exit

for name in first second; do
	cat >$name.c <<END
static inline __attribute__((always_inline)) int inlined_in_$name(int x) { return x * x + 7; }
int ${name}_function(int x)
{
	return inlined_in_$name(x) - 3;
}
END
	gcc -O1 -g -shared -fPIC -Wl,--build-id=none -o lib$name.so $name.c || skip_all "no library can be built here"
done
mkdir -p root/data/app
python3 - <<'END'
import zipfile
with zipfile.ZipFile("root/data/app/base.apk", "w", zipfile.ZIP_STORED) as apk:
    apk.writestr("AndroidManifest.xml", "x" * 4321)
    for name in ("first", "second"):
        apk.write("lib%s.so" % name, "lib/x86_64/lib%s.so" % name)
    apk.write("libfirst.so", "assets/packed.so", zipfile.ZIP_DEFLATED)
END
apk_offset() { # NAME: the offset of the library's bytes in the APK
	python3 -c 'import sys, zipfile
apk = zipfile.ZipFile("root/data/app/base.apk"); entry = apk.getinfo("lib/x86_64/lib%s.so" % sys.argv[1])
file = open("root/data/app/base.apk", "rb"); file.seek(entry.header_offset + 26)
print("%x" % (entry.header_offset + 30 + sum(int.from_bytes(file.read(2), "little") for _ in range(2))))' "$1"
}
# NAME: where the second byte of its function is, in the file as well as in memory: the first segments have the same
function_at() {
	printf '%x' $((0x$(nm "lib$1.so" | awk -v name="$1_function" '$3 == name { print $1 }') + 1))
}
add() {
	printf '%x' $((0x$1 + 0x$2))
}

{
	printf 'host phone\nrelease 4.14\ncomm 7 app\n'
	printf 'map 7 10000000 100000 0 /data/app/base.apk!/lib/x86_64/libfirst.so\n'
	printf 'sample 7 %s\n' "$(add 10000000 "$(function_at first)")"
	for name in first second; do
		start=$([ $name = first ] && echo 20000000 || echo 30000000)
		printf 'map 7 %s 100000 %s /data/app/base.apk\n' "$start" "$(apk_offset $name)"
		printf 'sample 7 %s\n' "$(add "$start" "$(function_at $name)")"
	done
	printf 'map 7 40000000 100000 0 /data/app/base.apk!/assets/packed.so\nsample 7 40001000\n'
	printf 'map 7 50000000 1000 10 /data/app/base.apk\nsample 7 50000000\n'
} | "$source_root/test/lib/perf_data.pl" apk.data

"$xprof" script -i apk.data --symfs root -F ip,sym,symoff,srcline --full-source-path 2>err | sed -E 's/^ +//' | grep . >got
is "$(grep -o '[a-z]*_function+0x1' got | sort | uniq -c | awk '{ print $1, $2 }')" \
	$'2 first_function+0x1\n1 second_function+0x1' "functions of libraries inside of an APK, by name and by place"
is "$(grep -c '\[unknown\]' got)" 2 "what is compressed, and what is no library, has none"
is "$(grep -oE '(first|second)\.c:[0-9]+' got | sort | uniq -c | awk '{ print $1, $2 }')" \
	$'2 first.c:1\n1 second.c:1' "and lines"
like "$("$xprof" report -i apk.data --symfs root --folded 2>err)" \
	'app;first_function;inlined_in_first.* 2' "and inlined functions"
done_testing
