#ifndef XPROF_RECORD_KERNEL_SYMBOLS_H
#define XPROF_RECORD_KERNEL_SYMBOLS_H

/*
 * Finds the code of the running kernel. /proc/kallsyms has more than 100,000 lines, which the kernel
 * generates at each read, so it is read in large pieces and only as far as needed: one piece, if /proc/iomem
 * tells the size of the code.
 */

#include <stdint.h>

#include "base/error.h"

struct kernel_text {
	uint64_t start, end;
	uint64_t reference_address; /* address of `reference`, from which readers learn the KASLR offset */
	const char *reference;      /* "_text" or "_stext" */
};

/*
 * Returns 1 with the addresses, 0 if the kernel hides them (kernel.kptr_restrict, missing privilege), -1 with
 * err if kallsyms cannot be read.
 */
int kernel_text_find(struct kernel_text *text, const char *proc, struct error *err);

#endif
