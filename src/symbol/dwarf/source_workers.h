#ifndef XPROF_SYMBOL_SOURCE_WORKERS_H
#define XPROF_SYMBOL_SOURCE_WORKERS_H

/* Many questions at once, answered by several threads: each unit is read by one of them, once for all its addresses. */

#include "symbol/dwarf/source_answers.h"

struct source_question {
	uint64_t vaddr;
	uint32_t unit; /* its number in the context's file */
};

/* The results of one thread; freed when it returns. */
typedef void source_workers_take(void *taker, const struct source_answers *answers);

/* Sorts the questions; of equal ones one is answered. `take` is called by this thread. */
void source_workers_ask(const struct unit_context *context, struct source_question *questions, size_t count,
			source_workers_take *take, void *taker);

#endif
