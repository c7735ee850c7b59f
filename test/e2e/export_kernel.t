#!/usr/bin/env bash
# The kernel as an export for compilers: KASLR moved it, and its exported code has the addresses of vmlinux. The kernel and its
# branches are made up here; the recorded address of _text, which is the running kernel's, tells how far it was moved.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/played.sh
. "$(dirname "$0")/../lib/played.sh"
need_player
[ "$(uname -m)" = x86_64 ] || skip_all "the kernel is for x86-64"
command -v gcc >/dev/null || skip_all "gcc is not installed"
cd "$tmp" || exit 1
text=$(awk '$3 == "_text" { print $1; exit }' /proc/kallsyms)
[[ $text =~ [1-9a-f] ]] || skip_all "the addresses of the kernel are hidden"

at() {
	printf '0x%x' $((0x$text + $1))
}
{
	echo "machine intel-lbr32"
	echo "sample pid=1 tid=1 time=1000 ip=$(at 0x20) period=100 branches=$(at 0x16)/$(at 0x12)/P/-/-/3,$(at 0x29)/$(at 0x10)/P/-/-/5"
} >kernel.play
play kernel.play "$xprof" record -q -a -b -e cycles -o kernel.data true 2>err
id=$("$xprof" buildid-list -i kernel.data | awk '$2 ~ /kernel/ { print $1; exit }')
[ -n "$id" ] || skip_all "the kernel has no build-id"
cat >kernel.s <<'END'
	.globl _text, kernel_loop
	.text
_text:	.zero 16
	.type kernel_loop, @function
kernel_loop: .zero 64
	.size kernel_loop, . - kernel_loop
END
gcc -nostdlib -static -Wl,-Ttext=0xffffffff82345000,--build-id=0x"$id",-e,_text -o moved kernel.s 2>err ||
	skip_all "no kernel can be linked: $(head -1 err)"

# FORMAT OPTION...
export_as() {
	local format=$1
	shift
	"$xprof" export --format="$format" -i kernel.data --binary '[kernel.kallsyms]' -o - "$@" 2>said
}
is "$(export_as bolt-preagg --vmlinux moved)" "B ffffffff82345016 ffffffff82345012 1 0
B ffffffff82345029 ffffffff82345010 1 0
F ffffffff82345010 ffffffff82345016 1" "branches_are_at_the_addresses_of_vmlinux"
is "$(export_as autofdo --vmlinux moved | sed -n '2p;4p;6p')" "ffffffff82345010-ffffffff82345016:1
ffffffff82345020:1
ffffffff82345016->ffffffff82345012:1" "so_they_are_for_autofdo"
is "$(export_as llvm-profgen-raw --vmlinux moved | sed -n 2p)" "ffffffff82345010-ffffffff82345016:1" "and_for_llvm-profgen"
is "$(export_as bolt --vmlinux moved)" "1 kernel_loop 6 1 kernel_loop 2 0 1
1 kernel_loop 19 1 kernel_loop 0 0 1" "functions_are_those_of_vmlinux"
unlike "$(cat said)" "no vmlinux" "nothing_is_said_then"
is "$(export_as bolt-preagg | head -1)" "B ${text:0:14}16 ${text:0:14}12 1 0" "without_vmlinux_they_stay_where_the_kernel_ran"
like "$(cat said)" "no vmlinux of the recorded kernel was named" "which_is_said"
done_testing
