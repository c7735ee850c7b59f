#ifndef XPROF_RECORD_LIVE_CODE_H
#define XPROF_RECORD_LIVE_CODE_H

/*
 * Code that processes made at run time, read chunk by chunk from the running process when stacks lead there, because it is
 * nowhere else. Run-time compilers change code, so old chunks are read again.
 */

#include <stddef.h>
#include <stdint.h>

#include "record/stack/mapping_log.h"
#include "unwind/module.h"

struct live_code;

/* Returns NULL for a machine whose instructions cannot be followed to a return (unwind/code/code_exit.h). */
struct live_code *live_code_create(const struct unwind_arch *arch);
void live_code_destroy(struct live_code *code);

struct live_range { /* addresses of the process; end exclusive */
	uint64_t start, end;
};

/* A chunk of code. `base`, which may be before the chunk, is the address with vaddr 0 in the module. */
struct live_piece {
	struct live_range range;
	uint64_t base;
	struct module *module;
};

/*
 * Finds the chunk around an address of a process, limited to `mapping`. Returns false if it cannot be read. Modules live as
 * long as `code`, or until live_code_shrink().
 */
bool live_code_find(struct live_code *code, uint32_t pid, uint64_t address, const struct live_range *mapping,
		    struct live_piece *found);

/* From now on chunks are compared with the process's memory before they are used. */
void live_code_age(struct live_code *code);

/* A number that changes when earlier results of live_code_find() may no longer be valid. */
uint32_t live_code_generation(const struct live_code *code);

/*
 * A sample is processed some time after it was taken. The code that is read then is the code that ran, unless other code has
 * replaced it in between. Two signs tell:
 *
 *	records		memory was mapped, or its protection changed. Compilers change the protection all the time while the
 *			code stays, or map other code where some was unmapped. So the bytes decide: if they are as before the
 *			sample, the code has stayed
 *	bytes		they have changed. Compilers write addresses into code that otherwise stays the same, so a change only
 *			matters if the stack becomes a different one
 */

/* Notes a mapping of a process from a record. Executable memory may get code made at run time. */
void live_code_note_mapping(struct live_code *code, uint32_t pid, const struct logged_mapping *mapping,
			    bool executable);

/*
 * Begins a round of the recorder. The samples of a round are those taken before its first one is looked at; so they, and
 * perhaps some of the next round, are older than memory that is read from now on.
 */
void live_code_begin_round(struct live_code *code);

/* Has a process just begun to make code, or replaced code that stacks led through? If so, read it soon. */
bool live_code_is_new(const struct live_code *code);

/* The same for a longer time back: other processes may begin, too, and live for a short time only. */
bool live_code_was_new_lately(const struct live_code *code);

enum live_state {
	LIVE_SAME,
	LIVE_CHANGED, /* and was read again: live_code_find() now finds the new code */
	LIVE_GONE,    /* it cannot be read any more */
};

/*
 * Compares the code around the addresses with the process's memory, as it is now or was earlier in this round, after all its
 * samples. `time_ns` is the time of the sample whose stack leads there.
 */
enum live_state live_code_recheck(struct live_code *code, uint32_t pid, uint64_t time_ns,
				  const uint64_t *addresses, size_t count);

/* Notes that the code which the last live_code_recheck() of these addresses found changed led to another stack. */
void live_code_note_replaced(struct live_code *code, uint32_t pid, const uint64_t *addresses, size_t count);

/*
 * Was the code around `address` the same at the time of a sample of this round? `state` is the result of live_code_recheck()
 * for it. All records so far must be noted before.
 */
bool live_code_was_same(const struct live_code *code, uint32_t pid, uint64_t address, uint64_t time_ns,
			enum live_state state);

/*
 * Whether code that has vanished or is not used may take much memory; live_code_shrink() frees it. Pointers from live_code_find()
 * are invalid afterwards.
 */
bool live_code_is_large(const struct live_code *code);
void live_code_shrink(struct live_code *code);

/* Are there so many chunks, most of them perhaps of ended processes, that the caller should create a new live_code? */
bool live_code_is_full(const struct live_code *code);

#endif
