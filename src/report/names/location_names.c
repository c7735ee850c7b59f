/*
 * The order of work is in location_names_find(): sort locations by DSO and address, tell each symbol table
 * its addresses in advance, make jobs of tables for one thread each, run them, then name locations in no DSO.
 * Neighbours in this order are mostly in one function, which set_name() makes use of.
 */
#include "report/names/location_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "format/elided_frames.h"
#include "report/names/dso_symbols.h"

/* With more threads, the few large files of a profile still determine the time. */
enum { MAX_THREADS = 4 };

/* The locations of one DSO. */
struct dso_range {
	const struct dso *dso;
	struct symbol_table *table; /* NULL if there is none */
	const void *group;          /* of the table: see symbol_table_group() */
	size_t first, count;        /* range of `order` */
};

/* Ranges whose tables are used by one thread. */
struct job {
	size_t first_range, range_count;
	size_t weight_bytes;
};

struct looking {
	struct location_names *names;
	const struct process_table *processes;
	struct symbolizer *symbolizer;
	bool source;
	/* locations in a DSO, by DSO and address (the key), so a table is used while it is in the cache */
	struct radix_item *order;
	size_t count;
	struct dso_range *ranges;
	size_t range_count;
	struct job *jobs; /* heaviest first */
	size_t job_count;
};

enum lookup location_names_lookup(const struct raw_location *location, const struct profile_stack *node)
{
	bool is_user = location->mode == FRAME_USER || location->mode == FRAME_GUEST_USER;

	switch (node->origin) {
	case FRAME_KERNEL_CHAIN:
	case FRAME_POINTER:
	case FRAME_CFI:
	case FRAME_JOINED:
	case FRAME_CONTINUED:
	case FRAME_CODE:
	case FRAME_ASSUMED:
	case FRAME_WAKER_CALLER:
	case FRAME_GUESSED: return is_user ? LOOKUP_RETURN : LOOKUP_PC;
	default: return LOOKUP_PC;
	}
}

static bool is_used(const struct location_names *names, uint32_t location, enum lookup lookup)
{
	return names->used[location] >> lookup & 1;
}

static void mark_used(struct location_names *names)
{
	const uint32_t stacks = raw_profile_stack_count(names->raw);

	for (uint32_t i = 0; i < stacks; i++) {
		const struct profile_stack *node = raw_profile_stack_at(names->raw, i);
		const struct raw_location *location = raw_profile_location_at(names->raw, node->location);
		const enum lookup lookup = location_names_lookup(location, node);
		uint8_t *used = &names->used[node->location];

		if (*used & 1U << lookup)
			continue;
		*used |= (uint8_t)(1U << lookup);
		*ARRAY_ADD(names->uses, names->use_count, names->use_capacity) =
			(struct location_use){ node->location, lookup };
	}
}

static uint32_t add_location(struct location_names *names, uint32_t dso)
{
	*ARRAY_ADD(names->locations, names->location_count, names->location_capacity) =
		(struct named_location){ .dso = dso };
	return (uint32_t)names->location_count - 1;
}

struct named_location *location_names_own(struct location_names *names, uint32_t location)
{
	if (!names->places[location])
		names->places[location] = add_location(names, PROFILE_NONE);
	return &names->locations[names->places[location]];
}

void location_names_init(struct location_names *names, const struct raw_profile *raw)
{
	const uint32_t count = raw_profile_location_count(raw);

	*names = (struct location_names){ .raw = raw };
	names->used = xcalloc((size_t)count + 1, sizeof(*names->used));
	names->places = xcalloc((size_t)count + 1, sizeof(*names->places));
	add_location(names, PROFILE_NONE);
	for (uint32_t i = 0; i < count; i++)
		if (raw_profile_location_at(raw, i)->dso != PROFILE_NONE)
			names->places[i] = add_location(names, raw_profile_location_at(raw, i)->dso);
	mark_used(names);
	names->names = xmalloc(((size_t)count + 1) * LOOKUP_COUNT * sizeof(*names->names));
	(void)location_names_add(names, NULL, 0);
}

void location_names_fini(struct location_names *names)
{
	free(names->uses);
	free(names->locations);
	free(names->places);
	free(names->used);
	free(names->names);
	free(names->frames);
	for (size_t i = 0; i < names->own_count; i++)
		free(names->own_texts[i]);
	free(names->own_texts);
}

/* --- one location ------------------------------------------------------------- */

static void look_up_source(struct location_names *names, struct symbol_table *table, uint64_t address,
			   struct location_source *source)
{
	const struct source_frame *frames;
	size_t count = symbol_table_find_source(table, address, &frames);

	names->frames = array_grow(names->frames, &names->frame_capacity, names->frame_count + count + 1,
				   sizeof(*names->frames));
	if (count)
		memcpy(names->frames + names->frame_count, frames, count * sizeof(*frames));
	*source = (struct location_source){ (uint32_t)names->frame_count, (uint32_t)count };
	names->frame_count += count;
}

uint32_t location_names_add(struct location_names *names, const char *name, uint64_t start)
{
	const uint32_t number = names->name_count++;

	names->names[number] = (struct location_name){ name, start };
	return number;
}

/* `before`: the previous name in this DSO. As addresses are sorted, it is mostly the same one. */
static uint32_t name_of(struct location_names *names, const struct symbol *symbol, uint32_t *before)
{
	const struct location_name *last = location_names_at(names, *before);

	if (last->name != symbol->name || last->start != symbol->start)
		*before = location_names_add(names, symbol->name, symbol->start);
	return *before;
}

static void look_up(const struct looking *looking, const struct dso *dso, struct symbol_table *table,
		    uint32_t number, uint32_t *before)
{
	struct location_names *names = looking->names;
	struct named_location *named = location_names_own(names, number);
	const uint64_t address = raw_profile_location_at(names->raw, number)->address;
	struct symbol symbol;

	for (int lookup = 0; lookup < LOOKUP_COUNT; lookup++) {
		const uint64_t inside = lookup == LOOKUP_RETURN ? address - 1 : address;

		if (!is_used(names, number, (enum lookup)lookup))
			continue;
		if (dso->kind == DSO_KSYMBOL) {
			named->names[lookup] = name_of(names, &(struct symbol){ .name = dso->path }, before);
		} else if (table && symbol_table_find(table, inside, &symbol) == 1) {
			named->names[lookup] = name_of(names, &symbol, before);
			if (looking->source)
				look_up_source(names, table, inside, &named->sources[lookup]);
		}
	}
}

/* A location that stands for left-out frames is named by their number; false if it is none. */
static bool name_elision(struct location_names *names, uint32_t number)
{
	const struct raw_location *location = raw_profile_location_at(names->raw, number);
	const size_t count = location->mode == FRAME_USER ? elided_frames_count(location->address) : 0;
	char *text;

	if (!count)
		return false;
	text = xmalloc(ELIDED_FRAMES_NAME_SIZE);
	*ARRAY_ADD(names->own_texts, names->own_count, names->own_capacity) = text;
	location_names_own(names, number)->names[LOOKUP_PC] =
		location_names_add(names, elided_frames_name(text, count), location->address);
	return true;
}

/* A label is named by its text; false if the location is none. */
static bool name_label(struct location_names *names, uint32_t number)
{
	const struct raw_location *location = raw_profile_location_at(names->raw, number);
	const char *text = raw_profile_label_text(names->raw, location);

	if (text)
		location_names_own(names, number)->names[LOOKUP_PC] =
			location_names_add(names, text, location->address);
	return text != NULL;
}

/* The location is in no mapping, but the kernel's symbols may cover it: see process_table_kernel(). */
static void look_up_in_kernel(const struct looking *looking, uint32_t number)
{
	uint32_t before = 0;
	struct named_location *named;
	struct mapping kernel;

	if (raw_profile_location_at(looking->names->raw, number)->mode != FRAME_KERNEL ||
	    process_table_kernel(looking->processes, &kernel) != 1)
		return;
	look_up(looking, kernel.dso, dso_symbols_table(looking->symbolizer, kernel.dso), number, &before);
	named = location_names_own(looking->names, number);
	if (named->names[LOOKUP_PC]) /* kernel locations are used in no other way */
		named->dso = kernel.dso->number;
}

/* --- one DSO ------------------------------------------------------------------ */

typedef void prepare_table(struct symbol_table *table, const uint64_t *addresses, size_t count);

/*
 * Tells the table of one DSO all addresses that will be looked up, so that it reads symbols and debug information faster.
 * Returns their number.
 */
static size_t prepare(const struct looking *looking, const struct dso_range *range, prepare_table *say)
{
	uint64_t *addresses = xmalloc((2 * range->count + 1) * sizeof(*addresses));
	size_t wanted = 0;

	for (size_t i = range->first; i < range->first + range->count; i++) {
		const uint32_t number = looking->order[i].number;

		/* In this order, addresses stay sorted. */
		if (is_used(looking->names, number, LOOKUP_RETURN))
			addresses[wanted++] = looking->order[i].key - 1;
		if (is_used(looking->names, number, LOOKUP_PC))
			addresses[wanted++] = looking->order[i].key;
	}
	say(range->table, addresses, wanted);
	free(addresses);
	return wanted;
}

static void look_up_range(const struct looking *looking, const struct dso_range *range)
{
	uint32_t before = 0;

	if (range->table && looking->source)
		(void)prepare(looking, range, symbol_table_prepare_source);
	for (size_t i = range->first; i < range->first + range->count; i++)
		look_up(looking, range->dso, range->table, looking->order[i].number, &before);
}

/* --- DSOs --------------------------------------------------------------------- */

static bool is_in_dso(const struct looking *looking, uint32_t number)
{
	return raw_profile_location_at(looking->names->raw, number)->dso <
	       process_table_dso_count(looking->processes);
}

/* By DSO, then by address. */
static void sort_locations(struct looking *looking)
{
	const struct raw_profile *raw = looking->names->raw;
	const uint32_t count = raw_profile_location_count(raw);
	const size_t dso_count = process_table_dso_count(looking->processes);
	size_t *ends =
		xcalloc(dso_count + 1, sizeof(*ends)); /* of each DSO's locations, once they are placed */

	for (uint32_t i = 0; i < count; i++)
		if (is_in_dso(looking, i))
			ends[raw_profile_location_at(raw, i)->dso + 1]++;
	for (size_t dso = 0; dso < dso_count; dso++)
		ends[dso + 1] += ends[dso];
	looking->count = ends[dso_count];
	looking->order = xmalloc(looking->count * sizeof(*looking->order) + 1);
	for (uint32_t i = 0; i < count; i++) {
		const struct raw_location *location = raw_profile_location_at(raw, i);

		if (is_in_dso(looking, i))
			looking->order[ends[location->dso]++] = (struct radix_item){ location->address, i };
	}
	for (size_t dso = 0, first = 0; dso < dso_count; first = ends[dso++])
		radix_sort(looking->order + first, ends[dso] - first);
	free(ends);
}

static uint32_t dso_at(const struct looking *looking, size_t place)
{
	return raw_profile_location_at(looking->names->raw, looking->order[place].number)->dso;
}

/* Creates all tables and tells them their addresses before the first lookup: several DSOs may be the same file. */
static void make_ranges(struct looking *looking)
{
	size_t capacity = 0;

	for (size_t i = 0, next; i < looking->count; i = next) {
		const uint32_t dso = dso_at(looking, i);
		struct dso_range range = { process_table_dso(looking->processes, dso), .first = i };

		for (next = i + 1; next < looking->count && dso_at(looking, next) == dso;)
			next++;
		range.count = next - i;
		range.table = dso_symbols_table(looking->symbolizer, range.dso);
		if (range.table && prepare(looking, &range, symbol_table_want) == 0)
			range.table = NULL;
		*ARRAY_ADD(looking->ranges, looking->range_count, capacity) = range;
	}
	for (size_t i = 0; i < looking->range_count; i++)
		if (looking->ranges[i].table)
			looking->ranges[i].group = symbol_table_group(looking->ranges[i].table);
}

/* --- threads ------------------------------------------------------------------ */

/* Puts ranges of one group side by side, in the order of their DSOs. */
static int compare_ranges(const void *a, const void *b)
{
	const struct dso_range *left = a, *right = b;

	if (left->group != right->group)
		return (uintptr_t)left->group < (uintptr_t)right->group ? -1 : 1;
	return left->first < right->first ? -1 : left->first > right->first;
}

static int compare_jobs(const void *a, const void *b)
{
	const struct job *left = a, *right = b;

	return left->weight_bytes > right->weight_bytes ? -1 : left->weight_bytes < right->weight_bytes;
}

static void make_jobs(struct looking *looking)
{
	const struct dso_range *ranges = looking->ranges;

	if (looking->range_count)
		qsort(looking->ranges, looking->range_count, sizeof(*looking->ranges), compare_ranges);
	looking->jobs = xcalloc(looking->range_count + 1, sizeof(*looking->jobs));
	for (size_t i = 0; i < looking->range_count; i++) {
		struct job *job = &looking->jobs[looking->job_count];

		if (!ranges[i].group)
			continue;
		if (job > looking->jobs && ranges[i].group == ranges[i - 1].group)
			job--;
		else
			*job = (struct job){ i, 0, symbol_table_file_bytes(ranges[i].table) };
		job->range_count++;
		looking->job_count = (size_t)(job - looking->jobs) + 1;
	}
	if (looking->job_count)
		qsort(looking->jobs, looking->job_count, sizeof(*looking->jobs), compare_jobs);
}

/* If source lines are wanted, only loads the tables: one thread looks lines up, with several threads of its own. */
static void do_job(void *context, size_t number)
{
	const struct looking *looking = context;
	const struct job *job = &looking->jobs[number];

	for (size_t i = 0; i < job->range_count; i++) {
		const struct dso_range *range = &looking->ranges[job->first_range + i];

		if (looking->source)
			symbol_table_load(range->table);
		else
			look_up_range(looking, range);
	}
}

void location_names_find(struct location_names *names, const struct process_table *processes,
			 struct symbolizer *symbolizer, bool source)
{
	struct looking looking = {
		.names = names, .processes = processes, .symbolizer = symbolizer, .source = source
	};

	sort_locations(&looking);
	make_ranges(&looking);
	make_jobs(&looking);
	parallel_for(looking.job_count, MAX_THREADS, do_job, &looking);
	for (size_t i = 0; i < looking.range_count; i++)
		if (source || !looking.ranges[i].group)
			look_up_range(&looking, &looking.ranges[i]);
	for (uint32_t i = 0; i < raw_profile_location_count(names->raw); i++)
		if (!is_in_dso(&looking, i) && !name_elision(names, i) && !name_label(names, i))
			look_up_in_kernel(&looking, i);
	free(looking.jobs);
	free(looking.ranges);
	free(looking.order);
}

/* --- functions without a name ------------------------------------------------- */

void location_names_find_starts(struct location_names *names, const struct process_table *processes,
				struct function_starts *starts)
{
	for (size_t i = 0; i < names->use_count; i++) {
		const struct location_use use = names->uses[i];
		const uint64_t address = raw_profile_location_at(names->raw, use.location)->address;
		const struct named_location *named = location_names_of(names, use.location);
		uint64_t start;

		if (named->names[use.lookup] || named->dso >= process_table_dso_count(processes))
			continue;
		if (function_starts_find(starts, process_table_dso(processes, named->dso),
					 use.lookup == LOOKUP_RETURN ? address - 1 : address, &start) == 1)
			location_names_own(names, use.location)->names[use.lookup] =
				location_names_add(names, NULL, start);
	}
}
