#include "report/profile_namer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/location_names.h"
#include "report/stack_beginning.h"

/* What is looked up at a time: memory is fetched for all before the first of them is. */
enum { BATCH = 32 };

struct namer {
	struct profile *raw;
	const struct process_table *processes;
	unsigned int detail; /* enum naming_detail */
	struct profile *profile;
	struct location_names names;
	struct location_use *uses; /* of all locations of the raw profile, as they first occur in its stacks */
	size_t use_count, use_capacity;

	/* Final numbers by a location's raw one, for each use; PROFILE_NONE: not made yet. */
	uint32_t (*locations)[LOOKUP_COUNT];
	uint32_t (*functions)[LOOKUP_COUNT]; /* where others are like it */
	bool locations_merged;               /* two of the raw profile's have become one */

	uint32_t (
		*first_inlined)[LOOKUP_COUNT]; /* what is inlined there: in `inlined`; NULL: nothing will be */
	uint32_t *inlined;                     /* locations in the final profile, outermost first */
	size_t inlined_count, inlined_capacity;
	uint32_t *dsos; /* final numbers by the process table's; PROFILE_NONE: not made yet */
};

static void mark_used(struct namer *namer)
{
	uint32_t stacks = profile_stack_count(namer->raw);

	for (uint32_t i = 0; i < stacks; i++) {
		const struct profile_stack *node = profile_stack_at(namer->raw, i);
		const struct profile_location *location = profile_location_at(namer->raw, node->location);
		const enum lookup lookup = location_names_lookup(location, node);
		bool *used = &namer->names.locations[node->location].used[lookup];

		if (*used)
			continue;
		*used = true;
		namer->uses = array_grow(namer->uses, &namer->use_capacity, namer->use_count + 1,
					 sizeof(*namer->uses));
		namer->uses[namer->use_count++] = (struct location_use){ node->location, lookup };
	}
}

/* --- the final profile ------------------------------------------------------- */

static uint32_t final_dso(struct namer *namer, uint32_t number)
{
	char hex[BUILD_ID_HEX_SIZE];
	const struct dso *dso;

	if (number == PROFILE_NONE)
		return PROFILE_NONE;
	if (namer->dsos[number] == PROFILE_NONE) {
		dso = process_table_dso(namer->processes, number);
		namer->dsos[number] =
			profile_dso(namer->profile, dso->name, dso->path, build_id_hex(&dso->build_id, hex));
	}
	return namer->dsos[number];
}

/* The source frame of the function that was compiled: with inlined functions, where they are called. */
static void set_line(struct namer *namer, uint32_t location, const struct source_frame *frame)
{
	profile_set_line(namer->profile, location,
			 profile_string(namer->profile, frame->file ? frame->file : ""), frame->line);
}

/* Locations for what is inlined, one inside the other. A function that is inlined into itself remains that function. */
static void make_inlined(struct namer *namer, uint32_t raw, enum lookup lookup, uint32_t location)
{
	const struct profile_location base = *profile_location_at(namer->profile, location);
	const struct location_name *symbol = &namer->names.locations[raw].names[lookup];
	const struct location_source *source = &namer->names.sources[raw][lookup];
	uint32_t count = source->frame_count, depth;

	namer->first_inlined[raw][lookup] = (uint32_t)namer->inlined_count;
	for (depth = 1; depth < count; depth++) {
		const struct source_frame *frame =
			&namer->names.frames[source->first_frame + count - 1 - depth];
		const char *name = frame->function ? frame->function : "[inlined]";
		bool recursive = strcmp(name, symbol->name) == 0;
		uint32_t inlined =
			profile_inlined_location(namer->profile, base.dso, base.address, base.mode, depth);

		profile_set_function(namer->profile, inlined,
				     (recursive ? profile_function : profile_inlined_function)(
					     namer->profile, base.dso, name, symbol->start));
		set_line(namer, inlined, frame);
		namer->inlined = array_grow(namer->inlined, &namer->inlined_capacity,
					    namer->inlined_count + 1, sizeof(*namer->inlined));
		namer->inlined[namer->inlined_count++] = inlined;
	}
}

static void add_source(struct namer *namer, uint32_t raw, enum lookup lookup, uint32_t location)
{
	struct location_source *source = namer->names.sources ? &namer->names.sources[raw][lookup] : NULL;

	if (!source || source->frame_count == 0)
		return;
	if (!(namer->detail & NAMING_INLINES))
		source->frame_count = 1; /* the line of the instruction itself */
	set_line(namer, location, &namer->names.frames[source->first_frame + source->frame_count - 1]);
	make_inlined(namer, raw, lookup, location);
}

/* One function is asked for by name once for all locations that are known to be alike. */
static uint32_t final_function(struct namer *namer, uint32_t dso, const struct location_name *symbol)
{
	uint32_t *function = &namer->functions[symbol->like.location][symbol->like.lookup];

	if (*function == PROFILE_NONE)
		*function = profile_function(namer->profile, dso, symbol->name, symbol->start);
	return *function;
}

/* What identifies a final location. */
struct place {
	uint32_t dso;
	uint64_t address;
	enum frame_mode mode;
};

static struct place place_of(struct namer *namer, struct location_use use)
{
	const struct profile_location *raw = profile_location_at(namer->raw, use.location);
	const struct named_location *named = &namer->names.locations[use.location];
	const bool is_call = use.lookup == LOOKUP_RETURN && named->names[use.lookup].name;

	return (struct place){ final_dso(namer, named->dso), is_call ? raw->address - 1 : raw->address,
			       raw->mode };
}

static void make_location(struct namer *namer, struct location_use use, const struct place *place)
{
	const struct location_name *symbol = &namer->names.locations[use.location].names[use.lookup];
	const uint32_t known = profile_location_count(namer->profile),
		       location = profile_location(namer->profile, place->dso, place->address, place->mode);
	uint32_t *numbers = namer->locations[use.location];

	if (location < known && location != numbers[!use.lookup])
		namer->locations_merged = true;
	numbers[use.lookup] = location;
	if (!symbol->name)
		return;
	profile_set_function(namer->profile, location, final_function(namer, place->dso, symbol));
	add_source(namer, use.location, use.lookup, location);
}

/* In the order in which they occur in stacks. */
static void make_locations(struct namer *namer)
{
	struct place places[BATCH];

	profile_reserve_locations(namer->profile, (uint32_t)namer->use_count);
	for (size_t first = 0, count; first < namer->use_count; first += count) {
		const struct location_use *uses = namer->uses + first;

		count = namer->use_count - first < BATCH ? namer->use_count - first : BATCH;
		for (size_t i = 0; i < count; i++) {
			places[i] = place_of(namer, uses[i]);
			profile_prefetch_location(namer->profile,
						  profile_location_hash(places[i].dso, places[i].address,
									places[i].mode));
		}
		for (size_t i = 0; i < count; i++)
			make_location(namer, uses[i], &places[i]);
	}
}

static void copy_threads(struct namer *namer)
{
	uint32_t i;

	for (i = 0; i < profile_thread_count(namer->raw); i++) {
		const struct profile_thread *thread = profile_thread_at(namer->raw, i);

		profile_thread(namer->profile, thread->pid, thread->tid,
			       profile_string(namer->profile, profile_text(namer->raw, thread->comm)));
	}
}

/* Locations of what is inlined at the location of a node, outermost first; their number. */
static uint32_t inlined_at(const struct namer *namer, const struct profile_stack *raw,
			   const uint32_t **inlined)
{
	enum lookup lookup;
	uint32_t count;

	if (!namer->names.sources)
		return 0;
	lookup = location_names_lookup(profile_location_at(namer->raw, raw->location), raw);
	count = namer->names.sources[raw->location][lookup].frame_count;
	if (count < 2)
		return 0;
	*inlined = namer->inlined + namer->first_inlined[raw->location][lookup];
	return count - 1;
}

/* --- stacks ------------------------------------------------------------------ */

static uint32_t final_location(const struct namer *namer, const struct profile_stack *raw)
{
	return namer->locations[raw->location]
			       [location_names_lookup(profile_location_at(namer->raw, raw->location), raw)];
}

/*
 * Is the tree the same but for the numbers of the locations? Yes, if no two locations have become one: different nodes
 * remain different. One that is used in both ways may well have become one without a name, for how nodes were found
 * says which of them it is in each.
 */
static bool tree_stays(const struct namer *namer)
{
	return namer->inlined_count == 0 && !namer->locations_merged;
}

/* Of a node, by the beginnings of those with smaller numbers. */
static uint8_t beginning_below(const struct profile *profile, const uint8_t *beginnings, uint32_t parent,
			       uint32_t node)
{
	const uint8_t caller = parent == PROFILE_NONE ? STACK_BEGINNING_UNKNOWN : beginnings[parent];

	return (uint8_t)stack_beginning_below(profile, (enum stack_beginning)caller, node);
}

/* Fills in the beginnings (enum stack_beginning), by number of the node. */
static void move_stacks(struct namer *namer, uint8_t *beginnings)
{
	struct profile *profile = namer->profile;
	uint32_t stacks;

	profile_take_stacks(profile, namer->raw);
	stacks = profile_stack_count(profile);
	for (uint32_t i = 0; i < stacks; i++) {
		const struct profile_stack *node = profile_stack_at(profile, i);

		profile_set_stack_location(profile, i, final_location(namer, node));
		beginnings[i] = beginning_below(profile, beginnings, node->parent, i);
	}
}

/* Nodes of the raw profile on their way to the final one. */
struct copying {
	uint32_t *nodes;     /* final numbers; of several, where something is inlined, the innermost */
	uint32_t *paths;     /* of these: see profile_stack_path() */
	uint8_t *beginnings; /* enum stack_beginning */
	uint32_t *locations; /* final ones, of a batch */
	uint32_t *own_paths; /* likewise, of the node of the location itself */
};

/* The final locations of a batch, from which follows where memory will be looked at for its nodes. */
static void locate_batch(const struct namer *namer, struct copying *copying, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_stack *raw = profile_stack_at(namer->raw, first + i);
		const enum frame_origin origin = (enum frame_origin)raw->origin;
		uint32_t path = raw->parent == PROFILE_NONE ? STACK_PATH_ROOT : copying->paths[raw->parent];
		const uint32_t *inlined = NULL;
		uint32_t inlined_count;

		copying->locations[i] = final_location(namer, raw);
		path = profile_stack_path(path, copying->locations[i], origin);
		profile_prefetch_stack(namer->profile, path);
		copying->own_paths[i] = path;
		inlined_count = inlined_at(namer, raw, &inlined);
		for (uint32_t k = 0; k < inlined_count; k++)
			path = profile_stack_path(path, inlined[k], origin);
		copying->paths[first + i] = path;
	}
	for (uint32_t i = 0; i < count; i++)
		profile_prefetch_stack_item(namer->profile, copying->own_paths[i]);
}

static void copy_node(const struct namer *namer, struct copying *copying, uint32_t number, uint32_t location)
{
	const struct profile_stack *raw = profile_stack_at(namer->raw, number);
	const enum frame_origin origin = (enum frame_origin)raw->origin;
	const bool is_first = raw->parent == PROFILE_NONE;
	const uint32_t *inlined = NULL;
	uint32_t node = profile_stack(namer->profile, is_first ? PROFILE_NONE : copying->nodes[raw->parent],
				      location, origin);
	uint32_t inlined_count = inlined_at(namer, raw, &inlined);

	copying->beginnings[number] = beginning_below(namer->profile, copying->beginnings, raw->parent, node);
	for (uint32_t i = 0; i < inlined_count; i++)
		node = profile_stack(namer->profile, node, inlined[i], origin);
	copying->nodes[number] = node;
}

/* Fills in the beginnings, and gives the final numbers of nodes by raw ones: to be freed. */
static uint32_t *copy_stacks(struct namer *namer, uint8_t *beginnings)
{
	const uint32_t stacks = profile_stack_count(namer->raw);
	uint32_t locations[BATCH], paths[BATCH];
	struct copying copying = { .nodes = xmalloc(((size_t)stacks + 1) * sizeof(*copying.nodes)),
				   .paths = xmalloc(((size_t)stacks + 1) * sizeof(*copying.paths)),
				   .beginnings = beginnings,
				   .locations = locations,
				   .own_paths = paths };

	profile_reserve_stacks_like(namer->profile, namer->raw);
	for (uint32_t first = 0, count; first < stacks; first += count) {
		count = stacks - first < BATCH ? stacks - first : BATCH;
		locate_batch(namer, &copying, first, count);
		for (uint32_t i = 0; i < count; i++)
			copy_node(namer, &copying, first + i, locations[i]);
	}
	free(copying.paths);
	return copying.nodes;
}

/* --- samples ----------------------------------------------------------------- */

static enum stack_end final_end(const struct profile_sample *raw, const uint8_t *beginnings)
{
	return stack_beginning_end((enum stack_beginning)beginnings[raw->stack], (enum stack_end)raw->end);
}

static uint32_t final_cgroup(struct namer *namer, uint32_t cgroup)
{
	return cgroup ? profile_string(namer->profile, profile_text(namer->raw, cgroup)) : cgroup;
}

/*
 * Do samples of one stack that end differently still do so? If not, two of them may be equal now. Where the tree
 * stays, nothing else about samples could become equal.
 */
static bool samples_stay(const struct namer *namer, const uint8_t *beginnings)
{
	const uint32_t samples = profile_sample_count(namer->raw);
	uint16_t *ends = xcalloc((size_t)profile_stack_count(namer->profile) + 1, sizeof(*ends)); /* seen */
	bool stay = true;

	static_assert(STACK_END_COUNT <= 16, "a bit for each");
	for (uint32_t i = 0; i < samples && stay; i++) {
		const struct profile_sample *raw = profile_sample_at(namer->raw, i);
		const enum stack_end end = final_end(raw, beginnings);
		const unsigned int others = ends[raw->stack] & ~(1U << raw->end);

		for (unsigned int other = 0; others >> other && stay; other++)
			stay = !(others >> other & 1) ||
			       stack_beginning_end((enum stack_beginning)beginnings[raw->stack],
						   (enum stack_end)other) != end;
		ends[raw->stack] |= (uint16_t)(1U << raw->end);
	}
	free(ends);
	return stay;
}

static void move_samples(struct namer *namer, const uint8_t *beginnings, uint32_t *sample_numbers)
{
	struct profile *profile = namer->profile;
	uint32_t samples;

	profile_take_samples(profile, namer->raw);
	samples = profile_sample_count(profile);
	for (uint32_t i = 0; i < samples; i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		profile_set_sample(profile, i, final_end(sample, beginnings),
				   final_cgroup(namer, sample->cgroup));
		if (sample_numbers)
			sample_numbers[i] = i;
	}
}

/* A batch's, with the ends and the cgroups of the final profile. */
static void convert_samples(struct namer *namer, const uint32_t *nodes, const uint8_t *beginnings,
			    uint32_t first, uint32_t count, struct profile_sample *samples)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_sample *raw = profile_sample_at(namer->raw, first + i);

		samples[i] = *raw;
		samples[i].end = (uint8_t)final_end(raw, beginnings);
		samples[i].stack = nodes ? nodes[raw->stack] : raw->stack;
		samples[i].cgroup = final_cgroup(namer, raw->cgroup);
		profile_prefetch(namer->profile, &samples[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		profile_prefetch_sum(namer->profile, &samples[i]);
}

/* `nodes` are those of copy_stacks(); NULL: the numbers of nodes are the same. */
static void copy_samples(struct namer *namer, const uint32_t *nodes, const uint8_t *beginnings,
			 uint32_t *sample_numbers)
{
	const uint32_t samples = profile_sample_count(namer->raw);
	struct profile_sample batch[BATCH];

	profile_reserve_samples_like(namer->profile, namer->raw);
	for (uint32_t first = 0, count; first < samples; first += count) {
		count = samples - first < BATCH ? samples - first : BATCH;
		convert_samples(namer, nodes, beginnings, first, count, batch);
		for (uint32_t i = 0; i < count; i++) {
			const uint32_t number = profile_add(namer->profile, &batch[i]);

			if (sample_numbers)
				sample_numbers[first + i] = number;
		}
	}
	for (uint32_t i = 0; i < profile_event_count(namer->raw); i++)
		profile_set_weight_squares(namer->profile, i,
					   profile_event_at(namer->raw, i)->weight_squares);
}

/* Memory that need not be filled again is the fastest: what stays as it is is not copied. */
static void take_stacks_and_samples(struct namer *namer, uint32_t *sample_numbers)
{
	uint8_t *beginnings = xmalloc((size_t)profile_stack_count(namer->raw) + 1);
	uint32_t *nodes = NULL;

	if (tree_stays(namer))
		move_stacks(namer, beginnings);
	else
		nodes = copy_stacks(namer, beginnings);
	if (!nodes && samples_stay(namer, beginnings))
		move_samples(namer, beginnings, sample_numbers);
	else
		copy_samples(namer, nodes, beginnings, sample_numbers);
	free(nodes);
	free(beginnings);
}

static void namer_init(struct namer *namer)
{
	const size_t dsos = process_table_dso_count(namer->processes) + 1,
		     locations = (size_t)profile_location_count(namer->raw) + 1;

	location_names_init(&namer->names, namer->raw);
	namer->dsos = xmalloc(dsos * sizeof(*namer->dsos));
	memset(namer->dsos, 0xff, dsos * sizeof(*namer->dsos));
	namer->locations = xmalloc(locations * sizeof(*namer->locations));
	memset(namer->locations, 0xff, locations * sizeof(*namer->locations));
	namer->functions = xmalloc(locations * sizeof(*namer->functions));
	memset(namer->functions, 0xff, locations * sizeof(*namer->functions));
	namer->first_inlined = namer->detail ? xmalloc(locations * sizeof(*namer->first_inlined)) : NULL;
}

static void namer_fini(struct namer *namer)
{
	free(namer->uses);
	free(namer->inlined);
	free(namer->first_inlined);
	free(namer->functions);
	free(namer->locations);
	free(namer->dsos);
	location_names_fini(&namer->names);
}

void profile_namer_run(struct profile *raw, const struct process_table *processes,
		       struct symbolizer *symbolizer, unsigned int detail, struct profile *profile,
		       uint32_t *sample_numbers)
{
	struct namer namer = { .raw = raw, .processes = processes, .detail = detail, .profile = profile };

	namer_init(&namer);
	mark_used(&namer);
	location_names_find(&namer.names, processes, symbolizer, detail != 0);
	copy_threads(&namer);
	make_locations(&namer);
	take_stacks_and_samples(&namer, sample_numbers);
	namer_fini(&namer);
}
