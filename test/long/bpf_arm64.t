#!/usr/bin/env bash
# The BPF program that copies stacks, compiled for arm64: checks the members that it would read in an arm64 kernel, whose
# structures are given here as far as the program uses them. No such kernel runs here.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
headers=/usr/aarch64-linux-gnu/include
for need in clang bpftool llvm-objcopy; do
	command -v $need >/dev/null || skip_all "$need is not installed"
done
[ -e $headers/asm/ptrace.h ] || skip_all "the headers of arm64 are not installed"
cd "$tmp" || exit

# linux/sched.h, asm/processor.h of arm64: members of the same names, in other places.
cat >kernel.c <<'END_OF_C'
struct thread_struct {
	unsigned long cpu_context[13];
	struct {
		unsigned long tp_value, tp2_value;
	} uw;
};
struct mm_struct {
	unsigned long other, start_stack;
};
struct task_struct {
	long other[5];
	unsigned int flags;
	struct mm_struct *mm;
	unsigned long sas_ss_sp, sas_ss_size;
	struct thread_struct thread;
} task;
struct vm_area_struct {
	unsigned long vm_start, vm_end;
} vma;
END_OF_C
clang -target bpf -g -O2 -c -o kernel.o kernel.c
llvm-objcopy --dump-section .BTF=kernel.btf kernel.o || skip_all "clang writes no BTF"
ok "the_program_compiles_for_arm64" clang -target bpf -D__TARGET_ARCH_arm64 -I$headers -mcpu=v3 -O2 -g -Wall -Wextra -Werror \
	-I"$source_root/src" -c -o copy.o "$source_root/src/record/bpf/stack_copy_whole.bpf.c"
ok "its_relocations_are_found_there" bpftool gen min_core_btf kernel.btf used.btf copy.o
used=$(bpftool btf dump file used.btf 2>/dev/null)
like "$used" "'tp_value'" "where_a_threads_stack_ends_is_said_by_tpidr"
unlike "$used" "tp2_value" "and_what_it_does_not_need_it_leaves_alone"
done_testing
