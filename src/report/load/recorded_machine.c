/* Holds what every reader of stacks needs to know about the recorded machine, and updates it record by record. */
#include "report/load/recorded_machine.h"

#include "report/load/file_facts.h"
#include "report/load/recorded_modules.h"

void recorded_machine_init(struct recorded_machine *machine, const struct perf_file *file,
			   struct debug_file_search search)
{
	*machine = (struct recorded_machine){ .file = file, .search = search };
	machine->processes = process_table_create();
	machine->dumps = jit_dumps_create(&machine->search);
	machine->modules = recorded_modules_create(&machine->search);
	file_facts_learn_build_ids(file, machine->processes);
}

void recorded_machine_fini(struct recorded_machine *machine)
{
	dump_unwinder_destroy(machine->unwinder);
	dso_modules_destroy(machine->modules);
	jit_dumps_destroy(machine->dumps);
	process_table_destroy(machine->processes);
	*machine = (struct recorded_machine){ 0 };
}

struct dump_unwinder *recorded_machine_unwinder(const struct recorded_machine *machine,
						const struct unwind_options *options, pthread_mutex_t *lock,
						struct error *err)
{
	const struct dump_unwinder_source source = { .processes = machine->processes,
						     .modules = machine->modules,
						     .dumps = machine->dumps,
						     .features = perf_file_features(machine->file),
						     .options = *options,
						     .lock = lock };

	return dump_unwinder_create(&source, err);
}

int recorded_machine_apply(struct recorded_machine *machine, const struct event *event, uint64_t time_ns)
{
	if (process_table_apply(machine->processes, event, time_ns, NULL) != 0)
		return -1;
	jit_dumps_apply(machine->dumps, machine->processes, event, time_ns,
			file_facts_clock_is_monotonic(machine->file));
	return 0;
}
