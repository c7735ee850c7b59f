#ifndef XPROF_RECORD_LIVE_CODE_H
#define XPROF_RECORD_LIVE_CODE_H

/*
 * Code that processes have made at run time, chunk by chunk as stacks lead there: read out of the living process, which is the
 * only place where it is. Compilers write code anew, so chunks are read again when they have become old.
 */

#include <stddef.h>
#include <stdint.h>

#include "unwind/module.h"

struct live_code;

/* NULL for a machine whose instructions are not followed to a return (unwind/code/code_exit.h). */
struct live_code *live_code_create(const struct unwind_arch *arch);
void live_code_destroy(struct live_code *code);

struct live_range { /* of addresses of the process */
	uint64_t start, end;
};

/* A chunk of code. What lies at `base`, which may be in front of it, has vaddr 0 of the module. */
struct live_piece {
	struct live_range range;
	uint64_t base;
	struct module *module;
};

/*
 * The chunk around an address of a process's memory, as far as it lies in the mapping; false: it cannot be read. Modules
 * live as long as the code.
 */
bool live_code_find(struct live_code *code, uint32_t pid, uint64_t address, const struct live_range *mapping,
		    struct live_piece *found);

/* From now on chunks are compared with what is in memory before they are used. */
void live_code_age(struct live_code *code);

/* How often that was said since there were any chunks: what was found before may be found otherwise now. */
uint32_t live_code_generation(const struct live_code *code);

/* Had it better be made anew, since most of its chunks may be of processes that have ended? */
bool live_code_is_full(const struct live_code *code);

#endif
