#ifndef XPROF_TEST_SUPPORT_BUILT_MODULE_H
#define XPROF_TEST_SUPPORT_BUILT_MODULE_H

/* A module whose call frame information is written by a test: fill the builder first, then make the module. */

#include "support/cfi_builder.h"
#include "unwind/module.h"

struct built_module {
	struct cfi_builder builder; /* for x86-64, unless it begins with another machine */
	struct module *module;      /* NULL until made; a test may make it in its own way */
};

/* Set-up and tear-down of a test whose state is a built module. */
int built_module_set_up(void **state);
int built_module_tear_down(void **state);

/* Empties the builder. */
void built_module_begin(struct built_module *built, uint16_t machine);

/* Makes module number 3 from the builder, in place of the one before. */
void built_module_make(struct built_module *built);

/* The offset in the CFA's rule; -1 if there is no rule. */
int built_module_cfa_offset(const struct built_module *built, uint64_t vaddr, bool is_return_address);

#endif
