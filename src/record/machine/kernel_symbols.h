#ifndef XPROF_RECORD_KERNEL_SYMBOLS_H
#define XPROF_RECORD_KERNEL_SYMBOLS_H

/*
 * Where the running kernel's code lies. /proc/kallsyms has more than 100,000
 * lines and is made anew for each read: it is read in large pieces and only as
 * far as needed, which is its first piece where /proc/iomem tells the size.
 */

#include <stdint.h>

#include "base/error.h"

struct kernel_text {
	uint64_t start, end;
	uint64_t reference_address; /* of the symbol below: tells readers how far the kernel was moved (KASLR) */
	const char *reference;      /* "_text" or "_stext" */
};

/* 1 found, 0 the addresses are hidden (kernel.kptr_restrict, or not privileged), -1 kallsyms cannot be read. */
int kernel_text_find(struct kernel_text *text, const char *proc, struct error *err);

#endif
