/* Releases a profile with its process table and symbol tables. */
#include "report/load/loaded_profile.h"

#include "process/process_table.h"
#include "symbol/symbolizer.h"

void loaded_profile_drop_tables(struct loaded_profile *loaded)
{
	symbolizer_destroy(loaded->symbolizer);
	process_table_destroy(loaded->processes);
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
