/* Releases a profile with its process table and symbol tables. */
#include "report/load/loaded_profile.h"

#include "process/process_table.h"
#include "symbol/symbolizer.h"

void loaded_profile_fini(struct loaded_profile *loaded)
{
	profile_destroy(loaded->profile);
	symbolizer_destroy(loaded->symbolizer);
	process_table_destroy(loaded->processes);
	profile_facts_fini(&loaded->facts);
	*loaded = (struct loaded_profile){ 0 };
}
