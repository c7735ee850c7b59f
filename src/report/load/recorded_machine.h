#ifndef XPROF_REPORT_LOAD_RECORDED_MACHINE_H
#define XPROF_REPORT_LOAD_RECORDED_MACHINE_H

/*
 * The recorded machine, as far as the records tell: processes and their mappings, the code of JIT compilers,
 * and the unwind information of all this. Everything that reads the stacks of a recording uses it.
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

/*
 * Users access the parts directly. A user may take a part over by setting it to NULL, and then destroys it.
 * Must not be moved.
 */
struct recorded_machine {
	const struct perf_file *file;
	struct debug_file_search search;
	struct process_table *processes;
	struct jit_dumps *dumps;
	struct dso_modules *modules;
	struct dump_unwinder *unwinder; /* set by the owner, see recorded_machine_unwinder(); may be NULL */
};

/* Adds the build-ids in the file's features. The file and the search's strings are borrowed. */
void recorded_machine_init(struct recorded_machine *machine, const struct perf_file *file,
			   struct debug_file_search search);
void recorded_machine_fini(struct recorded_machine *machine);

/*
 * Creates an unwinder for the machine's stacks; destroy it before the other parts. Returns NULL as
 * dump_unwinder_create().
 */
struct dump_unwinder *recorded_machine_unwinder(const struct recorded_machine *machine,
						const struct unwind_options *options, pthread_mutex_t *lock,
						struct error *err);

/*
 * Applies a state record, valid from `time_ns` on; other records are ignored. Returns 0, or -1 if it is
 * damaged.
 */
int recorded_machine_apply(struct recorded_machine *machine, const struct event *event, uint64_t time_ns);

#endif
