/*
 * explain() finds the reason: it asks the symbol table first, then for the state of the file if the table has no names. The
 * numbers of samples are those of dso_samples.h, counted for functions without names only.
 */
#include "report/remedy/name_gaps.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "report/load/dso_samples.h"
#include "report/load/recorded_dsos.h"
#include "report/names/dso_symbols.h"
#include "symbol/symbol_archive.h"

/* --- the reason ---------------------------------------------------------------------------------------------- */

/* The state of the file on the machine that the profile's names come from. */
static enum recorded_file_state state_of(const struct loaded_profile *loaded,
					 const struct symbol_table *table, const struct dso *dso)
{
	const struct recorded_file recorded = { .path = dso->path, .build_id = dso->build_id };
	const struct archived_object *archived = symbol_table_archived(table);

	if (symbolizer_archive(loaded->symbolizer))
		return archived ? archived->state : RECORDED_FILE_GONE;
	return recorded_file_state(&recorded, symbolizer_search(loaded->symbolizer));
}

static enum name_gap_reason reason_of_file(const struct loaded_profile *loaded,
					   const struct symbol_table *table, const struct dso *dso,
					   bool has_names)
{
	if (has_names)
		return symbol_table_is_full(table) ? NAME_GAP_UNCOVERED : NAME_GAP_STRIPPED;
	return (enum name_gap_reason)state_of(loaded, table, dso);
}

static void explain(struct name_gap *gap, const struct loaded_profile *loaded)
{
	struct symbol_table *table = gap->dso ? dso_symbols_table(loaded->symbolizer, gap->dso) : NULL;
	const char *why = "";
	const bool has_names = table && symbol_table_source(table, &why);

	gap->why = has_names ? "" : why;
	if (!gap->dso)
		gap->reason = NAME_GAP_UNMAPPED;
	else if (gap->dso->kind == DSO_FILE)
		gap->reason = reason_of_file(loaded, table, gap->dso, has_names);
	else if (has_names)
		gap->reason = NAME_GAP_UNCOVERED;
	else
		gap->reason = gap->dso->kind == DSO_ANON ? NAME_GAP_NO_MAP : NAME_GAP_NO_FILE;
}

/* --- all gaps ------------------------------------------------------------------------------------------------- */

static int by_samples(const void *a, const void *b)
{
	const struct name_gap *x = a, *y = b;

	if (x->self_samples != y->self_samples)
		return x->self_samples < y->self_samples ? 1 : -1;
	if (x->stack_samples != y->stack_samples)
		return x->stack_samples < y->stack_samples ? 1 : -1;
	return x->profile_dso < y->profile_dso ? -1 : x->profile_dso > y->profile_dso;
}

/* Callers in no mapping are what a register held where a stack broke off: they do not count. */
static uint64_t samples_of(const struct dso_samples *counts, uint32_t dso)
{
	return dso == counts->none ? counts->self[dso] : counts->stack[dso];
}

static void add(struct name_gaps *gaps, const struct loaded_profile *loaded, const struct recorded_dsos *dsos,
		const struct dso_samples *counts, uint32_t dso)
{
	struct name_gap *gap = &gaps->items[gaps->count++];

	*gap = (struct name_gap){ .profile_dso = PROFILE_NONE,
				  .self_samples = counts->self[dso],
				  .stack_samples = samples_of(counts, dso) };
	if (dso != counts->none) {
		gap->profile_dso = dso;
		gap->dso = recorded_dsos_find(dsos, dso);
	}
	explain(gap, loaded);
}

void name_gaps_find(struct name_gaps *gaps, const struct loaded_profile *loaded, double percent)
{
	const double least = percent * (double)loaded->facts.samples / 100;
	struct recorded_dsos dsos;
	struct dso_samples counts;

	*gaps = (struct name_gaps){ .items = NULL };
	if (!loaded->symbolizer)
		return;
	recorded_dsos_init(&dsos, loaded);
	dso_samples_count(&counts, loaded->profile, true);
	*gaps = (struct name_gaps){ .items = xcalloc((size_t)counts.none + 1, sizeof(*gaps->items)) };
	for (uint32_t i = 0; i <= counts.none; i++) {
		const uint64_t samples = samples_of(&counts, i);

		if (samples && (double)samples >= least)
			add(gaps, loaded, &dsos, &counts, i);
		else if (samples)
			gaps->small_count++;
	}
	qsort(gaps->items, gaps->count, sizeof(*gaps->items), by_samples);
	dso_samples_fini(&counts);
	recorded_dsos_fini(&dsos);
}

void name_gaps_fini(struct name_gaps *gaps)
{
	free(gaps->items);
}
