/* Opens the files of a recording's DSOs for unwind/process/dso_modules, and reports which parts of them were used. */
#include "report/load/recorded_modules.h"

#include "report/names/dso_symbols.h"
#include "symbol/recorded_file.h"

/* The file may be reachable through any process that had it mapped, not only the one of the stack. */
static struct elf_file *open_recorded(const struct dso *dso, uint32_t pid,
				      const struct debug_file_search *search)
{
	uint32_t pids[DSO_MAPPERS + 1];
	const struct recorded_file recorded = {
		.path = dso->path, .build_id = dso->build_id, .pids = pids, .is_vdso = dso->kind == DSO_VDSO
	};

	(void)pid;
	dso_mappers(dso, pids);
	return recorded_file_open(&recorded, search, NULL);
}

struct dso_modules *recorded_modules_create(const struct debug_file_search *search)
{
	const struct module_source source = { .open = open_recorded, .search = search, .max_attempts = 1 };

	return dso_modules_create(&source);
}

static void add_start(void *context, uint64_t start)
{
	object_need_add(context, OBJECT_NEED_FRAMES, start);
}

static void add_function(void *context, uint64_t start, uint64_t end)
{
	object_need_add(context, OBJECT_NEED_FUNCTION_START, start);
	object_need_add(context, OBJECT_NEED_FUNCTION_END, end);
}

void recorded_modules_tell_needs(const struct dso_modules *modules, const struct process_table *processes,
				 struct object_needs *needs)
{
	for (uint32_t i = 0; i < process_table_dso_count(processes); i++) {
		struct module *module = dso_modules_own(modules, i);
		struct symbol_object object;

		if (!module || !dso_symbols_object(process_table_dso(processes, i), &object))
			continue;
		module_visit_used(module, add_start, object_needs_of(needs, &object));
		module_visit_code(module, add_function, object_needs_of(needs, &object));
	}
}
