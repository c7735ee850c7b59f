/*
 * Three passes fill in the rows: over the groups, over the DSOs' counts of samples, and over the skips. Meanwhile rows are found
 * by name; at the end they are sorted.
 */
#include "report/diff/ways_summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Rows while they are found by name. */
struct row_index {
	struct ways_rows *rows;
	struct hash_table table;
};

struct row_key {
	const char *name, *dso;
};

static bool texts_equal(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool row_equal(const void *items, uint32_t item, const void *key)
{
	const struct ways_row *row = (const struct ways_row *)items + item;
	const struct row_key *wanted = key;

	return !strcmp(row->name, wanted->name) && texts_equal(row->dso, wanted->dso);
}

static struct ways_row *find_row(struct row_index *index, const char *name, const char *dso)
{
	const struct row_key key = { name, dso };
	struct ways_rows *rows = index->rows;
	uint64_t hash = hash_bytes(name, strlen(name));
	uint32_t number;

	if (dso)
		hash = hash_combine(hash, hash_bytes(dso, strlen(dso)));
	number = hash_table_find(&index->table, hash, row_equal, rows->list, &key);
	if (number == HASH_TABLE_NONE) {
		rows->list = array_grow(rows->list, &rows->capacity, rows->count + 1, sizeof(*rows->list));
		number = (uint32_t)rows->count++;
		rows->list[number] =
			(struct ways_row){ .name = xstrdup(name), .dso = dso ? xstrdup(dso) : NULL };
		hash_table_insert(&index->table, hash, number);
	}
	return &rows->list[number];
}

/* If a chain ends where threads begin, its missing start-up frames do not count. */
static void add_group(struct ways_sums *sums, const struct ways_group *group, enum chain_fault fault,
		      bool to_start)
{
	uint64_t start_up = to_start ? group->samples * group->end_missing : 0;

	sums->samples += group->samples;
	sums->by_fault[fault] += group->samples;
	sums->frames += group->frames - start_up;
	sums->missing += group->missing - start_up;
	sums->wrong += group->wrong;
}

/* --- by command, DSO and function ----------------------------------------------- */

struct making {
	struct ways_summary *summary;
	const struct unwind_ways *ways;
	const struct way_names *names;
	struct row_index comms, dsos, functions, skipped;
	struct strbuf text;
};

static const char *function_text(struct making *making, const struct ways_place *place)
{
	strbuf_reset(&making->text);
	way_names_add(&making->text, making->names, place);
	return making->text.bytes;
}

static bool is_fault(enum chain_fault fault)
{
	return fault == CHAIN_SKIPS || fault == CHAIN_ENDS || fault == CHAIN_STRAYS;
}

/* A chain agrees with an incomplete stack if it agrees up to the end of the stack. */
static enum chain_fault fault_of(const struct ways_group *group, bool to_start)
{
	if (to_start && group->fault == CHAIN_ENDS)
		return CHAIN_AGREES;
	return group->fault == CHAIN_AGREES && !group->rooted ? CHAIN_FARTHER : group->fault;
}

static void take_groups(struct making *making)
{
	const struct intern_table *groups = &making->ways->groups;

	for (size_t i = 0; i < groups->count; i++) {
		const struct ways_group *group = (const struct ways_group *)groups->items + i;
		bool to_start = unwind_ways_ends_at_start(group, making->names);
		enum chain_fault fault = fault_of(group, to_start);
		const char *dso = way_names_dso(making->names, group->at.dso);

		add_group(&making->summary->all, group, fault, to_start);
		making->summary->dump_too_short += group->rooted ? 0 : group->samples;
		add_group(
			&find_row(&making->comms, str_pool_text(making->ways->texts, group->comm), NULL)->sums,
			group, fault, to_start);
		if (!is_fault(fault))
			continue;
		add_group(&find_row(&making->dsos, dso, NULL)->sums, group, fault, to_start);
		add_group(&find_row(&making->functions, function_text(making, &group->at), dso)->sums, group,
			  fault, to_start);
	}
}

/* Counts the samples that contain frames of a DSO. DSOs of one name share a row, which may count a sample twice. */
static void count_samples_of_dsos(struct making *making)
{
	for (size_t i = 0; i < making->ways->dso_capacity; i++)
		if (making->ways->dsos[i].samples)
			find_row(&making->dsos, way_names_dso(making->names, (uint32_t)i), NULL)->in_samples +=
				making->ways->dsos[i].samples;
}

/* --- skipped functions ------------------------------------------------------------- */

static int by_function(const void *one, const void *other)
{
	const struct ways_skip *a = one, *b = other;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	if (a->at.dso != b->at.dso)
		return a->at.dso < b->at.dso ? -1 : 1;
	return a->at.address < b->at.address ? -1 : a->at.address > b->at.address;
}

/* A caller that was skipped behind a function, to find the most frequent one for each function. */
struct skip_pair {
	size_t row; /* index in skipped_behind */
	char *skipped;
	uint64_t samples;
};

static int by_row_and_name(const void *one, const void *other)
{
	const struct skip_pair *a = one, *b = other;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return strcmp(a->skipped, b->skipped);
}

static void keep_most_frequent(struct making *making, struct skip_pair *pairs, size_t count)
{
	size_t i, next;

	if (count)
		qsort(pairs, count, sizeof(*pairs), by_row_and_name);
	for (i = 0; i < count; i = next) {
		struct ways_row *row = &making->summary->skipped_behind.list[pairs[i].row];
		uint64_t samples = 0;

		for (next = i; next < count && !by_row_and_name(&pairs[i], &pairs[next]); next++)
			samples += pairs[next].samples;
		if (samples <= row->example_samples)
			continue;
		free(row->example);
		row->example = xstrdup(pairs[i].skipped);
		row->example_samples = samples;
	}
}

static void take_skips(struct making *making)
{
	size_t count = making->ways->skips.count, i;
	struct skip_pair *pairs = xmalloc((count + 1) * sizeof(*pairs));
	struct ways_skip *skips = xmalloc((count + 1) * sizeof(*skips));

	if (count)
		memcpy(skips, making->ways->skips.items, count * sizeof(*skips));
	if (count)
		qsort(skips, count, sizeof(*skips), by_function);
	for (i = 0; i < count; i++) {
		struct ways_row *row = find_row(&making->skipped, function_text(making, &skips[i].at),
						way_names_dso(making->names, skips[i].at.dso));

		row->sums.samples += skips[i].samples;
		making->summary->skips += skips[i].samples;
		pairs[i] = (struct skip_pair){ (size_t)(row - making->summary->skipped_behind.list),
					       xstrdup(function_text(making, &skips[i].skipped)),
					       skips[i].samples };
	}
	keep_most_frequent(making, pairs, count);
	for (i = 0; i < count; i++)
		free(pairs[i].skipped);
	free(pairs);
	free(skips);
}

/* --- the summary ---------------------------------------------------------------- */

static int most_samples_first(const void *one, const void *other)
{
	const struct ways_row *a = one, *b = other;
	int difference;

	if (a->sums.samples != b->sums.samples)
		return a->sums.samples > b->sums.samples ? -1 : 1;
	if (a->in_samples != b->in_samples)
		return a->in_samples > b->in_samples ? -1 : 1;
	difference = strcmp(a->name, b->name);
	return difference || !a->dso ? difference : strcmp(a->dso, b->dso);
}

static void finish(struct row_index *index)
{
	hash_table_fini(&index->table);
	if (index->rows->count)
		qsort(index->rows->list, index->rows->count, sizeof(*index->rows->list), most_samples_first);
}

void ways_summary_init(struct ways_summary *summary, const struct unwind_ways *ways,
		       const struct way_names *names)
{
	struct making making = { .summary = summary, .ways = ways, .names = names };

	*summary = (struct ways_summary){ 0 };
	making.comms.rows = &summary->comms;
	making.dsos.rows = &summary->dsos;
	making.functions.rows = &summary->functions;
	making.skipped.rows = &summary->skipped_behind;
	strbuf_init(&making.text);
	take_groups(&making);
	count_samples_of_dsos(&making);
	take_skips(&making);
	finish(&making.comms);
	finish(&making.dsos);
	finish(&making.functions);
	finish(&making.skipped);
	strbuf_fini(&making.text);
}

static void free_rows(struct ways_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->list[i].name);
		free(rows->list[i].dso);
		free(rows->list[i].example);
	}
	free(rows->list);
	*rows = (struct ways_rows){ 0 };
}

void ways_summary_fini(struct ways_summary *summary)
{
	free_rows(&summary->comms);
	free_rows(&summary->dsos);
	free_rows(&summary->functions);
	free_rows(&summary->skipped_behind);
}
