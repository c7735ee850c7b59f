#ifndef XPROF_REPORT_LOAD_RECORDED_MACHINE_H
#define XPROF_REPORT_LOAD_RECORDED_MACHINE_H

/*
 * The machine that was recorded, as far as the records tell: processes and what they had mapped, the code of
 * JIT compilers, and the unwind information of all that. Used by everything that reads a recording's stacks.
 *
 *	recorded_machine_init(&machine, file, search);
 *	machine.unwinder = recorded_machine_unwinder(&machine, &unwinding, err);
 *	… recorded_machine_apply(&machine, event, time_ns); …
 *	recorded_machine_fini(&machine);
 */

#include "elf/debug_file.h"
#include "format/perf_file.h"
#include "process/process_table.h"
#include "report/load/dump_unwinder.h"
#include "report/load/jit_dumps.h"

/* Its parts are used as they are. One that was taken away is NULL: its new owner destroys it. Does not move. */
struct recorded_machine {
	const struct perf_file *file;
	struct debug_file_search search;
	struct process_table *processes;
	struct jit_dumps *dumps;
	struct dso_modules *modules;
	struct dump_unwinder *unwinder; /* set by the owner, see recorded_machine_unwinder(); may be NULL */
};

/* Knows the build-ids that the file's features tell. The search's strings are borrowed. */
void recorded_machine_init(struct recorded_machine *machine, const struct perf_file *file,
			   struct debug_file_search search);
void recorded_machine_fini(struct recorded_machine *machine);

/* For the machine's stacks, to be destroyed before its other parts. NULL: as dump_unwinder_create(). */
struct dump_unwinder *recorded_machine_unwinder(const struct recorded_machine *machine,
						const struct unwind_options *options, pthread_mutex_t *lock,
						struct error *err);

/* Applies a state record, from `time_ns` on; other records are ignored. -1 if it is damaged. */
int recorded_machine_apply(struct recorded_machine *machine, const struct event *event, uint64_t time_ns);

#endif
