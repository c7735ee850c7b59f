#ifndef XPROF_RECORD_BPF_LOADER_PROGRAM_H
#define XPROF_RECORD_BPF_LOADER_PROGRAM_H

/*
 * Interprets the loader of a BPF program. bpftool generates the loader: itself a BPF program, a straight list of bpf(2) calls
 * whose arguments are in a block of data. Having the kernel verify, compile and run the loader takes ten times as long.
 *
 *	if (loader_program_is_known(instructions, count))
 *	        result = loader_program_run(instructions, data, context);
 */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the interpreter know all instructions and helpers of the loader? Other versions of bpftool may use others. */
bool loader_program_is_known(const struct bpf_insn *instructions, size_t count);

/*
 * Runs a loader that is known; it is trusted, because it is a part of xprof. `data` is its block of data, which it writes to;
 * `context` is the skeleton. Returns 0 or a negated errno.
 */
int loader_program_run(const struct bpf_insn *instructions, void *data, void *context);

#endif
