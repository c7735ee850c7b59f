#include "report/name_gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/dso_samples.h"
#include "report/profile_namer.h"
#include "symbol/recorded_file.h"

/* --- why ------------------------------------------------------------------------------------------------ */

const struct dso *name_gaps_recorded_dso(const struct loaded_profile *loaded, uint32_t profile_dso)
{
	const struct profile_dso *wanted = profile_dso_at(loaded->profile, profile_dso);
	const char *path = profile_text(loaded->profile, wanted->path);
	const char *name = profile_text(loaded->profile, wanted->name);
	const char *build_id = profile_text(loaded->profile, wanted->build_id);
	char hex[BUILD_ID_HEX_SIZE];

	for (size_t i = 0; i < process_table_dso_count(loaded->processes); i++) {
		const struct dso *dso = process_table_dso(loaded->processes, (uint32_t)i);

		if (strcmp(dso->path, path) == 0 && strcmp(dso->name, name) == 0 &&
		    strcmp(build_id_hex(&dso->build_id, hex), build_id) == 0)
			return dso;
	}
	return NULL;
}

static enum name_gap_reason reason_of_file(const struct symbol_table *table, const struct dso *dso,
					   const char *symfs, bool has_names)
{
	const struct recorded_file recorded = { .path = dso->path, .build_id = dso->build_id };

	if (has_names)
		return symbol_table_is_full(table) ? NAME_GAP_UNCOVERED : NAME_GAP_STRIPPED;
	switch (recorded_file_state(&recorded, symfs)) {
	case RECORDED_FILE_GONE: return NAME_GAP_GONE;
	case RECORDED_FILE_REPLACED: return NAME_GAP_REPLACED;
	case RECORDED_FILE_UNREADABLE: return NAME_GAP_UNREADABLE;
	default: return NAME_GAP_STRIPPED;
	}
}

static void explain(struct name_gap *gap, const struct loaded_profile *loaded)
{
	struct symbol_table *table = gap->dso ? profile_namer_table(loaded->symbolizer, gap->dso) : NULL;
	const char *why = "";
	const bool has_names = table && symbol_table_source(table, &why);

	gap->why = has_names ? "" : why;
	if (!gap->dso)
		gap->reason = NAME_GAP_UNMAPPED;
	else if (gap->dso->kind == DSO_FILE)
		gap->reason =
			reason_of_file(table, gap->dso, symbolizer_symfs(loaded->symbolizer), has_names);
	else if (has_names)
		gap->reason = NAME_GAP_UNCOVERED;
	else
		gap->reason = gap->dso->kind == DSO_ANON ? NAME_GAP_NO_MAP : NAME_GAP_NO_FILE;
}

/* --- all -------------------------------------------------------------------------------------------------- */

static int by_samples(const void *a, const void *b)
{
	const struct name_gap *x = a, *y = b;

	if (x->self_samples != y->self_samples)
		return x->self_samples < y->self_samples ? 1 : -1;
	if (x->stack_samples != y->stack_samples)
		return x->stack_samples < y->stack_samples ? 1 : -1;
	return x->profile_dso < y->profile_dso ? -1 : x->profile_dso > y->profile_dso;
}

void name_gaps_find(struct name_gaps *gaps, const struct loaded_profile *loaded)
{
	struct dso_samples counts;

	dso_samples_count(&counts, loaded->profile, true);
	*gaps = (struct name_gaps){ .items = xcalloc((size_t)counts.none + 1, sizeof(*gaps->items)) };
	for (uint32_t i = 0; i <= counts.none; i++) {
		struct name_gap *gap = &gaps->items[gaps->count];

		/* Callers in no mapping are what a register held where a stack broke off. */
		if (!counts.self[i] && (i == counts.none || !counts.stack[i]))
			continue;
		*gap = (struct name_gap){ .profile_dso = i == counts.none ? PROFILE_NONE : i,
					  .self_samples = counts.self[i],
					  .stack_samples =
						  i == counts.none ? counts.self[i] : counts.stack[i] };
		if (i != counts.none)
			gap->dso = name_gaps_recorded_dso(loaded, i);
		explain(gap, loaded);
		gaps->count++;
	}
	qsort(gaps->items, gaps->count, sizeof(*gaps->items), by_samples);
	dso_samples_fini(&counts);
}

void name_gaps_fini(struct name_gaps *gaps)
{
	free(gaps->items);
}
