#ifndef XPROF_TEST_SUPPORT_LIBDW_RULES_H
#define XPROF_TEST_SUPPORT_LIBDW_RULES_H

/* The oracle for unwind rules: what libdw's dwarf_cfi_addrframe() says of the same address. */

#include "unwind/module.h"

struct libdw_comparison {
	const char *path;
	size_t stride; /* compare every so many-th row of .eh_frame */

	size_t row_count, compared, different;
	size_t expressions; /* compared in kind alone: neither side reduces them to a simple rule */
	char first_difference[512];
};

/* 0; -1 when the file cannot be read (first_difference says why). */
int libdw_rules_compare(struct libdw_comparison *comparison);

#endif
