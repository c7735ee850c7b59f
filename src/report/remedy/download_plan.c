/*
 * Wishes come from two passes: over functions without names, and over hot DSOs that lack source lines or
 * their file. Then each wish gets the executable, too, if that is gone, and wishes are sorted by samples.
 */
#include "report/remedy/download_plan.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "report/load/dso_samples.h"
#include "report/load/recorded_dsos.h"
#include "report/names/dso_symbols.h"
#include "report/remedy/name_gaps.h"
#include "symbol/recorded_file.h"

struct planning {
	struct download_plan *plan;
	const struct loaded_profile *loaded;
	const struct debug_file_search *search;
	double percent;
};

static struct download_wish *find_wish(struct download_plan *plan, const struct dso *dso)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->wishes[i].dso == dso)
			return &plan->wishes[i];
	return NULL;
}

static struct download_wish *wish_for(struct planning *planning, const struct dso *dso, uint64_t samples)
{
	struct download_plan *plan = planning->plan;
	struct download_wish *wish = find_wish(plan, dso);

	if (!wish) {
		wish = &plan->wishes[plan->count++];
		*wish = (struct download_wish){ .dso = dso };
	}
	if (samples > wish->samples)
		wish->samples = samples;
	return wish;
}

static bool can_be_asked_for(const struct dso *dso)
{
	return dso && dso->build_id.size >= 2 &&
	       (dso->kind == DSO_FILE || dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE);
}

static bool lacks_binary(const struct planning *planning, const struct dso *dso)
{
	uint32_t pids[DSO_MAPPERS + 1];
	const struct recorded_file recorded = { .path = dso->path, .build_id = dso->build_id, .pids = pids };

	dso_mappers(dso, pids);
	return dso->kind == DSO_FILE && !recorded_file_has_binary(&recorded, planning->search);
}

static bool lacks_symbols(const struct name_gap *gap)
{
	switch (gap->reason) {
	case NAME_GAP_GONE:
	case NAME_GAP_REPLACED:
	case NAME_GAP_UNREADABLE:
	case NAME_GAP_STRIPPED: return true;
	case NAME_GAP_NO_FILE: return true; /* of the kernel and its modules: others cannot be downloaded */
	default: return false;
	}
}

static void wish_for_names(struct planning *planning)
{
	struct name_gaps gaps;

	name_gaps_find(&gaps, planning->loaded, planning->percent);
	for (size_t i = 0; i < gaps.count; i++) {
		const struct name_gap *gap = &gaps.items[i];

		if (can_be_asked_for(gap->dso) && lacks_symbols(gap))
			wish_for(planning, gap->dso, gap->stack_samples)->debuginfo = true;
	}
	name_gaps_fini(&gaps);
}

static bool lacks_lines(const struct planning *planning, const struct dso *dso)
{
	struct symbol_table *table = dso_symbols_table(planning->loaded->symbolizer, dso);

	return dso->kind == DSO_FILE && table && !symbol_table_has_lines(table);
}

/* Stacks that end for lack of unwind information may go on once the file is there. */
static bool are_stacks_cut(const struct loaded_profile *loaded)
{
	return loaded->facts.stacks_ended[STACK_END_NO_CFI] > 0;
}

static void wish_for_more(struct planning *planning, bool lines)
{
	const double least = planning->percent * (double)planning->loaded->facts.samples / 100;
	const bool cut = are_stacks_cut(planning->loaded);
	struct recorded_dsos dsos;
	struct dso_samples samples;

	if (!cut && !lines)
		return;
	recorded_dsos_init(&dsos, planning->loaded);
	dso_samples_count(&samples, planning->loaded->profile, false);
	for (uint32_t i = 0; i < samples.none; i++) {
		const bool is_hot = samples.stack[i] && (double)samples.stack[i] >= least;
		const struct dso *dso = is_hot ? recorded_dsos_find(&dsos, i) : NULL;

		if (!can_be_asked_for(dso))
			continue;
		if (lines && lacks_lines(planning, dso))
			wish_for(planning, dso, samples.stack[i])->debuginfo = true;
		if (cut && lacks_binary(planning, dso))
			wish_for(planning, dso, samples.stack[i])->executable = true;
	}
	dso_samples_fini(&samples);
	recorded_dsos_fini(&dsos);
}

static int by_samples(const void *a, const void *b)
{
	const struct download_wish *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return x->dso->number < y->dso->number ? -1 : x->dso->number > y->dso->number;
}

void download_plan_make(struct download_plan *plan, const struct loaded_profile *loaded,
			const struct debug_file_search *search, double percent, bool lines)
{
	struct planning planning = { .plan = plan, .loaded = loaded, .search = search, .percent = percent };

	*plan = (struct download_plan){ .wishes = xcalloc((size_t)profile_dso_count(loaded->profile) + 1,
							  sizeof(*plan->wishes)) };
	wish_for_names(&planning);
	wish_for_more(&planning, lines);
	for (size_t i = 0; i < plan->count; i++)
		if (lacks_binary(&planning, plan->wishes[i].dso))
			plan->wishes[i].executable = true;
	qsort(plan->wishes, plan->count, sizeof(*plan->wishes), by_samples);
}

void download_plan_fini(struct download_plan *plan)
{
	free(plan->wishes);
}
