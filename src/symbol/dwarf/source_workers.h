#ifndef XPROF_SYMBOL_SOURCE_WORKERS_H
#define XPROF_SYMBOL_SOURCE_WORKERS_H

/* Looks up many addresses in several threads: each unit is read by one thread, once for all its addresses. */

#include "symbol/dwarf/source_answers.h"

struct source_question {
	uint64_t vaddr;
	uint32_t unit; /* number of the unit in the context's file */
};

/* Receives the results of one thread, which are freed when it returns. */
typedef void source_workers_take(void *taker, const struct source_answers *answers);

/* Sorts the questions, and answers equal ones once. Calls `take` in the calling thread. */
void source_workers_ask(const struct unit_context *context, struct source_question *questions, size_t count,
			source_workers_take *take, void *taker);

#endif
