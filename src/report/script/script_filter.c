#include "report/script/script_filter.h"

bool script_filter_has_cpu(const struct script_filter *filter, uint32_t cpu)
{
	return !filter->choice.cpus.count || number_list_has(&filter->choice.cpus, cpu);
}

bool script_filter_passes(const struct script_filter *filter, const struct sample *sample, const char *comm)
{
	const struct sample_choice *choice = &filter->choice;

	if (filter->times.count && !time_ranges_contain(&filter->times, sample->time_ns))
		return false;
	if (!script_filter_has_cpu(filter, sample->cpu))
		return false;
	if ((choice->pids.count && !number_list_has(&choice->pids, sample->pid)) ||
	    (choice->tids.count && !number_list_has(&choice->tids, sample->tid)))
		return false;
	return !choice->comms.items || text_list_has(&choice->comms, comm);
}

bool script_filter_has_function(const struct script_filter *filter, const struct script_place *leaf)
{
	const struct text_list *symbols = &filter->choice.symbols;

	return !symbols->items || (leaf->has_symbol && text_list_has(symbols, leaf->symbol.name));
}
