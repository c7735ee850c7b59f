#ifndef XPROF_RECORD_BPF_LOADER_PROGRAM_H
#define XPROF_RECORD_BPF_LOADER_PROGRAM_H

/*
 * bpftool makes a loader of a BPF program: itself a BPF program, a straight list of calls to bpf(2) whose arguments lie in a block of
 * data. The kernel would verify and compile it to run it once; interpreting it here takes a tenth of that.
 *
 *	if (loader_program_is_known(instructions, count))
 *		result = loader_program_run(instructions, data, context);
 */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

/* Are all instructions and helpers of it known here? Loaders of other versions may have others. */
bool loader_program_is_known(const struct bpf_insn *instructions, size_t count);

/*
 * Runs a known one, which is trusted: it is part of xprof. `data` is the block, which it writes to; `context` the skeleton.
 * 0, or a negated errno.
 */
int loader_program_run(const struct bpf_insn *instructions, void *data, void *context);

#endif
