#ifndef XPROF_RECORD_LIVE_CODE_H
#define XPROF_RECORD_LIVE_CODE_H

/*
 * Code that processes have made at run time, chunk by chunk as stacks lead there: read out of the living process, which is the
 * only place where it is. Compilers write code anew, so chunks are read again when they have become old.
 */

#include <stddef.h>
#include <stdint.h>

#include "record/stack/mapping_log.h"
#include "unwind/module.h"

struct live_code;

/* NULL for a machine whose instructions are not followed to a return (unwind/code/code_exit.h). */
struct live_code *live_code_create(const struct unwind_arch *arch);
void live_code_destroy(struct live_code *code);

struct live_range { /* of addresses of the process */
	uint64_t start, end;
};

/* A chunk of code. The address `base`, which may lie in front of it, is vaddr 0 of the module. */
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

/* Changes when what was found before may be found otherwise now. */
uint32_t live_code_generation(const struct live_code *code);

/*
 * A sample is processed some time after it was taken. The code read then is the code that ran, unless other
 * code has replaced it in between. Two signs tell:
 *
 *	records		memory was mapped, or got another protection. Compilers change that all the time while the code
 *			stays, or map other code where some was unmapped: bytes that are as they were before the sample
 *			tell the one from the other
 *	bytes		that are not what they were. Compilers write addresses into code that stays what it is, so it only
 *			matters where a stack comes out otherwise
 */

/* A mapping of a process that was told of; executable ones are of memory in which code is made. */
void live_code_note_mapping(struct live_code *code, uint32_t pid, const struct logged_mapping *mapping,
			    bool executable);

/*
 * A round of the recorder begins. Its samples are those taken up to when the first of them is looked at, so they, and perhaps
 * some of the next round's, are older than what is read from now on.
 */
void live_code_begin_round(struct live_code *code);

/* Did a process lately begin to make code, or replace some that stacks led through? The sooner it is read, the better. */
bool live_code_is_new(const struct live_code *code);

/* The same, but longer ago: others may follow, and live for a short time only. */
bool live_code_was_new_lately(const struct live_code *code);

enum live_state {
	LIVE_SAME,
	LIVE_CHANGED, /* and was read again: live_code_find() gives what is there now */
	LIVE_GONE,    /* it cannot be read any more */
};

/*
 * Compares what is around the addresses with what is in memory now, or was there earlier in this round, which was after
 * all its samples. `time_ns` is that of the sample whose stack leads there.
 */
enum live_state live_code_recheck(struct live_code *code, uint32_t pid, uint64_t time_ns,
				  const uint64_t *addresses, size_t count);

/* The changed code that the last comparison, of these addresses, found led to another stack. */
void live_code_note_replaced(struct live_code *code, uint32_t pid, const uint64_t *addresses, size_t count);

/*
 * Was the code around the address, which was compared with that outcome, the same at the time of a sample of this round?
 * All records up to now have to be noted.
 */
bool live_code_vouches(const struct live_code *code, uint32_t pid, uint64_t address, uint64_t time_ns,
		       enum live_state state);

/* Had it better be made anew, since most of its chunks may be of processes that have ended? */
bool live_code_is_full(const struct live_code *code);

#endif
