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
	for i in $(seq 50); do # create_llvm_prof leaves out functions with few samples
		echo "sample pid=1 tid=1 time=$((1000 + i)) ip=$(at 0x20) period=100 branches=$(at 0x16)/$(at 0x12)/P/-/-/3,$(at 0x29)/$(at 0x10)/P/-/-/5"
	done
} >kernel.play
play kernel.play "$xprof" record -q -a -b -e cycles -o kernel.data true 2>err
id=$("$xprof" buildid-list -i kernel.data | awk '$2 ~ /kernel/ { print $1; exit }')
[ -n "$id" ] || skip_all "the kernel has no build-id"
cat >kernel.c <<'END'
__asm__(".text\n.globl _text\n_text: .zero 16\n");
__attribute__((naked)) void kernel_loop(void)
{
	__asm__("nop; nop\n"
		"1: test %eax, %eax; dec %eax; jne 1b\n" /* _text + 0x12 to 0x16 */
		".zero 17, 0x90\n"
		"jmp kernel_loop\n" /* _text + 0x29 */
		".zero 37, 0x90\n");
}
END
# NAME PAGE: a kernel, whose first segment ./near has at the file's beginning, as programs do, and ./moved farther on, as kernels do.
link_kernel() {
	local headers=
	[ "$1" = near ] && headers="FILEHDR PHDRS"
	cat >"$1.lds" <<END
PHDRS { code PT_LOAD $headers FLAGS(5); data PT_LOAD FLAGS(6); notes PT_NOTE FLAGS(4); }
SECTIONS {
	. = 0xffffffff82345000${headers:+ - 0x1000 + SIZEOF_HEADERS};
	.text : ALIGN(0x1000) { *(.text) } :code
	. = ALIGN(0x1000);
	.notes : { *(.note.gnu.build-id) } :data :notes
	.data : { *(.data .bss) } :data
	/DISCARD/ : { *(.eh_frame .note.gnu.property .note.GNU-stack .comment) }
}
END
	local link=-Wl,--build-id=0x$id,-e,_text,-z,max-page-size=$2,-T,$1.lds
	gcc -O1 -gdwarf-4 -ffreestanding -fno-pic -no-pie -mcmodel=kernel -fcf-protection=none -fno-toplevel-reorder \
		-falign-functions=1 -nostdlib -static "$link" \
		-o "$1" kernel.c 2>err || skip_all "no kernel can be linked: $(head -1 err)"
}
link_kernel near 0x1000
link_kernel moved 0x200000

# FORMAT OPTION...
export_as() {
	local format=$1
	shift
	"$xprof" export --format="$format" -i kernel.data --binary '[kernel.kallsyms]' -o - "$@" 2>said
}
is "$(export_as bolt-preagg --vmlinux moved)" "B ffffffff82345016 ffffffff82345012 50 0
B ffffffff82345029 ffffffff82345010 50 0
F ffffffff82345010 ffffffff82345016 50" "branches_are_at_the_addresses_of_vmlinux"
is "$(export_as autofdo --vmlinux near | sed -n '2p;4p;6p')" "1010-1016:50
1020:50
1016->1012:50" "those_for_autofdo_are_offsets_in_its_file"
is "$(grep -c . said)" 1 "which_each_version_reads"
code_at=$(($(objdump -h moved | awk '$2 == ".text" { print "0x" $6 }') + 0x10))
like "$(export_as autofdo --vmlinux moved)" "^1"$'\n'"$(printf '%x' $code_at)-" "wherever_code_lies_in_it"
like "$(cat said)" "takes create_llvm_prof 0.20 or later" "which_only_later_ones_read_rightly"
is "$(export_as llvm-profgen-raw --vmlinux moved | sed -n 2p)" "ffffffff82345010-ffffffff82345016:50" "and_for_llvm-profgen"
is "$(export_as bolt --vmlinux moved)" "1 kernel_loop 6 1 kernel_loop 2 0 50
1 kernel_loop 19 1 kernel_loop 0 0 50" "functions_are_those_of_vmlinux"
unlike "$(cat said)" "no vmlinux" "nothing_is_said_then"
like "$("$xprof" report --blocks -i kernel.data 2>&1)" "for the kernel use --binary '\[kernel.kallsyms\]'" "without_--binary_its_name_is_said"
is "$(export_as llvm-sample --vmlinux moved)" "kernel_loop:400:50
 2: 50 kernel_loop:50" "lines_are_those_of_vmlinux"
status_is 1 "without_vmlinux_there_are_none" "$xprof" export --format=llvm-sample -i kernel.data --binary '[kernel.kallsyms]' -o -
like "$output" "name it with --vmlinux" "which_is_said_with_the_option"
is "$(export_as bolt-preagg | head -1)" "B ${text:0:14}16 ${text:0:14}12 50 0" "without_vmlinux_they_stay_where_the_kernel_ran"
like "$(cat said)" "no vmlinux of the recorded kernel was named" "which_is_said"

# nop, nop, test, dec, jne: five instructions in the three cycles before the branch.
blocks() {
	"$xprof" report --blocks -q --binary '[kernel.kallsyms]' -i kernel.data "$@"
}
like "$(blocks --vmlinux moved)" "^ 100.00% +50 +5 +3.00 +1.67 +kernel_loop[+]0x0" "blocks_of_the_kernel_have_its_instructions"
like "$(blocks)" "^ 100.00% +50 +0 +3.00 +- " "which_are_in_vmlinux"

# FILE: the first function of a sample profile.
first_function() {
	grep -oE '^[a-z_]+:' "$1" | head -1
}
if find_tool create_llvm_prof; then
	export_as autofdo --vmlinux near >near.autofdo
	ok "create_llvm_prof_takes_autofdo" "$tool" --profiler=text --profile=near.autofdo --binary=near --format=text --out=near.txt
	is "$(first_function near.txt)" "kernel_loop:" "and_names_the_function"
else
	skip "create_llvm_prof is not installed" "create_llvm_prof_takes_autofdo"
fi
if find_tool llvm-profgen llvm-profgen-19 llvm-profgen-16 llvm-profgen-14; then
	export_as llvm-profgen --vmlinux moved >moved.script
	ok "llvm-profgen_takes_the_script" "$tool" --perfscript=moved.script --binary=moved --format=text --output=script.prof
	is "$(first_function script.prof)" "kernel_loop:" "and_names_the_function_too"
	is "$(export_as llvm-sample --vmlinux moved)" "$(grep -v ': 0$' script.prof)" "llvm-sample_is_what_it_makes_of_the_kernel"
	# It counts from the first segment of code, but with 32 bits (14, 16), unless told not to.
	export_as llvm-profgen-raw --vmlinux moved >moved.raw
	ok "and_the_raw_profile" "$tool" --use-offset=0 --unsymbolized-profile=moved.raw --binary=moved --format=text --output=raw.prof
	ok "which_is_the_same" cmp script.prof raw.prof
else
	skip "llvm-profgen is not installed" "llvm-profgen_takes_the_script"
fi
if find_tool perf2bolt /usr/lib/llvm-19/bin/perf2bolt /usr/lib/llvm-16/bin/perf2bolt; then
	export_as bolt-preagg --vmlinux moved >moved.preagg
	ok "perf2bolt_takes_bolt-preagg" "$tool" -pa -p moved.preagg -o moved.fdata moved
	like "$(cat moved.fdata)" "1 kernel_loop 6 1 kernel_loop 2 0 50" "with_the_function_and_its_offsets"
else
	skip "perf2bolt is not installed" "perf2bolt_takes_bolt-preagg"
fi
done_testing
