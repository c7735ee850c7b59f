/* Releases a profile with its process table and symbol tables. */
#include "report/load/loaded_profile.h"

#include "process/process_table.h"
#include "symbol/symbolizer.h"
#include "unwind/process/dso_modules.h"

void loaded_profile_drop_tables(struct loaded_profile *loaded)
{
	dso_modules_destroy(loaded->modules);
	symbolizer_destroy(loaded->symbolizer);
	process_table_destroy(loaded->processes);
	loaded->modules = NULL;
	loaded->symbolizer = NULL;
	loaded->processes = NULL;
}

void loaded_profile_fini(struct loaded_profile *loaded)
{
	profile_destroy(loaded->profile);
	loaded_profile_drop_tables(loaded);
	profile_facts_fini(&loaded->facts);
	*loaded = (struct loaded_profile){ 0 };
}

/* Keeps it reachable: no checker takes it for a leak. */
static volatile struct loaded_profile left;

void loaded_profile_leave(struct loaded_profile *loaded)
{
	left = *loaded;
	*loaded = (struct loaded_profile){ 0 };
}
