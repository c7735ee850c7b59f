#ifndef XPROF_TEST_SUPPORT_BUILT_MODULE_H
#define XPROF_TEST_SUPPORT_BUILT_MODULE_H

/* A module whose call frame information a test writes itself: first what the builder shall hold, then the module. */

#include "support/cfi_builder.h"
#include "unwind/module.h"

struct built_module {
	struct cfi_builder builder; /* x86-64's, unless it begins with another machine */
	struct module *module;      /* NULL until it is made, which a test may do in its own way */
};

/* The set-up and the tear-down of a test whose state is a built module. */
int built_module_set_up(void **state);
int built_module_tear_down(void **state);

/* The builder holds nothing again. */
void built_module_begin(struct built_module *built, uint16_t machine);

/* The module of what the builder holds, number 3, in place of the one before. */
void built_module_make(struct built_module *built);

/* The offset of the CFA's rule; -1: nothing is known. */
int built_module_cfa_offset(const struct built_module *built, uint64_t vaddr, bool is_return_address);

#endif
