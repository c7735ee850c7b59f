#ifndef XPROF_UNWIND_PROCESS_UNWIND_PLACE_H
#define XPROF_UNWIND_PROCESS_UNWIND_PLACE_H

/*
 * Finds mappings for an unwinder in the memory of a process at the time of a sample: the process table has what is mapped
 * at an address, dso_modules how to unwind there.
 *
 *	struct unwind_place place = { .processes = processes, .modules = modules, .pid = pid, .time_ns = time_ns };
 *	struct unwind_input input = { .find_mapping = unwind_place_find, .context = &place, … };
 */

#include <pthread.h>

#include "process/process_table.h"
#include "unwind/process/dso_modules.h"
#include "unwind/unwind_stack.h"

struct unwind_place {
	const struct process_table *processes;
	struct dso_modules *modules;
	/* protects the process table and calls of find_code(); NULL: there is only one thread */
	pthread_mutex_t *lock;
	/* Sets `found` (range, bias, module) for an address in run-time code, if that is known. May be NULL. */
	void (*find_code)(const struct unwind_place *place, const struct mapping *mapping, uint64_t address,
			  struct unwind_mapping *found);
	void *context; /* for find_code() */
	uint32_t pid;
	uint64_t time_ns;
};

/* An unwind_find_mapping; `place` is a struct unwind_place. Files are opened after the lock is released. */
bool unwind_place_find(void *place, uint64_t address, struct unwind_mapping *found);

#endif
