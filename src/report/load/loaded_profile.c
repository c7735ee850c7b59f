/* Releases a profile, or only its symbolizer. */
#include "report/load/loaded_profile.h"

#include "process/process_table.h"
#include "symbol/symbolizer.h"

void loaded_profile_close_names(struct loaded_profile *loaded)
{
	symbolizer_destroy(loaded->symbolizer);
	loaded->symbolizer = NULL;
}

void loaded_profile_fini(struct loaded_profile *loaded)
{
	profile_destroy(loaded->profile);
	loaded_profile_close_names(loaded);
	process_table_destroy(loaded->processes);
	profile_facts_fini(&loaded->facts);
	*loaded = (struct loaded_profile){ 0 };
}
