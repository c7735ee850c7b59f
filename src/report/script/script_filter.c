/* Each test is a look-up in one list of the options. Functions may be given as addresses, with --addr-range as ranges. */
#include "report/script/script_filter.h"

#include <stdlib.h>
#include <string.h>

#include "report/view/event_choice.h"

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

bool script_filter_has_event(const struct script_filter *filter, const char *name)
{
	return !filter->choice.event || event_choice_is_named(name, filter->choice.event);
}

bool script_filter_has_wait(const struct script_filter *filter, const char *event_name,
			    const struct sample *sample)
{
	return wait_choice_keeps(&filter->choice.waits, event_name, sample);
}

/* Parses "0x401136". Returns -1 if the text is no address. */
static int parse_address(const char *text, uint64_t *address)
{
	char *end;

	if (strncmp(text, "0x", 2) != 0)
		return -1;
	*address = strtoull(text, &end, 16);
	return *end || end == text + 2 ? -1 : 0;
}

static bool has_function(const struct script_filter *filter, const struct script_place *leaf, uint64_t ip)
{
	const struct text_list *symbols = &filter->choice.symbols;
	uint64_t address;

	if (leaf->has_symbol && text_list_has(symbols, leaf->symbol.name))
		return true;
	for (size_t i = 0; i < symbols->count; i++) {
		if (parse_address(symbols->items[i], &address) != 0)
			continue;
		if (leaf->has_symbol && leaf->symbol.start == address)
			return true;
		if (ip >= address && ip - address <= filter->address_range)
			return true;
	}
	return false;
}

bool script_filter_has_place(const struct script_filter *filter, const struct script_place *leaf, uint64_t ip)
{
	const struct sample_choice *choice = &filter->choice;

	if (choice->dsos.items && !(leaf->dso && (text_list_has(&choice->dsos, leaf->dso->name) ||
						  text_list_has(&choice->dsos, leaf->dso->path))))
		return false;
	return !choice->symbols.items || has_function(filter, leaf, ip);
}
