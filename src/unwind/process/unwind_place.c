/* Looks up the process table, then the modules: see unwind_place.h. */
#include "unwind/process/unwind_place.h"

bool unwind_place_find(void *context, uint64_t address, struct unwind_mapping *found)
{
	const struct unwind_place *place = context;
	struct mapping mapping;
	struct dso dso; /* a copy: records may change the DSO once the lock is released */
	bool is_mapped;

	if (place->lock)
		pthread_mutex_lock(place->lock);
	is_mapped = process_table_find_range(place->processes, place->pid, place->time_ns, address, &mapping);
	if (is_mapped) {
		dso = *mapping.dso;
		*found = (struct unwind_mapping){ .start = mapping.start,
						  .end = mapping.end,
						  .executable = mapping_may_have_code(&mapping) };
		if (place->find_code)
			place->find_code(place, &mapping, address, found);
	}
	if (place->lock)
		pthread_mutex_unlock(place->lock);
	if (is_mapped && !found->module) {
		found->module = dso_modules_get(place->modules, &dso, place->pid);
		unwind_mapping_place(found, mapping.file_offset);
	}
	return is_mapped;
}
