#!/usr/bin/env bash
# make static: one file of at most 8 MB that needs nothing installed. It records, reports and archives in folders that hold only
# busybox, a program of musl, or the shell of another release of Debian.
#
# STATIC_ROOTS="DIR..." tries it in these folders instead of downloading suites: each has /bin/sh.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
# shellcheck source=test/lib/roots.sh
. "$source_root/test/lib/roots.sh"

SUITES=${SUITES-'jessie stretch buster bullseye bookworm trixie sid'} # those that the archive still has
MOST_BYTES=8000000

static=$source_root/build/static/xprof
status_is 0 "it_is_built" env MAKEFLAGS= make -C "$source_root" -s -j2 static
[ -x "$static" ] || done_testing
size=$(stat -c %s "$static")
ok "it_has_at_most_8_MB" test "$size" -le $MOST_BYTES
figure "$size bytes"
is "$(readelf -lW "$static" | grep -cE 'INTERP|DYNAMIC')" 0 "it_names_no_dynamic_linker_and_no_libraries"
# These functions load libraries of the system, which fail or crash in a program that has another C library inside.
is "$(nm -u "$source_root/build/static/libxprof.a" |
	grep -E ' (getpw|getgr|getaddrinfo|gethostby|getserv|getlogin|dlopen|iconv_open|setlocale|wordexp)')" "" \
	"it_asks_no_name_service_and_loads_no_library"
features=$("$static" version --build-options)
like "$features" $'\n  static +on ' "it_says_that_it_is_static"
for library in libelf libdw liblzma zlib libzstd libarchive libtraceevent libiberty bpf; do
	like "$features" $'\n'"  $library +on " "it_has_$library"
done
# It lacks libraries without an archive, and says which.
while read -r library macro; do
	! grep -qx "  $library  *off .*" <<<"$features" || unlike "$(cat "$source_root/build/static/config.mk")" "$macro" \
		"without_${library}_it_is_named"
done < <(sed -nE 's/^  (lib[a-z-]+) +(on|off) .*/\1/p' <<<"$features" | while read -r name; do
	echo "$name -DHAVE_$(tr 'a-z-' 'A-Z_' <<<"$name") "
done)
# shellcheck disable=SC2016 # for that shell
"$static" record -q -g -o "$tmp/host.data" -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' 2>"$tmp/host.err" ||
	{ skip "cannot record here: $(head -1 "$tmp/host.err")" "it_records"; done_testing; }
if [ "$(id -u)" -eq 0 ]; then
	like "$("$static" record -v -g -o "$tmp/host.data" -- true 2>&1)" "BPF" "it_copies_stacks_by_its_BPF_program"
else
	skip "not root" "it_copies_stacks_by_its_BPF_program"
fi
is "$("$xprof" report -i "$tmp/host.data" --stdio 2>/dev/null | grep -v '^#')" \
	"$("$static" report -i "$tmp/host.data" --stdio 2>/dev/null | grep -v '^#')" "its_report_is_that_of_the_other_program"
[ "$(id -u)" -eq 0 ] || { skip "chroot needs root" "it_runs_in_other_systems"; done_testing; }

# NAME ROOT: it works there.
# shellcheck disable=SC2016 # expanded by the shell in there
works_in() {
	local name=$1 root=$2 lines
	cp "$static" "$root/xprof"
	mkdir -p "$root/tmp" "$root/etc"
	[ -e "$root/etc/passwd" ] || echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	status_is 0 "$name: it says what it is" in_root "$root" /xprof version --build-options
	status_is 0 "$name: it records with stacks" in_root "$root" /xprof record -g -F 4000 -o /tmp/x.data -- \
		/bin/sh -c 'i=0; while [ $i -lt 500000 ]; do i=$((i + 1)); done'
	lines=$(in_root "$root" /xprof script -i /tmp/x.data -F comm,ip,sym 2>"$tmp/script.err" | grep -cE '^(sh|busybox)')
	ok "$name: script prints samples of the shell" test "$lines" -ge 50
	[ "$lines" -ge 50 ] || diag "$lines samples; $(cat "$tmp/script.err")"
	output=$(in_root "$root" /xprof report -i /tmp/x.data --stdio --sort comm 2>&1)
	like "$output" $'\n +[0-9.]+%.* (sh|busybox)' "$name: report has the shell"
	status_is 0 "$name: it archives" in_root "$root" /xprof archive -i /tmp/x.data -o /tmp/x.tar.zst
	status_is 0 "$name: it reads the archive" in_root "$root" /xprof report -i /tmp/x.tar.zst --stdio --sort comm
	status_is 0 "$name: it records a user's processes by name" in_root "$root" /xprof record -o /tmp/u.data -u root -- /bin/sh -c :
	status_is 0 "$name: it draws a flame graph" in_root "$root" /xprof flamegraph -o /tmp/x.html -i /tmp/x.data
	ok "$name: whose page is whole" grep -q '</html>' "$root/tmp/x.html"
}

for root in ${STATIC_ROOTS-}; do
	works_in "$root" "$root"
done
[ -z "${STATIC_ROOTS-}" ] || done_testing

mkdir -p "$tmp/busybox"
if make_root "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" "$tmp/unpacked" busybox-static musl; then
	# Nothing else: no C library, no shell except this one.
	mkdir -p "$tmp/busybox/bin"
	cp "$tmp/unpacked/bin/busybox" "$tmp/busybox/bin/busybox"
	ln -s busybox "$tmp/busybox/bin/sh"
	works_in busybox "$tmp/busybox"

	# musl, its dynamic linker, and a program that needs it.
	mkdir -p "$tmp/musl/usr/lib"
	ln -s usr/lib "$tmp/musl/lib"
	cp -a "$tmp/busybox/bin" "$tmp/musl/"
	(cd "$tmp/unpacked" && find . -path '*lib/*musl*' \( -type f -o -type l \) -print0 | tar -c --null -T - | tar -x -C "$tmp/musl")
	cat >"$tmp/spin.c" <<'END_OF_C'
volatile unsigned long sum;
__attribute__((noinline)) void spin(void) { for (unsigned long i = 0; i < 300000000; i++) sum += i; }
int main(void) { spin(); return 0; }
END_OF_C
	if musl-gcc -O1 -g -o "$tmp/musl/bin/spin" "$tmp/spin.c" 2>"$tmp/musl.err"; then
		works_in musl "$tmp/musl"
		status_is 0 "musl: it records a program of musl" in_root "$tmp/musl" /xprof record -g -o /tmp/m.data -- /bin/spin
		like "$(in_root "$tmp/musl" /xprof report -i /tmp/m.data --stdio --sort sym 2>/dev/null)" \
			$'\n +[0-9.]+%[^\n]* spin' "musl: and names its functions"
	else
		skip "musl-gcc is not installed" "musl: it records a program of musl"
	fi
else
	skip "no archive of packages" "it_runs_with_busybox_alone_and_with_musl"
fi
tried=0
for suite in $SUITES; do
	if make_root "$suite" "$tmp/$suite" dash libc6 coreutils; then
		works_in "$suite" "$tmp/$suite"
		tried=$((tried + 1))
	else
		diag "$suite: the archive does not have it"
	fi
	rm -rf "${tmp:?}/$suite" "$tmp/$suite.apt"
done
figure "$tried suites of Debian"
done_testing
