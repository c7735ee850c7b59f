#ifndef XPROF_RECORD_LIVE_CODE_H
#define XPROF_RECORD_LIVE_CODE_H

/*
 * Code that processes have made at run time, page by page as stacks lead there: read out of the living process, which is the
 * only place where it is. Compilers write code anew, so pages are read again when they have become old.
 */

#include <stddef.h>
#include <stdint.h>

#include "unwind/module.h"

struct live_code;

/* NULL for a machine whose instructions are not followed to a return (unwind/code_exit.h). */
struct live_code *live_code_create(const struct unwind_arch *arch);
void live_code_destroy(struct live_code *code);

/* A page of code. What lies at `base` has vaddr 0 of the module. */
struct live_page {
	uint64_t start, end; /* of the addresses that it is for */
	uint64_t base;
	struct module *module;
};

/* The page around an address of a process's memory; false: it cannot be read. Modules live as long as the code. */
bool live_code_find(struct live_code *code, uint32_t pid, uint64_t address, struct live_page *found);

/* From now on pages are compared with what is in memory before they are used. */
void live_code_age(struct live_code *code);

/* How often that was said since there were any pages: what was found before may be found otherwise now. */
uint32_t live_code_generation(const struct live_code *code);

/* Had it better be made anew, since most of its pages may be of processes that have ended? */
bool live_code_is_full(const struct live_code *code);

#endif
