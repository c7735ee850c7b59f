#ifndef XPROF_TEST_SUPPORT_LIBDW_RULES_H
#define XPROF_TEST_SUPPORT_LIBDW_RULES_H

/* An oracle for unwind rules: libdw's dwarf_cfi_addrframe() for the same address. */

#include "unwind/module.h"

struct libdw_comparison {
	const char *path;
	size_t stride; /* compares every stride-th row of .eh_frame */

	size_t row_count, compared, different;
	size_t expressions; /* compared only by kind: neither side reduces them to a simple rule */
	char first_difference[512];
};

/* 0; -1 if the file cannot be read (first_difference has the reason). */
int libdw_rules_compare(struct libdw_comparison *comparison);

#endif
