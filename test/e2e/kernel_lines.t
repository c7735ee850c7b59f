#!/usr/bin/env bash
# Functions, lines and inlined functions of the kernel and its modules, from a vmlinux and from modules where packages put them,
# compressed or not; with a kernel and a module that are made here, and a recording that is made by hand.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "the kernel that is built here is for x86-64"
for tool in gcc ld nm eu-addr2line eu-readelf objcopy objdump xz gzip perl; do
	command -v "$tool" >/dev/null || skip_all "$tool is not installed"
done
cd "$tmp" || exit

# --- a kernel and a module ---------------------------------------------------------------

cat >core.h <<'END'
extern volatile long counter;
static inline __attribute__((always_inline)) void count(long by)
{
	counter += by;
	counter ^= by << 3;
}
static inline __attribute__((always_inline)) void count_twice(long by)
{
	count(by);
	count(by + 1);
}
END
cat >kernel.c <<'END'
#include "core.h"
__asm__(".text\n.globl _text\n_text:\n");
volatile long counter;
void schedule(long by)
{
	count_twice(by);
}
long vfs_read(long by)
{
	schedule(by);
	count(by);
	return counter;
}
END
cat >module.c <<'END'
#include "core.h"
__attribute__((noipa, section(".text.unlikely"))) void complain(long by)
{
	count(by * 7);
}
long ext4_sync(long by)
{
	count_twice(by);
	if (by == 77)
		complain(by);
	return counter;
}
__attribute__((section(".init.text"))) void init_module(void)
{
	count(3);
}
__attribute__((section(".exit.text"))) void cleanup_module(void)
{
	count(5);
}
END
cflags=(-O2 -g -mcmodel=kernel -fno-pic -ffreestanding -fno-stack-protector -fcf-protection=none -mno-red-zone
	-falign-functions=1 -fno-toplevel-reorder)
gcc "${cflags[@]}" -c kernel.c module.c || exit
ld -nostdlib -static --build-id=sha1 -Ttext=0xffffffff81000000 -e schedule -o vmlinux kernel.o || exit
ld -r --build-id=sha1 -o ext4.ko module.o || exit

build_id() { # FILE
	eu-readelf -n "$1" | sed -n 's/.*Build ID: //p'
}
section_size() { # FILE SECTION
	objdump -h "$1" | awk -v name="$2" '$2 == name { print $3 }'
}
add() { # HEXADECIMAL HEXADECIMAL
	perl -e 'no warnings "portable"; printf "%x", hex($ARGV[0]) + hex($ARGV[1])' "$1" "$2"
}

# This boot had the kernel 0x15000000 bytes higher, and the module at this address: .text.unlikely, whose alignment is 1, comes
# after .text, then .exit.text; .init.text is gone.
text=ffffffff96000000
module_at=ffffffffc0a00000
unlikely_at=$(add $module_at "$(section_size ext4.ko .text)")
exit_at=$(add "$unlikely_at" "$(section_size ext4.ko .text.unlikely)")
release=6.1.0-test
modules=/lib/modules/$release/kernel/fs/ext4

# FILE SECTION RUNTIME_ADDRESS [VADDR]: "ADDRESS LINE CHAIN" of every other byte from eu-addr2line, the chain outermost first.
answers() {
	perl - "$(section_size "$1" "$2")" "$@" <<'END'
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits
my ($size, $file, $section, $start, $vaddr) = @ARGV;
my @from = $vaddr ? () : ('-j', $section);
for (my $at = 0; $at < hex $size; $at += 2) {
	my (@lines, @functions);
	open my $out, '-|', 'eu-addr2line', qw(-s -f -i -e), $file, @from, sprintf '0x%x', $at + hex($vaddr // 0) or die;
	while (my $function = <$out>) {
		push @functions, $function =~ s/ inlined at .*//r =~ s/\n//r;
		push @lines, scalar(<$out>) =~ s/^([^:]+:\d+).*\n/$1/sr;
	}
	printf "%x %s %s\n", hex($start) + $at, $lines[0], join ';', reverse @functions;
}
END
}
{
	answers vmlinux .text $text ffffffff81000000
	answers ext4.ko .text $module_at
	answers ext4.ko .text.unlikely "$unlikely_at"
	answers ext4.ko .exit.text "$exit_at"
} | sort >expected
ok "there are addresses with inlined functions" [ "$(grep -c ';' expected)" -ge 20 ]

# MODULE_PATH HOST >FILE
recording() {
	{
		printf 'host %s\nrelease %s\n' "$2" $release
		printf 'build-id kernel %s [kernel.kallsyms]\n' "$(build_id vmlinux)"
		printf 'build-id kernel %s %s\n' "$(build_id ext4.ko)" "$1"
		printf 'comm 7 task\nkernel %s 1000000 %s [kernel.kallsyms]_text\n' $text $text
		printf 'kernel %s 8000 0 %s\n' $module_at "$1"
		sed -E 's/([^ ]+) .*/sample 7 \1/' expected
	} | "$source_root/test/lib/perf_data.pl" /dev/stdout
}

# DATA XPROF_OPTION...: as `expected`, without the chain
lines() {
	"$xprof" script -i "$@" -F ip,sym,srcline 2>err | perl -ne '
		if (/^ +([0-9a-f]{8,})/) { $at = $1 } elsif (/^ +(\S+)$/) { print "$at $1\n" }' | sort
}
# DATA XPROF_OPTION...: "CHAIN SAMPLES"
chains() {
	"$xprof" report -i "$@" --folded 2>err | sed -E 's/^task;//; s/_\[[ki]\]//g; s/;?\[(k|ext4)\]//g' | sort
}
expected_lines=$(cut -d' ' -f1-2 expected)
expected_chains=$(cut -d' ' -f3 expected | sort | uniq -c | awk '{ print $2, $1 }' | sort)
names_and_lines_are_right() { # WHAT XPROF_OPTION...
	local what=$1
	shift
	is "$(lines "$@")" "$expected_lines" "$what: lines are those of eu-addr2line"
	is "$(chains "$@")" "$expected_chains" "$what: and so are the functions, with what is inlined in them"
}

# --- where packages put them --------------------------------------------------------------------

recording "$modules/ext4.ko.xz" elsewhere >kernel.data

debian=$tmp/debian
mkdir -p "$debian$modules" "$debian/usr/lib/debug/boot" "$debian/usr/lib/debug$modules"
cp vmlinux "$debian/usr/lib/debug/boot/vmlinux-$release"
objcopy --only-keep-debug --compress-debug-sections ext4.ko "$debian/usr/lib/debug$modules/ext4.ko"
objcopy --strip-debug ext4.ko "$debian$modules/ext4.ko"
xz --check=crc32 "$debian$modules/ext4.ko"
names_and_lines_are_right "packages of Debian" kernel.data --symfs "$debian"

fedora=$tmp/fedora
mkdir -p "$fedora$modules" "$fedora/usr/lib/debug/lib/modules/$release" "$fedora/usr/lib/debug/.build-id"
cp vmlinux "$fedora/usr/lib/debug/lib/modules/$release/vmlinux"
id=$(build_id ext4.ko)
mkdir "$fedora/usr/lib/debug/.build-id/${id:0:2}"
objcopy --only-keep-debug ext4.ko "$fedora/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
names_and_lines_are_right "packages of Fedora, the module itself gone" kernel.data --symfs "$fedora"

# A kernel that was built here: its names from a list, whose addresses are those of another boot.
nm vmlinux >System.map
built=$tmp/built
mkdir -p "$built$modules"
gzip -c ext4.ko >"$built$modules/ext4.ko.xz" # despite its name
names_and_lines_are_right "--vmlinux" kernel.data --symfs "$built" --vmlinux "$tmp/vmlinux"
is "$("$xprof" report -i kernel.data --symfs "$built" --kallsyms "$tmp/System.map" --folded --no-inline 2>err |
	sed -n 's/^task;schedule //p')" "$(grep -c '[0-9] schedule' expected)" \
	"System.map names the kernel's functions, moved to where the kernel was"

# The files of that build in perf's cache, from any boot.
kernel_id=$(build_id vmlinux)
mkdir -p "cache/.build-id/${kernel_id:0:2}/${kernel_id:2}"
cp System.map "cache/.build-id/${kernel_id:0:2}/${kernel_id:2}/kallsyms"
is "$("$xprof" report -i kernel.data --symfs "$built" --buildid-dir "$tmp/cache" --folded --no-inline 2>err |
	sed -n 's/^task;schedule //p')" "$(grep -c '[0-9] schedule' expected)" "perf's copy of kallsyms does, too"

# Another kernel or module is never used: a message says so.
objcopy --remove-section .note.gnu.build-id vmlinux other 2>objcopy.log
names() { # XPROF_OPTION...
	"$xprof" report -i kernel.data --folded --no-inline "$@" 2>&1 | grep -cE ';(schedule|vfs_read|ext4_sync) '
}
cp other "$debian/usr/lib/debug/boot/vmlinux-$release"
objcopy --remove-section .note.gnu.build-id ext4.ko "$debian/usr/lib/debug$modules/ext4.ko"
rm "$debian$modules/ext4.ko.xz"
is "$(names --symfs "$debian")" 0 "files of another build are not believed"
like "$("$xprof" report -i kernel.data --symfs "$debian" --vmlinux "$tmp/other" --stdio 2>&1)" "no build-id|another kernel" \
	"and the report says why there are no names"

done_testing
